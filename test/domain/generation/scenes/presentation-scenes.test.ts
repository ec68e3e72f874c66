/** The scenes of a presentation after an edit. */
import { describe, expect, it } from 'vitest'
import { type CaptionWord, toCaptionWords } from '../../../../lib/domain/generation/captions/captions.ts'
import {
  mergePresentationScenes,
  refuseTranscript,
  sceneWindowEndMs,
  transcriptEndMs,
} from '../../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { refusalCodeOf } from '../../../support/refusals.ts'

const captions = toCaptionWords(
  ['Calm', 'mornings', 'begin', 'early.'].map((text, index) => ({
    text,
    startMs: 1_000 * index,
    endMs: 1_000 * index + 900,
  })),
  (index) => `cap_${index}`,
)
const merge = (
  stored: Parameters<typeof mergePresentationScenes>[1]['presentationScenes'],
  ...sent: Parameters<typeof mergePresentationScenes>[2]
) =>
  mergePresentationScenes(
    { durationSeconds: 4 },
    { captions, presentationScenes: stored },
    sent,
    (prefix) => `${prefix}_new`,
  )

describe('an edited presentation', () => {
  it('mints an id for a scene without one, and fills what it lacks from the transcript', () => {
    expect(merge([], { startMs: 0, endMs: 2_000 })).toMatchObject([
      { id: 'psc_new', startMs: 0, endMs: 2_000, text: 'Calm mornings', hidden: false },
    ])
  })

  it('keeps an unknown id, and the stored fields of a known one', () => {
    const [stored] = merge([], { id: 'psc_1', startMs: 0, endMs: 2_000, text: 'Own words' })
    const [kept, added] = merge(
      [stored!],
      { id: 'psc_1', startMs: 0, endMs: 1_000 },
      { id: 'psc_2', startMs: 1_000, endMs: 2_000 },
    )
    expect(kept).toEqual({ ...stored, endMs: 1_000 })
    expect(added).toMatchObject({ id: 'psc_2', text: 'mornings' })
  })

  it('is sorted, clamped to the transcript, and without scenes outside it', () => {
    const sent = [
      { id: 'late', startMs: 3_900, endMs: 5_000 },
      { id: 'end', startMs: 3_000, endMs: 9_000 },
      { id: 'begin', startMs: -500, endMs: 900 },
      { id: 'early', startMs: -500, endMs: 0 },
    ]
    expect(merge([], ...sent).map(({ id, startMs, endMs }) => [id, startMs, endMs])).toEqual([
      ['begin', 0, 900],
      ['end', 3_000, 3_900],
    ])
  })

  it('ends with the transcript; without one with the video, whose length has to be known', () => {
    expect(sceneWindowEndMs({ durationSeconds: 60 }, captions)).toBe(3_900)
    expect(sceneWindowEndMs({ durationSeconds: 12.5 }, [])).toBe(12_500)
    expect(() => sceneWindowEndMs({ durationSeconds: null }, [])).toThrow('neither a transcript nor a duration')
  })

  it('follows a transcript of at most 80,000 characters', () => {
    const words = (length: number) => [{ ...captions[0]!, punctuated_word: 'a'.repeat(length) }]
    const codeOf = (words: CaptionWord[]) => refusalCodeOf(() => refuseTranscript(words))
    expect(codeOf([])).toBe('warning-source-not-ready')
    expect([codeOf(words(79_999)), codeOf(words(80_000))]).toEqual([undefined, 'warning-invalid-input'])
  })

  it('ends with the last word, whatever the order of the words is', () => {
    expect(transcriptEndMs([{ endMs: 5 }, { endMs: 9 }, { endMs: 7 }])).toBe(9)
    expect(transcriptEndMs([])).toBeUndefined()
  })

  it('has headings where nothing else was chosen', () => {
    expect(merge([], { startMs: 0, endMs: 900 })[0]).toEqual({
      ...{ id: 'psc_new', startMs: 0, endMs: 900, text: 'Calm', emphasis: '', template: 'heroTitle', tone: 'light' },
      ...{ caption: 'show', hidden: false, visual: { type: 'none', items: 0, anchors: [] } },
      ...{ content: {}, params: {}, direction: {}, composed: {} },
    })
  })
})
