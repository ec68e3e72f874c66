/** The built-in narrator, beyond the contract of every narrator (`narrator-suite.ts`). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderRejected } from '../../lib/domain/core/failures.ts'
import { builtInVoices, defaultVoice, findVoice, languagesOf } from '../../lib/domain/videos/voices.ts'
import { builtInNarrator } from '../../lib/providers/narrator/built-in.ts'
import { espeakInstalled, espeakPackage } from '../../lib/providers/narrator/espeak.ts'
import { volume } from '../support/fuzz/volume.ts'
import { expectSpoken } from './narrator-suite.ts'
import { onsetErrors } from './onsets.ts'

const clara = findVoice(builtInVoices, 'en-clara')!
const lucia = findVoice(builtInVoices, 'es-lucia')!
const plain =
  'Most people think success comes from one big breakthrough. It is really built out of small habits that you repeat every day. ' +
  'Start with a glass of water, write down three goals, and work on the first one for an hour.'
const espeakIt = it.runIf(espeakInstalled())

/** Words, numbers, markup, emoji, addresses and other marks of real prompts, in any order and with any white space. */
const awkward = fc.constantFrom(
  ...[
    'hello',
    "don't",
    '3,000',
    '$5',
    '%',
    '20%',
    '–',
    '-',
    '😀',
    '👍🏽',
    '"quoted"',
    'https://a.b.com/x?y=1',
    'NASA',
    'e.g.',
    'Mr.',
  ],
  ...[
    '<b>bold</b>',
    '&',
    '**x**',
    '#',
    '`code`',
    '[a](http://x.y)',
    '10:30',
    '...',
    '1.5',
    'café',
    '日本',
    '½',
    'me@x.com',
    '½x',
    'ß',
  ],
  ...[
    'U.S.A.',
    'a/b',
    '€20',
    "rock'n'roll",
    '\\n',
    '12345678901234567890',
    'x'.repeat(120),
    ':',
    'A:',
    '!!!',
    'Привет',
    '1️⃣',
    '</p>',
    '“so”',
  ],
)
const awkwardScript = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 4, arbitrary: awkward },
        { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }) },
      ),
      fc.constantFrom(' ', ' ', '\n', '\n\n', '\t', '. ', ', '),
    ),
    { minLength: 1, maxLength: volume(20, 40) },
  )
  .map((parts) => `Begin ${parts.flat().join('')}`)

describe.concurrent('a narration', () => {
  it('contains every token of any script, in order, inside the audio', async () => {
    await fc.assert(
      fc.asyncProperty(awkwardScript, async (script) =>
        expectSpoken(await builtInNarrator.narrate(script, clara), script),
      ),
      { numRuns: volume(4, 10), seed: 7 },
    )
  })

  espeakIt('holds every token in another language too', async () => {
    await fc.assert(
      fc.asyncProperty(awkwardScript, async (script) =>
        expectSpoken(await builtInNarrator.narrate(script, lucia), script),
      ),
      { numRuns: volume(2, 5), seed: 8 },
    )
  })

  it('is deterministic to the byte, at about 175 words a minute', async () => {
    const [one, other] = await Promise.all([
      builtInNarrator.narrate(plain, clara),
      builtInNarrator.narrate(plain, clara),
    ])
    expect(Buffer.from(one.wav).equals(Buffer.from(other.wav))).toBe(true)
    expect(one.words).toEqual(other.words)
    const pace = (one.words.length / one.durationMs) * 60_000
    expect(pace).toBeGreaterThan(165)
    expect(pace).toBeLessThan(190)
  })

  it.each(['en-miles', 'en-angus'])('by %s says when a word is heard, within 80 ms', async (id) => {
    const errors = onsetErrors(await builtInNarrator.narrate(plain, findVoice(builtInVoices, id)!))
    expect(errors.length).toBeGreaterThan(3)
    for (const error of errors) expect(Math.abs(error)).toBeLessThan(80)
  })

  it('gives a silent token the pause after the word before it, and no more', async () => {
    const { words } = await builtInNarrator.narrate('One – two 😀 three.', clara)
    expect(words.map((word) => word.text)).toEqual(['One', '–', 'two', '😀', 'three.'])
    expect(words[1]!.startMs).toBe(words[0]!.endMs)
    expect(words[3]!.endMs - words[3]!.startMs).toBeLessThanOrEqual(120)
  })

  it('rests by the mark: briefly after a comma, longest before a new paragraph', async () => {
    const text = 'We need sleep, as you know – and light: both help. Why now? It works! Try it.\n\nThen rest.'
    const { words } = await builtInNarrator.narrate(text, clara)
    const restAfter = (written: string) => {
      const at = words.findIndex((word) => word.text === written)
      const next = words.findIndex((word, index) => index > at && /\p{L}/u.test(word.text))
      return words[next]!.startMs - words[at]!.endMs
    }
    const rests = ['sleep,', 'know', 'light:', 'help.', 'now?', 'it.'].map(restAfter)
    for (const [index, ms] of [180, 260, 300, 370, 390, 550].entries())
      expect(Math.abs(rests[index]! - ms)).toBeLessThanOrEqual(20)
  })

  it('keeps the written words, on time, where others are spoken', async () => {
    const text =
      'At 7:30 a.m. on 12/25/2024, call 555-123-4567. Then ask ChatGPT about CO2! Mail me@example.com, or dial (555) 123-4567. Dr. Smith is #1.'
    const narration = await builtInNarrator.narrate(text, clara)
    expectSpoken(narration, text)
    const errors = onsetErrors(narration)
    expect(errors.length).toBeGreaterThan(4)
    for (const error of errors) expect(Math.abs(error)).toBeLessThan(80)
    const number = narration.words.find((word) => word.text === '555-123-4567.')!
    expect(number.endMs - number.startMs).toBeGreaterThan(2000)
  })

  it('of a single word is short', async () => {
    const { durationMs, words } = await builtInNarrator.narrate('Hello', clara)
    expect(words).toHaveLength(1)
    expect(durationMs).toBeLessThan(1500)
  })

  const minutes = volume(1, 10)
  it(`of ${minutes} min stays in sync to the end and does not block its caller`, async () => {
    const script = `${plain} `.repeat(4 * minutes)
    let lateMs = 0
    const begin = performance.now()
    let before = begin
    const pulse = setInterval(() => {
      lateMs = Math.max(lateMs, performance.now() - before - 10)
      before = performance.now()
    }, 10)
    const narration = await builtInNarrator.narrate(script, clara)
    clearInterval(pulse)
    expectSpoken(narration, script)
    expect(narration.durationMs).toBeGreaterThan(54_000 * minutes)
    const errors = onsetErrors(narration).slice(-20)
    for (const error of errors) expect(Math.abs(error)).toBeLessThan(80)
    // Speech synthesis is nearly all of the work: a blocked caller would be late by nearly all of its duration.
    expect(lateMs).toBeLessThan((before - begin) / 2)
  })

  it.each([
    [
      '日本語の本は2024年',
      'The text is in Japanese, which the voice en-clara (English) cannot speak. No built-in voice',
    ],
    ['Это правда.', 'The text is in Russian, which the voice en-clara (English) cannot speak. No built-in voice'],
    [
      '你好',
      'The text is in Chinese, which the voice en-clara (English) cannot speak. Choose a voice of that language',
    ],
    ['नमस्ते', 'such as hi-asha.'],
    ['ሰላም', 'The text is in a language of another writing system'],
  ])('of "%s" by an English voice is refused with the language and what to choose', async (script, message) => {
    const narration = builtInNarrator.narrate(script, clara)
    await expect(narration).rejects.toThrow(ProviderRejected)
    await expect(narration).rejects.toThrow(message)
  })

  it('of an English text that names a place in Japanese is spoken', async () => {
    const text = 'Tokyo is written 東京.'
    expectSpoken(await builtInNarrator.narrate(text, clara), text)
  })

  it.runIf(!espeakInstalled())('in another language is refused with the name of the missing package', async () => {
    await expect(builtInNarrator.narrate('Hola', lucia)).rejects.toThrow(espeakPackage)
  })
})

describe('the voices', () => {
  it('have unique ids, and every language has a default', () => {
    expect(new Set(builtInVoices.map((voice) => voice.id)).size).toBe(builtInVoices.length)
    for (const language of languagesOf(builtInVoices))
      expect(defaultVoice(builtInVoices, language)?.language).toBe(language)
    expect(defaultVoice(builtInVoices, 'en')?.id).toBe('en-clara')
    expect(defaultVoice(builtInVoices, 'tlh')).toBeUndefined()
  })

  it.skipIf(!espeakInstalled())(`all speak (the ones of ${espeakPackage} only if it is installed)`, async () => {
    const words: Record<string, string> = { hi: 'नमस्ते दुनिया', ko: '안녕하세요 세계', zh: '你好 世界' }
    const spoken = await Promise.all(
      builtInVoices
        .filter((voice) => voice.engine === 'espeak')
        // Each voice is a separate process; every part of the list includes the voices of three non-Latin scripts.
        .filter((voice, place) => voice.language in words || place % volume(6, 1) === 0)
        .map((voice) => builtInNarrator.narrate(words[voice.language] ?? 'Radio Europa', voice)),
    )
    for (const { words: heard, durationMs } of spoken) {
      expect(heard).toHaveLength(2)
      expect(durationMs).toBeGreaterThan(700)
    }
  })
})
