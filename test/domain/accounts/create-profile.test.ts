/** Rules of profiles: the fields of a new one, and which one is the default. */
import { describe, expect, it } from 'vitest'
import {
  createProfile,
  firstProfileId,
  type NewProfile,
  profilesMax,
} from '../../../lib/domain/accounts/create-profile.ts'
import { at } from '../support/videos.ts'

const input: NewProfile = { id: 'prf_1', workspaceId: 'wsp_1', name: 'Studio' }
const create = (fields: Partial<NewProfile> = {}) => createProfile({ ...input, ...fields }, [], at(1))

describe('a new profile', () => {
  it('is written as one record; omitted fields are empty and the colour is the default', () => {
    const { profile, changes, ...rest } = create()
    expect(profile).toEqual({
      ...input,
      version: 1,
      description: '',
      color: '#6366f1',
      isDefault: true,
      createdAt: at(1),
      updatedAt: at(1),
    })
    expect(changes).toEqual([{ record: 'profile', before: undefined, after: profile }])
    expect(rest).toEqual({ workspaceId: 'wsp_1', at: at(1), charges: [], events: [], starts: [] })
  })

  it('is the default when it is the first of its workspace', () => {
    const { profile } = create()
    expect(createProfile({ ...input, id: 'prf_2' }, [profile], at(2)).profile.isDefault).toBe(false)
  })

  it('has a computed id when it is the first: two concurrent requests create only one', () => {
    const workspace = { id: 'wsp_1', createdAt: at(0) }
    expect(firstProfileId(workspace)).toBe(firstProfileId({ ...workspace }))
    expect(firstProfileId(workspace)).not.toBe(firstProfileId({ ...workspace, id: 'wsp_2' }))
    expect(firstProfileId(workspace)).toMatch(/^prf_[0-9a-z]{26}$/)
  })

  it('stores its colour in lower case', () => {
    expect(create({ color: '#AbCdEf' }).profile.color).toBe('#abcdef')
  })

  it.each([[{ name: '😀'.repeat(200) }], [{ description: '😀'.repeat(2_000) }], [{ name: '😀' }]])(
    'accepts the longest values allowed: %#',
    (fields) => {
      expect(create(fields).profile).toMatchObject(fields)
    },
  )

  it.each([
    ['name', { name: '' }],
    ['name', { name: ' \n' }],
    ['name', { name: 'x'.repeat(201) }],
    ['description', { description: 'x'.repeat(2_001) }],
    ['color', { color: 'red' }],
    ['color', { color: '#fff' }],
    ['color', { color: '#ffffff0' }],
  ])('invalid-request, naming %s: %j', (path, fields) => {
    expect(() => create(fields)).toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        extras: { details: [expect.objectContaining({ path })] },
      }),
    )
  })

  it('limit-reached: a workspace has at most 100 profiles', () => {
    const others = Array.from({ length: profilesMax }, (_, index) => create({ id: `prf_${index}` }).profile)
    expect(createProfile(input, others.slice(1), at(2)).profile.isDefault).toBe(false)
    expect(() => createProfile(input, others, at(2))).toThrow(expect.objectContaining({ code: 'limit-reached' }))
  })
})
