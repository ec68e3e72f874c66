/** The contract of every director. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { TimedWord } from '../../lib/domain/core/timeline-item.ts'
import { presentationScene, tones } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import type { Director } from '../../lib/providers/director/index.ts'

export const timedWords = (text: string, wordMs = 400): TimedWord[] =>
  text.split(/\s+/).map((word, index) => ({ text: word, startMs: index * wordMs, endMs: (index + 1) * wordMs - 40 }))

const talk =
  'Honey never spoils. Jars of it were found in tombs of Egypt, 3000 years old and still sweet. First bees gather nectar. Then they dry it. ' +
  'Finally they seal it with wax. Sugar keeps water away, but light makes it dark. Keep yours in a dry place. “It is the taste of summer,” ' +
  'said my grandmother. Try a spoon of it tonight.'
const wish = { words: timedWords(talk), mood: null, tone: null, assets: [], seed: 'vid_1/run_1' }

export function directorSuite(name: string, make: () => Director, { skip = false } = {}): void {
  describe.skipIf(skip)(`the director ${name}`, () => {
    it('has a stable name', () => {
      expect(make().id).toMatch(/^[a-z-]+-\d+(?:\/.+)?$/)
      expect(make().id).toBe(make().id)
    })

    it('covers the speech from 0 to the end of the last word with scenes that can be drawn', async () => {
      const scenes = await make().cut(wish)
      expect(scenes.length).toBeGreaterThan(3)
      scenes.forEach((scene, index) => {
        expect(v.safeParse(presentationScene, { id: 'psc_1', ...scene }).issues).toBeUndefined()
        expect(scene.startMs).toBe(scenes[index - 1]?.endMs ?? 0)
        expect(scene.text).toContain(scene.emphasis)
        expect(scene.visual.anchors.length).toBeLessThanOrEqual(scene.visual.items)
        expect(JSON.stringify(scene.content)).toMatch(/\p{L}/u)
      })
      expect(scenes.map(({ text }) => text).join(' ')).toBe(talk)
      expect(scenes.at(-1)!.endMs).toBe(wish.words.at(-1)!.endMs)
    })

    it.each(tones)('begins with the tone %s if it is requested', async (tone) => {
      expect((await make().cut({ ...wish, tone }))[0]?.tone).toBe(tone)
    })

    it('makes no scenes without speech', async () => {
      expect(await make().cut({ ...wish, words: [] })).toEqual([])
    })
  })
}
