/** Edits of b-roll segments: what a segment with a known id keeps, and what a picture of the client replaces. */
import { describe, expect, it } from 'vitest'
import { mergeBRolls, type StoredBRoll, withOwnPicture } from '../../../lib/domain/generation/b-rolls.ts'
import { refusalCodeOf } from '../../support/refusals.ts'

const segment: StoredBRoll = {
  ...{ id: 'brl_1', startMs: 0, endMs: 900, text: 'Sea', prompt: 'A sea', keywords: ['sea'], mediaType: 'ai_video' },
  ...{ hidden: true, animation: 'pan', media: { kind: 'clip', key: 'a.mp4', credit: 'Footage: Ann' } },
}
const other: StoredBRoll = { ...segment, id: 'brl_2', startMs: 900, endMs: 1_800 }
const mint = (prefix: string) => `${prefix}_new`

describe('the segments after an edit', () => {
  it('are those that were sent, each over the stored one with its id', () => {
    const sent = [{ id: 'brl_2', startMs: 5, endMs: 95, prompt: 'A lake' }]
    expect(mergeBRolls([segment, other], sent, mint)).toEqual([{ ...other, startMs: 5, endMs: 95, prompt: 'A lake' }])
    expect(mergeBRolls([segment, other], [], mint)).toEqual([])
  })

  it.each([
    [{}, 'brl_new'],
    [{ id: null }, 'brl_new'],
    [{ id: 'brl_9' }, 'brl_9'],
  ])('are blank where they are new: %j', (id, expected) => {
    expect(mergeBRolls([segment], [{ ...id, startMs: 0, endMs: 9 }], mint)).toEqual([
      {
        ...{ id: expected, startMs: 0, endMs: 9, text: '', prompt: '', keywords: [] },
        ...{ mediaType: 'ai_image', hidden: false, media: null },
      },
    ])
  })
})

describe('a picture of the client', () => {
  it('replaces the media of its segment, and what described it', () => {
    const presented: StoredBRoll = {
      ...other,
      qualityUrls: { hd: 'u' },
      presenter: { imageUrl: 'u', avatarId: 'a', name: 'A', bytes: 1, generatedAt: 'now' },
    }
    const after = withOwnPicture([segment, presented], 'brl_2', 'own.png')
    expect(after.segment).toEqual({ ...other, media: { kind: 'still', key: 'own.png' } })
    expect(after.bRolls).toEqual([segment, after.segment])
  })

  it('needs a segment', () => {
    expect(refusalCodeOf(() => withOwnPicture([segment], 'brl_9', 'own.png'))).toBe('not-found')
  })
})
