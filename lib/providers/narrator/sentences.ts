/** A script is spoken sentence by sentence: engines drift within long audio and pause as they like, so both are reset at each one. */
import type { Narration } from './index.ts'
import { concatSamples, silence, wav } from './pcm.ts'
import type { Token } from './tokenise.ts'
import { fillWordTimings, type TokenSpan } from './word-timings.ts'

export interface Sentence {
  /** Spoken tokens only. */
  tokens: Token[]
  /** The rest after the sentence. */
  pauseMs: number
}

export interface SpokenSentence {
  samples: Int16Array
  /** For each token of the sentence when it is heard, counted from the first sample; null where the engine did not say. */
  spans: (TokenSpan | null)[]
}

const leadMs = 60
const tailMs = 250
const pauseMs = { sentence: 250, line: 400, none: 0 }
/** Cost of aligning grows with the square of a sentence and drift with its length; an endless one is cut here without a rest. */
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

/** The line an engine is given for a sentence. */
export const lineOf = (sentence: Sentence) => sentence.tokens.map((token) => token.spoken + token.pause).join(' ')

/** Sets the sentences down one after another with our rests between them and carries their word times along. */
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
    const rest = silence(sampleRate, index < sentences.length - 1 ? sentence.pauseMs : tailMs)
    pieces.push(samples, rest)
    length += samples.length + rest.length
  }
  const speech = concatSamples(pieces)
  const durationMs = Math.floor(toMs(speech.length))
  const words = fillWordTimings(
    tokens,
    tokens.map((token) => heard.get(token) ?? null),
    durationMs,
  )
  return { wav: wav(speech, sampleRate), durationMs, words }
}
