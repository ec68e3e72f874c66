/**
 * Splits a script into sentences for the built-in engines, and joins their audio with fixed pauses: engines drift in
 * long audio.
 */
import { encodeWav } from '../../render/sound/wav.ts'
import type { Narration } from './index.ts'
import { concatSamples, silence } from './pcm.ts'
import type { Token } from './tokenise.ts'
import { fillWordTimings, type TokenSpan } from './word-timings.ts'

export interface Sentence {
  /** Spoken tokens only. */
  tokens: Token[]
  /** Pause after the sentence. */
  pauseMs: number
}

export interface SpokenSentence {
  samples: Int16Array
  /** The span of each token from the first sample; null where the engine gives none. */
  spans: (TokenSpan | null)[]
}

const leadMs = 60
const tailMs = 250
const pauseMs = { sentence: 250, line: 400, none: 0 }
/**
 * A longer sentence is cut without a pause: the cost of alignment grows with the square of the length, and the drift
 * with the length.
 */
const sentenceTokensMax = 40

export function groupSentences(tokens: readonly Token[]): Sentence[] {
  const spoken = tokens.filter((token) => token.spoken)
  const sentences: Sentence[] = []
  let open: Token[] = []
  for (const [index, token] of spoken.entries()) {
    open.push(token)
    const ends = token.endsLine || /[.?!]/.test(token.pause)
    if (!ends && open.length < sentenceTokensMax && index < spoken.length - 1) continue
    sentences.push({ tokens: open, pauseMs: token.endsLine ? pauseMs.line : ends ? pauseMs.sentence : pauseMs.none })
    open = []
  }
  return sentences
}

/** The input of an engine for a sentence. */
export const lineOf = (sentence: Sentence) => sentence.tokens.map((token) => token.spoken + token.pause).join(' ')

/** Concatenates the sentences with pauses and shifts their word times. */
export function narrationOf(
  tokens: readonly Token[],
  sentences: readonly Sentence[],
  spoken: readonly SpokenSentence[],
  sampleRate: number,
): Narration {
  const toMs = (samples: number) => (samples * 1000) / sampleRate
  const pieces = [silence(sampleRate, leadMs)]
  let length = pieces[0]!.length
  const heard = new Map<Token, TokenSpan | null>()
  for (const [index, sentence] of sentences.entries()) {
    const { samples, spans } = spoken[index]!
    const fromMs = toMs(length)
    sentence.tokens.forEach((token, at) => {
      const span = spans[at]
      heard.set(token, span ? { startMs: span.startMs + fromMs, endMs: span.endMs + fromMs } : null)
    })
    const pause = silence(sampleRate, index < sentences.length - 1 ? sentence.pauseMs : tailMs)
    pieces.push(samples, pause)
    length += samples.length + pause.length
  }
  const speech = concatSamples(pieces)
  const durationMs = Math.floor(toMs(speech.length))
  const words = fillWordTimings(
    tokens,
    tokens.map((token) => heard.get(token) ?? null),
    durationMs,
  )
  return { wav: encodeWav({ samples: speech, sampleRate }), durationMs, words }
}
