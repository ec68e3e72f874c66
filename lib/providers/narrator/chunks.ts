/**
 * A script as vendors' voices are given it: in parts that end with a sentence and are no longer than one order may be. Whatever the
 * vendor tells by its place in a part is found again by token.
 */
import { ProviderRejected } from '../../domain/core/failures.ts'
import type { Narration, StoreChunk } from './index.ts'
import { audibleRange, concatSamples, pcmSamples, wav } from './pcm.ts'
import { isRunaway, type Token, tokenise } from './tokenise.ts'
import { fillWordTimings, type TokenSpan } from './word-timings.ts'

export interface TextChunk {
  tokens: Token[]
  /** What the vendor is given: plain words, without markup and emoji. */
  text: string
  /** Where each token stands in `text`, its end excluded; null where it is silent. */
  places: ([start: number, end: number] | null)[]
}

/** What a vendor made of a part. */
export interface SpokenChunk {
  samples: Int16Array
  sampleRate: number
  /** When each token is heard, as far as the vendor tells: it may begin or end in silence. */
  spans: (TokenSpan | null)[]
}

interface ChunkedNarrationInput {
  text: string
  language: string
  /** Characters of one order. */
  lengthMax: number
  /** Not always used: a part may have been kept. The texts are those of the parts beside it. */
  speak: (part: TextChunk, before: string, after: string) => Promise<SpokenChunk>
  keepPart: StoreChunk | undefined
}

const wavHeaderBytes = 44

/** Speaks part after part and joins them without a gap. */
export async function narrateInChunks({
  text,
  language,
  lengthMax,
  speak,
  keepPart,
}: ChunkedNarrationInput): Promise<Narration> {
  const tokens = tokenise(text, language)
  if (!tokens.some(({ spoken }) => spoken)) throw new ProviderRejected('The script holds nothing that can be spoken.')
  const parts = chunksOf(tokens, lengthMax)
  const narrations: Narration[] = []
  for (const [index, part] of parts.entries()) {
    const [before, after] = [parts[index - 1]?.text ?? '', parts[index + 1]?.text ?? '']
    const narrate = async () => narrationOf(part, await speak(part, before, after))
    const isWhole = parts.length === 1 || !keepPart
    const written = part.tokens.map((token) => token.text).join(' ')
    narrations.push(isWhole ? await narrate() : await keepPart([written, before, part.text, after], narrate))
  }
  return endToEnd(narrations)
}

/** Parts of whole sentences, as few as possible; a sentence that is longer than a part is cut between two words. */
export function chunksOf(tokens: readonly Token[], lengthMax: number): TextChunk[] {
  const ends: number[] = []
  for (const token of tokens) {
    const { length } = textForVendor(token)
    ends.push((ends.at(-1) ?? 0) + (length && length + 1))
  }
  const parts: TextChunk[] = []
  let from = 0
  let sentenceFrom = 0
  const cutAt = (to: number) => {
    parts.push(partOf(tokens.slice(from, to)))
    from = to
  }
  for (const [index, token] of tokens.entries()) {
    while (ends[index]! - (ends[from - 1] ?? 0) > lengthMax && from < index)
      cutAt(sentenceFrom > from ? sentenceFrom : index)
    if (endsSentence(token)) sentenceFrom = index + 1
  }
  cutAt(tokens.length)
  return parts
}

const endsSentence = ({ spoken, pause, endsLine }: Token) => spoken !== '' && (endsLine || /[.?!]/.test(pause))

function partOf(tokens: Token[]): TextChunk {
  let text = ''
  const places = tokens.map((token): TextChunk['places'][number] => {
    const form = textForVendor(token)
    if (!form) return null
    if (text) text += ' '
    const start = text.length
    text += form
    return [start, text.length]
  })
  return { tokens, text, places }
}

/** What every voice reads as it is meant: words, numbers and the marks between them. */
const isPlain = /^[\p{L}\p{M}\p{N}'’"“”«»()¿¡$€£¥%.,:;!?…。，、！？：；–—-]+$/u

/** Vendors know abbreviations, sums and quotation marks better than we do; markup and addresses they would spell out. */
function textForVendor({ text, spoken, pause, endsLine }: Token): string {
  if (!spoken) return ''
  const form = isPlain.test(text) && !isRunaway(text) ? text : spoken
  // A title without a full stop would run into what follows it.
  return /\p{P}$/u.test(form) ? form : form + (pause || (endsLine ? '.' : ''))
}

function narrationOf({ tokens }: TextChunk, { samples, sampleRate, spans }: SpokenChunk): Narration {
  const durationMs = Math.floor((samples.length * 1000) / sampleRate)
  const heard = spans.map((span) => span && audibleSpan(span, samples, sampleRate))
  return { wav: wav(samples, sampleRate), durationMs, words: fillWordTimings(tokens, heard, durationMs) }
}

/** A word is said to last until the next one begins; what is silent of that is the rest after it. */
function audibleSpan({ startMs, endMs }: TokenSpan, samples: Int16Array, sampleRate: number): TokenSpan {
  const from = Math.round((startMs * sampleRate) / 1000)
  const [first, last] = audibleRange(samples.subarray(from, Math.round((endMs * sampleRate) / 1000)))
  if (last === 0) return { startMs, endMs }
  return { startMs: ((from + first) * 1000) / sampleRate, endMs: ((from + last) * 1000) / sampleRate }
}

function endToEnd(narrations: readonly Narration[]): Narration {
  const [only] = narrations
  if (only && narrations.length === 1) return only
  const bytes = narrations.map(({ wav }) => Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength))
  const sampleRate = bytes[0]!.readUInt32LE(24)
  const sounds = bytes.map((part) => pcmSamples(part.subarray(wavHeaderBytes)))
  let before = 0
  const words = narrations.flatMap((narration, index) => {
    const fromMs = Math.floor((before * 1000) / sampleRate)
    before += sounds[index]!.length
    return narration.words.map(({ text, startMs, endMs }) => ({
      text,
      startMs: startMs + fromMs,
      endMs: endMs + fromMs,
    }))
  })
  return { wav: wav(concatSamples(sounds), sampleRate), durationMs: Math.floor((before * 1000) / sampleRate), words }
}
