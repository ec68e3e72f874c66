/**
 * Splits a script into chunks for vendors: whole sentences, within the vendor's length limit. Positions in a chunk map
 * back to tokens of the script.
 */
import { ProviderRejected } from '../../domain/core/failures.ts'
import { encodeWav } from '../../render/sound/wav.ts'
import type { Narration, StoreChunk } from './index.ts'
import { audibleRange, concatSamples, pcmSamples } from './pcm.ts'
import { isRunaway, type Token, tokenise } from './tokenise.ts'
import { fillWordTimings, type TokenSpan } from './word-timings.ts'

export interface TextChunk {
  tokens: Token[]
  /** The text for the vendor: plain words, without markup and emoji. */
  text: string
  /** The range of each token in `text`, its end excluded; null where the token is silent. */
  ranges: ([start: number, end: number] | null)[]
}

export interface SpokenChunk {
  samples: Int16Array
  sampleRate: number
  /** The span of each token, null where the vendor gives none. It may begin or end in silence. */
  spans: (TokenSpan | null)[]
}

interface ChunkedNarrationInput {
  text: string
  language: string
  /** Limit of a chunk in characters. */
  lengthMax: number
  /** Not called for a stored chunk. `before` and `after` are the texts of the adjacent chunks. */
  speak: (chunk: TextChunk, before: string, after: string) => Promise<SpokenChunk>
  storeChunk: StoreChunk | undefined
}

const wavHeaderBytes = 44

/** Speaks the chunks one after another and joins them without gaps. */
export async function narrateInChunks({
  text,
  language,
  lengthMax,
  speak,
  storeChunk,
}: ChunkedNarrationInput): Promise<Narration> {
  const tokens = tokenise(text, language)
  if (!tokens.some(({ spoken }) => spoken)) throw new ProviderRejected('The script contains nothing to speak.')
  const chunks = chunksOf(tokens, lengthMax)
  const narrations: Narration[] = []
  for (const [index, chunk] of chunks.entries()) {
    const [before, after] = [chunks[index - 1]?.text ?? '', chunks[index + 1]?.text ?? '']
    const narrate = async () => narrationOf(chunk, await speak(chunk, before, after))
    const isWhole = chunks.length === 1 || !storeChunk
    const written = chunk.tokens.map((token) => token.text).join(' ')
    narrations.push(isWhole ? await narrate() : await storeChunk([written, before, chunk.text, after], narrate))
  }
  return joinNarrations(narrations)
}

/** As few chunks as possible, of whole sentences; a longer sentence is cut between two words. */
export function chunksOf(tokens: readonly Token[], lengthMax: number): TextChunk[] {
  const ends: number[] = []
  for (const token of tokens) {
    const { length } = textForVendor(token)
    ends.push((ends.at(-1) ?? 0) + (length && length + 1))
  }
  const chunks: TextChunk[] = []
  let from = 0
  let sentenceFrom = 0
  const cutAt = (to: number) => {
    chunks.push(chunkOf(tokens.slice(from, to)))
    from = to
  }
  for (const [index, token] of tokens.entries()) {
    while (ends[index]! - (ends[from - 1] ?? 0) > lengthMax && from < index)
      cutAt(sentenceFrom > from ? sentenceFrom : index)
    if (endsSentence(token)) sentenceFrom = index + 1
  }
  cutAt(tokens.length)
  return chunks
}

const endsSentence = ({ spoken, pause, endsLine }: Token) => spoken !== '' && (endsLine || /[.?!]/.test(pause))

function chunkOf(tokens: Token[]): TextChunk {
  let text = ''
  const ranges = tokens.map((token): TextChunk['ranges'][number] => {
    const form = textForVendor(token)
    if (!form) return null
    if (text) text += ' '
    const start = text.length
    text += form
    return [start, text.length]
  })
  return { tokens, text, ranges }
}

/** Text that every voice reads correctly: words, numbers and punctuation. */
const isPlain = /^[\p{L}\p{M}\p{N}'’"“”«»()¿¡$€£¥%.,:;!?…。，、！？：；–—-]+$/u

/**
 * Plain text is passed unchanged: vendors read abbreviations, amounts and quotation marks better. Markup and addresses
 * would be spelled out.
 */
function textForVendor({ text, spoken, pause, endsLine }: Token): string {
  if (!spoken) return ''
  const form = isPlain.test(text) && !isRunaway(text) ? text : spoken
  // A heading without a full stop would run into the next sentence.
  return /\p{P}$/u.test(form) ? form : form + (pause || (endsLine ? '.' : ''))
}

function narrationOf({ tokens }: TextChunk, { samples, sampleRate, spans }: SpokenChunk): Narration {
  const durationMs = Math.floor((samples.length * 1000) / sampleRate)
  const audible = spans.map((span) => span && audibleSpan(span, samples, sampleRate))
  return { wav: encodeWav({ samples, sampleRate }), durationMs, words: fillWordTimings(tokens, audible, durationMs) }
}

/** Trims silence: vendors let a word last until the next one begins. */
function audibleSpan({ startMs, endMs }: TokenSpan, samples: Int16Array, sampleRate: number): TokenSpan {
  const from = Math.round((startMs * sampleRate) / 1000)
  const [first, last] = audibleRange(samples.subarray(from, Math.round((endMs * sampleRate) / 1000)))
  if (last === 0) return { startMs, endMs }
  return { startMs: ((from + first) * 1000) / sampleRate, endMs: ((from + last) * 1000) / sampleRate }
}

function joinNarrations(narrations: readonly Narration[]): Narration {
  const [only] = narrations
  if (only && narrations.length === 1) return only
  const bytes = narrations.map(({ wav }) => Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength))
  const sampleRate = bytes[0]!.readUInt32LE(24)
  const sounds = bytes.map((file) => pcmSamples(file.subarray(wavHeaderBytes)))
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
  return {
    wav: encodeWav({ samples: concatSamples(sounds), sampleRate }),
    durationMs: Math.floor((before * 1000) / sampleRate),
    words,
  }
}
