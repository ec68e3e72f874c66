import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MintItemId } from '../../../lib/domain/core/timeline-item.ts'
import { mergeBRolls } from '../../../lib/domain/generation/b-rolls.ts'
import { mergeCaptions, webVtt } from '../../../lib/domain/generation/captions/captions.ts'
import { mergePresentationScenes, sceneWindowEndMs } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { replaceTimelines } from '../../../lib/domain/videos/edits.ts'
import { timedCaptions } from '../../support/given/videos.ts'
import { at, videoThatIs } from '../support/videos.ts'

function minting(): MintItemId {
  let count = 0
  return (prefix) => `${prefix}_${++count}`
}
const stored = {
  captions: timedCaptions('Calm mornings begin early.'),
  captionsPages: [{ id: 'pag_1', startMs: 0, endMs: 900, hidden: true, emoji: { name: 'sun' } }],
}

describe('an edit of captions', () => {
  it('leaves the omitted half unchanged', () => {
    expect(mergeCaptions(stored, { captionsPages: [] }, minting())).toEqual({ ...stored, captionsPages: [] })
    expect(mergeCaptions(stored, { captions: [] }, minting())).toEqual({ ...stored, captions: [] })
  })

  it('that equals the stored captions changes nothing', () => {
    const { captions, captionsPages } = stored
    const sent = captionsPages.map(({ emoji: _emoji, ...page }) => page)
    expect(mergeCaptions(stored, { captions, captionsPages: sent }, minting())).toEqual(stored)
  })

  it('mints an id for each item without one', () => {
    const span = { startMs: 0, endMs: 1 }
    const { captionsPages } = mergeCaptions(stored, { captionsPages: [span, { ...span, id: null }] }, minting())
    expect(captionsPages.map(({ id }) => id)).toEqual(['pag_1', 'pag_2'])
  })
})

describe('overlapping items', () => {
  const day = { startMs: 0, endMs: 24 * 60 * 60 * 1000 - 1 }
  const captions = timedCaptions('much '.repeat(3_000).trim())
  const again = expect.objectContaining({ code: 'payload-too-large' })

  it('are refused when their pages would repeat the words many times', () => {
    const edit = (pages: number) =>
      mergeCaptions(stored, { captions, captionsPages: Array(pages).fill(day) }, minting())
    expect(edit(10).captionsPages).toHaveLength(10)
    expect(() => edit(2_000)).toThrow(again)
    const narrow = captions.map(({ startMs }) => ({ startMs, endMs: startMs + 1 }))
    expect(mergeCaptions(stored, { captions, captionsPages: narrow.slice(0, 2_000) }, minting()).captions).toBeTruthy()
  })

  it('are refused when scenes without a text would repeat all of it; scenes with a text may overlap freely', () => {
    const all = { captions, presentationScenes: [] }
    const edit = (scenes: object, count: number) =>
      mergePresentationScenes({ durationSeconds: 60 }, all, Array(count).fill({ ...day, ...scenes }), minting())
    expect(edit({}, 10)).toHaveLength(10)
    expect(() => edit({}, 600)).toThrow(again)
    expect(edit({ text: 'Mine' }, 600)).toHaveLength(600)
  })
})

describe('the captions file after an edit', () => {
  const page = (startMs: number, endMs: number) => ({ id: `pag_${startMs}`, startMs, endMs, hidden: false })

  it('has its cues in chronological order, each with the words that begin in it', () => {
    expect(webVtt(stored.captions, [page(666, 1_200), page(0, 600)])).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.600\nCalm mornings\n\n00:00:00.666 --> 00:00:01.200\nbegin early.\n',
    )
  })

  it('has no cue for a page without words, and no line break in a cue', () => {
    const broken = stored.captions.map((word) => ({ ...word, punctuated_word: 'a\n\nb --> c\r\n' }))
    expect(webVtt(broken, [page(0, 300), page(5_000, 9_000)])).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.300\na b --&gt; c\n',
    )
  })
})

describe('an edit of b-rolls', () => {
  const media = { kind: 'still' as const, key: 'a.png' }
  const segment = {
    ...{ id: 'brl_1', startMs: 0, endMs: 900, text: 'Calm', prompt: 'A calm morning', keywords: ['calm'] },
    ...{ mediaType: 'ai_image' as const, hidden: true, scale: 2, media },
  }

  it('keeps the fields that a b-roll omits, above all its media', () => {
    expect(mergeBRolls([segment], [{ id: 'brl_1', startMs: 5, endMs: 6 }], minting())).toEqual([
      { ...segment, startMs: 5, endMs: 6 },
    ])
  })

  it('does not let a new b-roll take the media of another one', () => {
    const [made] = mergeBRolls([segment], [{ startMs: 5, endMs: 6, text: 'Calm' }], minting())
    expect(made).toMatchObject({ media: null, hidden: false, text: 'Calm', prompt: '' })
  })
})

describe('an edit of presentation scenes', () => {
  const video = { durationSeconds: 60 }
  const none = { captions: [], presentationScenes: [] }
  const spans = fc.array(
    fc.record({
      startMs: fc.integer({ min: -90_000, max: 90_000 }),
      endMs: fc.integer({ min: -90_000, max: 90_000 }),
    }),
  )

  it('keeps every scene within the timeline, in order, and drops only those that are empty there', () => {
    fc.assert(
      fc.property(spans, (sent) => {
        const scenes = mergePresentationScenes(video, none, sent, minting())
        expect(scenes).toHaveLength(
          sent.filter(({ startMs, endMs }) => Math.min(endMs, 60_000) > Math.max(startMs, 0)).length,
        )
        scenes.forEach(({ startMs, endMs }, index) => {
          expect(startMs).toBeGreaterThanOrEqual(scenes[index - 1]?.startMs ?? 0)
          expect(endMs).toBeLessThanOrEqual(60_000)
        })
        expect(mergePresentationScenes(video, { ...none, presentationScenes: scenes }, scenes, minting())).toEqual(
          scenes,
        )
      }),
    )
  })

  it('ends with the transcript if there is one, whatever the duration is', () => {
    expect(sceneWindowEndMs(video, stored.captions)).toBe(stored.captions.at(-1)!.endMs)
    expect(sceneWindowEndMs({ durationSeconds: null }, stored.captions)).toBe(stored.captions.at(-1)!.endMs)
    expect(sceneWindowEndMs(video, [])).toBe(60_000)
    expect(() => sceneWindowEndMs({ durationSeconds: null }, [])).toThrow(
      expect.objectContaining({ code: 'warning-source-not-ready' }),
    )
  })
})

describe('a replaced timeline', () => {
  it('is a new version of the shown content, and leaves the render and the other timelines unchanged', () => {
    const video = videoThatIs.generated()
    const after = replaceTimelines(video, { captions: 'c.json' }, at(9), { captionsKey: null }).video
    expect(after).toEqual({
      ...video,
      version: video.version + 1,
      contentVersion: video.contentVersion + 1,
      shownVersion: video.contentVersion + 1,
      timelines: { ...video.timelines, captions: 'c.json' },
      media: { ...video.media, captionsKey: null },
      updatedAt: at(9),
    })
  })
})
