/** The contract of every narrator. */
import { describe, expect, it } from 'vitest'
import { ProviderRejected } from '../../lib/domain/core/failures.ts'
import type { Voice } from '../../lib/domain/videos/voices.ts'
import type { Narration, Narrator } from '../../lib/providers/narrator/index.ts'
import { onsetErrors } from './onsets.ts'

export interface NarratorUnderTest {
  make: () => Narrator
  voice: Voice
  /** A voice that speaks Spanish. */
  spanish: Voice
  /** The length in characters of a text that takes more than one order. */
  longText: number
  skip?: boolean
}

const plain =
  'Most people think success comes from one big breakthrough. It is really built out of small habits that you repeat every day. ' +
  'Start with a glass of water, write down three goals, and work on the first one for an hour.'
const awkward =
  'Begin **bold** – "quoted" 3,000 $5 20% 😀 👍🏽 https://a.b.com/x?y=1 don\'t e.g. Mr. & café\n\n# ½ U.S.A. a/b 10:30 … ' +
  `<b>so</b> [a](http://x.y) ${'x'.repeat(120)} 1️⃣ end`
const spanishText = '¿Qué pasó después? El año pasado, mañana y pingüino: él comió jamón. ¡Así fue!'

export const splitWords = (text: string) => text.split(/\s+/).filter(Boolean)

/** Every token once and in order, without overlaps, inside the sound. */
export function expectSpoken({ wav, durationMs, words }: Narration, text: string): void {
  expect(words.map((word) => word.text)).toEqual(splitWords(text))
  let clock = 0
  for (const { startMs, endMs } of words) {
    expect(Number.isInteger(startMs) && Number.isInteger(endMs)).toBe(true)
    expect(startMs).toBeGreaterThanOrEqual(clock)
    expect(endMs).toBeGreaterThanOrEqual(startMs)
    clock = endMs
  }
  expect(clock).toBeLessThanOrEqual(durationMs)
  const bytes = Buffer.from(wav)
  expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).toBe('RIFFWAVE')
  const seconds = (bytes.length - 44) / 2 / bytes.readUInt32LE(24)
  expect(Math.abs(seconds * 1000 - durationMs)).toBeLessThanOrEqual(1)
}

export function expectOnTime(narration: Narration, onsetsMin: number): void {
  const errors = onsetErrors(narration).slice(-20)
  expect(errors.length).toBeGreaterThanOrEqual(onsetsMin)
  for (const error of errors) expect(Math.abs(error)).toBeLessThan(80)
}

export function narratorSuite(name: string, { make, voice, spanish, longText, skip = false }: NarratorUnderTest): void {
  describe.skipIf(skip).concurrent(`the narrator ${name}`, () => {
    it('has a stable name', () => {
      expect(make().id).toMatch(/^[a-z-]+-\d+(?:\/.+)?$/)
      expect(make().id).toBe(make().id)
    })

    it('says when each word is heard, within 80 ms', async () => {
      const narration = await make().narrate(plain, voice)
      expectSpoken(narration, plain)
      expectOnTime(narration, 3)
    })

    it('keeps every token of any form', async () => {
      expectSpoken(await make().narrate(awkward, voice), awkward)
    })

    it('counts letters outside ASCII as one', async () => {
      const narration = await make().narrate(spanishText, spanish)
      expectSpoken(narration, spanishText)
      expectOnTime(narration, 2)
    })

    it('joins the parts of a long text without a gap in time', async () => {
      const text = `${plain} `.repeat(Math.ceil(longText / plain.length)).trim()
      const narration = await make().narrate(text, voice)
      expectSpoken(narration, text)
      expectOnTime(narration, 3)
    })

    it.each(['😀', '— …', '** **'])('refuses "%s", which contains nothing to speak', async (text) => {
      await expect(make().narrate(text, voice)).rejects.toThrow(ProviderRejected)
    })
  })
}
