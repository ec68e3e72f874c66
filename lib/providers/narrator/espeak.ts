/**
 * Narrator by espeak-ng, an optional GPL package that runs in a separate process. Word times come from the engine's
 * events.
 */
import { createRequire } from 'node:module'
import { ProviderRejected } from '../../domain/core/failures.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { runEngine } from './engine-process.ts'
import type { Narrator } from './index.ts'
import { audibleRange, pcmSamples } from './pcm.ts'
import { groupSentences, lineOf, narrationOf, type Sentence, type SpokenSentence } from './sentences.ts'
import { tokenise } from './tokenise.ts'
import type { TokenSpan } from './word-timings.ts'

export const espeakPackage = '@echogarden/espeak-ng-emscripten'

/** Words a minute as espeak counts them, without pauses: each language matches the speed of the English voices. */
const rates: Record<string, number> = { fr: 165, hi: 165, pl: 195, zh: 200 }
const defaultRate = 180

/** A word, a sound or a silence that begins at `atMs`; `position` counts code points of the line from 1. */
interface Mark {
  kind: 'word' | 'sound' | 'silence'
  position: number
  atMs: number
}

interface Facts {
  sampleRate: number
  lines: { samples: number; marks: Mark[] }[]
}

export const espeakNarrator: Pick<Narrator, 'narrate'> = {
  async narrate(text, voice) {
    if (!espeakInstalled()) {
      throw new Error(`The voice ${voice.id} needs the npm package ${espeakPackage}, which is not installed.`)
    }
    const tokens = tokenise(text, voice.language)
    const sentences = groupSentences(tokens)
    if (sentences.length === 0) throw new ProviderRejected('The script contains nothing to speak.')
    const request = {
      lines: sentences.map(lineOf),
      voice: voice.engineVoice,
      rate: rates[voice.language] ?? defaultRate,
      pitch: pitchOf(voice),
    }
    const { facts, audio } = await runEngine<Facts>(new URL('./espeak-process.ts', import.meta.url), request)
    const samples = pcmSamples(audio)
    let from = 0
    const spoken = sentences.map((sentence, index) => {
      const line = facts.lines[index]!
      const piece = samples.subarray(from, from + line.samples)
      from += line.samples
      return cut(piece, facts.sampleRate, sentence, line.marks)
    })
    return narrationOf(tokens, sentences, spoken, facts.sampleRate)
  },
}

/** Whether the optional package is installed. */
export function espeakInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(espeakPackage)
    return true
  } catch {
    return false
  }
}

const pitchOf = (voice: Voice) => (voice.gender === 'female' ? 52 : 42)

/** Trims the engine's silence around a sentence. */
function cut(samples: Int16Array, sampleRate: number, sentence: Sentence, marks: readonly Mark[]): SpokenSentence {
  const [first, last] = audibleRange(samples)
  const shiftMs = (first * 1000) / sampleRate
  return {
    samples: samples.subarray(first, last),
    spans: heardSpans(sentence, marks).map(
      (span) => span && { startMs: span.startMs - shiftMs, endMs: span.endMs - shiftMs },
    ),
  }
}

/** A number has several word marks: the first one starts the token, the last silence before the next word ends it. */
function heardSpans(sentence: Sentence, marks: readonly Mark[]): (TokenSpan | null)[] {
  const ends = tokenEnds(sentence)
  const spans: (TokenSpan | null)[] = ends.map(() => null)
  let at = 0
  let sounding = false
  for (const mark of marks) {
    if (mark.kind === 'word') {
      const found = ends.findIndex((end, index) => index >= at && mark.position <= end)
      if (found < 0) continue
      const before = spans[at]
      if (found > at && before && sounding) before.endMs = mark.atMs
      at = found
      spans[at] ??= { startMs: mark.atMs, endMs: mark.atMs }
      sounding = true
    } else {
      // In Korean the first word of a sentence has no mark.
      if (mark.kind === 'sound') spans[at] ??= { startMs: mark.atMs, endMs: mark.atMs }
      const span = spans[at]
      // A stop consonant is silent too: a silence only ends the word when no sound follows it.
      if (mark.kind === 'silence' && sounding && span) span.endMs = mark.atMs
      sounding = mark.kind === 'sound'
    }
  }
  return spans
}

/** For each token its last code point in the line. */
function tokenEnds({ tokens }: Sentence): number[] {
  let length = -1
  return tokens.map((token) => {
    length += 1 + Array.from(token.spoken + token.pause).length
    return length
  })
}
