/** Identifiers that must not be forged, guessed or duplicated: API keys, ids and artefact keys. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { artefactKey, artefactName, videoIdOfKey, videoIndexKey } from '../../../lib/domain/core/artefact.ts'
import { deterministicId, deterministicIdAt, firstIdAt, isWellFormedId } from '../../../lib/domain/core/id.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { hashApiKey, isWellFormedApiKey, mintApiKey } from '../../../lib/domain/workspaces/api-key.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  it('is well formed and unique', () => {
    const keys = Array.from({ length: 1_000 }, mintApiKey)
    expect(keys.filter((key) => !isWellFormedApiKey(key))).toEqual([])
    expect(new Set(keys).size).toBe(1_000)
    expect(keys[0]).toMatch(/^rs_live_[0-9A-Za-z]{49}$/)
  })

  it('is rejected with any one character changed, at every position and to every letter', () => {
    const key = mintApiKey()
    const accepted = Array.from(key).flatMap((character, index) =>
      Array.from(`${base62}_-. `)
        .filter((other) => other !== character)
        .map((other) => key.slice(0, index) + other + key.slice(index + 1))
        .filter(isWellFormedApiKey),
    )
    expect(accepted).toEqual([])
  })

  it('is rejected with two neighbours swapped, one character less or more, or surrounding space', () => {
    const key = mintApiKey()
    const swapped = Array.from(key).map(
      (_, index) => key.slice(0, index) + (key[index + 1] ?? '') + key[index] + key.slice(index + 2),
    )
    const wrong = [
      ...swapped.filter((other) => other !== key),
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
    ]
    expect(wrong.filter(isWellFormedApiKey)).toEqual([])
  })

  it('is not matched by chance: none of 10,000 random texts of its shape is valid', () => {
    const shape = fc
      .string({ unit: fc.constantFrom(...base62), minLength: 49, maxLength: 49 })
      .map((text) => `rs_live_${text}`)
    expect(fc.sample(shape, { numRuns: 10_000, seed: 1 }).filter(isWellFormedApiKey)).toEqual([])
    expect(fc.sample(fc.string({ unit: 'binary' }), { numRuns: 10_000, seed: 1 }).filter(isWellFormedApiKey)).toEqual(
      [],
    )
  })

  it('is stored only as a hash', () => {
    const key = mintApiKey()
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashApiKey(key)).toBe(hashApiKey(key))
  })
})

describe('an id', () => {
  const times = fc.integer({ min: 0, max: 2 ** 43 }).map((ms) => new Date(ms).toISOString())

  it('shows its kind and is valid wherever an id may be used', () => {
    expect(mintId('vid', '2026-11-02T09:00:00.000Z')).toMatch(/^vid_[0-9a-hjkmnp-tv-z]{26}$/)
    expect(deterministicId('evt', 'a', 'b')).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/)
  })

  it('is told from any other text by its form', () => {
    const id = mintId('wsp', '2026-11-02T09:00:00.000Z')
    expect(isWellFormedId('wsp', id)).toBe(true)
    for (const other of [
      '',
      'wsp',
      'wsp_1',
      `${id}0`,
      ` ${id}`,
      `${id}\n`,
      id.replace('wsp', 'vid'),
      id.replace(/.$/, '#'),
    ])
      expect(isWellFormedId('wsp', other), other).toBe(false)
  })

  it('sorts by creation time', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        fc.pre(a < b)
        expect(mintId('vid', a) < mintId('vid', b)).toBe(true)
      }),
    )
  })

  it('is unique', () => {
    const ids = Array.from({ length: 1_000 }, () => mintId('vid', '2026-11-02T09:00:00.000Z'))
    expect(new Set(ids).size).toBe(1_000)
  })

  it('of a time lies between the bounds of that time and of the next one', () => {
    const [time, next] = ['2026-11-02T09:00:00.000Z', '2026-11-02T09:00:00.001Z']
    for (const id of [mintId('vid', time), deterministicIdAt('vid', time, 'a')])
      expect(firstIdAt('vid', time) < id && id < firstIdAt('vid', next)).toBe(true)
    expect(firstIdAt('vid', '1970-01-01T00:00:00.033Z')).toBe('vid_0000000011')
  })

  it('of an effect at a time is computed from both', () => {
    const [time, next] = ['2026-11-02T09:00:00.000Z', '2026-11-02T09:00:00.001Z']
    const id = deterministicIdAt('run', time, 'a', 'b')
    expect(id).toMatch(/^run_[0-9a-hjkmnp-tv-z]{26}$/)
    expect(deterministicIdAt('run', time, 'a', 'b')).toBe(id)
    expect([deterministicIdAt('run', next, 'a', 'b'), deterministicIdAt('run', time, 'ab')]).not.toContain(id)
  })

  it('of an effect is computed from its cause alone', () => {
    expect(deterministicId('run', 'run_1', 'render')).toBe(deterministicId('run', 'run_1', 'render'))
    const others = [
      deterministicId('run', 'run_1', 'rende', 'r'),
      deterministicId('run', 'run_1render'),
      deterministicId('run', 'run_2', 'render'),
    ]
    expect(others).not.toContain(deterministicId('run', 'run_1', 'render'))
  })
})

describe('an artefact key', () => {
  const workspace = { id: 'wsp_1', mediaSecret: 'one' }
  const keyOf = (inputs: unknown, of = { workspace, videoId: 'vid_1' }) => artefactKey(of, 'scripts', inputs, 'json')

  it('consists of the video, the kind and 128 bits of the hash of its inputs', () => {
    expect(keyOf({ a: 1 })).toMatch(/^wsp_1\/vid_1\/scripts\/[0-9a-f]{32}\.json$/)
  })

  it('is the same for the same inputs, and differs for others', () => {
    expect(keyOf(['a', 1])).toBe(keyOf(['a', 1]))
    const others = [
      keyOf(['a', '1']),
      keyOf(['a']),
      artefactKey({ workspace, videoId: 'vid_1' }, 'plans', ['a', 1], 'json'),
    ]
    expect(new Set([keyOf(['a', 1]), ...others.map((key) => key.replace('plans', 'scripts'))]).size).toBe(4)
  })

  it("cannot be computed without the workspace's secret", () => {
    expect(keyOf(['a'], { workspace: { id: 'wsp_1', mediaSecret: 'two' }, videoId: 'vid_1' })).not.toBe(keyOf(['a']))
  })

  it('names the video and, relative to it, the object', () => {
    const owner = { workspace, videoId: 'vid_1' }
    expect(videoIdOfKey(keyOf(['a']))).toBe('vid_1')
    expect(videoIdOfKey('wsp_1')).toBe('')
    expect(artefactName(owner, 'wsp_1/vid_1/scripts/a.json')).toBe('scripts/a.json')
    for (const other of ['wsp_1/vid_12/scripts/a.json', 'wsp_2/vid_1/scripts/a.json', 'a/wsp_1/vid_1/'])
      expect(() => artefactName(owner, other)).toThrow(/does not belong to vid_1/)
  })

  it('of the video index belongs to no video, and cannot be guessed', () => {
    expect(videoIndexKey(workspace)).toMatch(/^wsp_1\/library\/[0-9a-f]{32}\.json\.gz$/)
    expect(videoIndexKey({ ...workspace, mediaSecret: 'two' })).not.toBe(videoIndexKey(workspace))
  })
})
