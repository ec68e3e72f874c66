/**
 * Splits a script into sentences for the built-in engines, and joins their audio with a rest by its mark: engines drift
 * in long audio.
 */
import { encodeWav } from '../../render/sound/wav.ts'
import type { Narration } from './index.ts'
import { concatSamples, silence } from './pcm.ts'
import type { Mark, Token } from './tokenise.ts'
import { fillWordTimings, type TokenSpan } from './word-timings.ts'

export interface Sentence {
  /** Spoken tokens only. */
  tokens: Token[]
  /** Silence between its last word and the next one. */
  restMs: number
}

export interface SpokenSentence {
  samples: Int16Array
  /** The span of each token from the first sample; null where the engine gives none. */
  spans: (TokenSpan | null)[]
}

const leadMs = 60
const tailMs = 250
/** Silence after a word by the mark that follows it. */
const restsMs: Record<Mark, number> = {
  '': 0,
  ',': 180,
  ';': 260,
  '–': 260,
  ':': 300,
  '.': 360,
  '!': 340,
  '?': 440,
  '…': 440,
}
const [lineRestMs, paragraphRestMs] = [460, 550]
/** A reader breathes in after a long sentence and passes on after a short one: by up to this share of the rest. */
const breathShare = 0.15
/** The length in words of a sentence with the usual rest. */
const usualTokens = 10
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
    sentences.push({ tokens: open, restMs: ends ? restAfter(open) : 0 })
    open = []
  }
  return sentences
}

function restAfter(tokens: readonly Token[]): number {
  const { mark, endsLine, endsParagraph } = tokens.at(-1)!
  if (endsParagraph) return paragraphRestMs
  if (endsLine) return lineRestMs
  const breath = Math.max(-1, Math.min(1, (tokens.length - usualTokens) / usualTokens))
  return Math.round(restsMs[mark] * (1 + breathShare * breath))
}

/** Silence after a token inside a sentence; null where the engine decides. */
export const innerRestMs = ({ pause, mark }: Token): number | null => (pause === ',' ? restsMs[mark] : null)

/** The input of an engine for a sentence. */
export const lineOf = (sentence: Sentence) => sentence.tokens.map((token) => token.spoken + token.pause).join(' ')

/**
 * Concatenates the sentences with their rests and shifts their word times. `marginMs`: the silence on each side of the
 * words of a sentence in `spoken`.
 */
export function narrationOf(
  tokens: readonly Token[],
  sentences: readonly Sentence[],
  spoken: readonly SpokenSentence[],
  sampleRate: number,
  marginMs = 0,
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
    const restMs = index < sentences.length - 1 ? Math.max(0, sentence.restMs - 2 * marginMs) : tailMs
    const rest = silence(sampleRate, restMs)
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
  return { wav: encodeWav({ samples: speech, sampleRate }), durationMs, words }
}
