/**
 * Word times of a sound, `POST /audio/transcriptions`:
 * https://platform.openai.com/docs/api-reference/audio/createTranscription (read November 2026). whisper-1, Speaches
 * and Groq return words; vLLM and LocalAI segments only, some with words inside; newer models of OpenAI a text only.
 */
import * as v from 'valibot'
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { encodeWav, type PcmSound } from '../../render/sound/wav.ts'
import { alignBySound } from '../narrator/align-by-sound.ts'
import { speechWeight } from '../narrator/syllables.ts'
import { callVendor, VendorRejected } from '../vendor.ts'
import { isOpenRouter, type OpenAiServer, openAiVendor } from './server.ts'

export interface TranscriptionOptions {
  deadlineMs: number
  /** ISO 639; undefined: detected. */
  language?: string | undefined
  signal?: AbortSignal
}

const bytesMax = 16 * 1024 * 1024

const seconds = v.nullish(v.number())
const word = v.pipe(
  v.object({ word: v.optional(v.string()), text: v.optional(v.string()), start: seconds, end: seconds }),
  v.transform(({ word, text, start, end }) => ({ text: word ?? text ?? '', start, end })),
)
const transcription = v.object({
  text: v.optional(v.string(), ''),
  words: v.nullish(v.array(word)),
  segments: v.nullish(
    v.array(
      v.object({ text: v.optional(v.string(), ''), start: seconds, end: seconds, words: v.nullish(v.array(word)) }),
    ),
  ),
})
type Transcription = v.InferOutput<typeof transcription>

/** All words in order, never overlapping. Throws as `callVendor`. */
export async function transcribeSound(
  server: OpenAiServer,
  sound: PcmSound,
  options: TranscriptionOptions,
): Promise<TimedWord[]> {
  const result = await request(server, encodeWav(sound), 'verbose_json', options).catch((error) => {
    // Models without times accept `json` only.
    if (error instanceof VendorRejected && [400, 415, 422].includes(error.status))
      return request(server, encodeWav(sound), 'json', options)
    throw error
  })
  return inOrder(wordsOf(result, sound), (sound.samples.length * 1000) / sound.sampleRate)
}

function request(
  server: OpenAiServer,
  wav: Uint8Array,
  format: 'verbose_json' | 'json',
  { deadlineMs, language: spoken, signal }: TranscriptionOptions,
): Promise<Transcription> {
  // Whisper knows languages by two letters.
  const language = spoken?.length === 2 ? spoken : undefined
  const vendor = openAiVendor(server)
  const rest = { path: '/audio/transcriptions', deadlineMs, bytesMax, ...(signal && { signal }) }
  if (isOpenRouter(server)) {
    const input_audio = { data: Buffer.from(wav).toString('base64'), format: 'wav' }
    const body = {
      ...{ model: server.model, input_audio, response_format: format },
      ...(language && { language }),
      ...(format === 'verbose_json' && { timestamp_granularities: ['word'] }),
    }
    return callVendor(vendor, { ...rest, body }, transcription)
  }
  const fields: [string, string][] = [
    ['model', server.model],
    ['response_format', format],
  ]
  if (language) fields.push(['language', language])
  // The brackets belong to the name.
  if (format === 'verbose_json')
    fields.push(['timestamp_granularities[]', 'word'], ['timestamp_granularities[]', 'segment'])
  const file = { name: 'speech.wav', type: 'audio/wav', bytes: wav }
  return callVendor(vendor, { ...rest, file, fields }, transcription)
}

function wordsOf({ text, words, segments }: Transcription, sound: PcmSound): TimedWord[] {
  const timed = timedOf(words)
  if (timed.length > 0) return withPunctuation(timed, text)
  const withTimes = (segments ?? []).filter(({ start, end }) => typeof start === 'number' && typeof end === 'number')
  if (withTimes.length > 0)
    return withTimes.flatMap((segment) => {
      const inside = timedOf(segment.words)
      return inside.length > 0 ? withPunctuation(inside, segment.text) : spread(segment)
    })
  return estimate(text || (segments ?? []).map((segment) => segment.text).join(' '), sound)
}

const timedOf = (words: Transcription['words']): TimedWord[] =>
  (words ?? []).flatMap(({ text, start, end }) =>
    typeof start === 'number' && typeof end === 'number' && text.trim()
      ? [{ text: text.trim(), startMs: start * 1000, endMs: end * 1000 }]
      : [],
  )

/** whisper-1 returns words without punctuation: it is taken from the text where both have the same words. */
function withPunctuation(words: TimedWord[], text: string): TimedWord[] {
  const written = splitWords(text)
  const isSame = (a: string, b: string) => plain(a) === plain(b)
  if (written.length !== words.length || !words.every((word, index) => isSame(word.text, written[index]!))) return words
  return words.map((word, index) => ({ ...word, text: written[index]! }))
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const splitWords = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

/** The words of a segment share its time by their length. */
function spread({
  text,
  start,
  end,
}: {
  text: string
  start?: number | null | undefined
  end?: number | null | undefined
}) {
  const words = splitWords(text)
  const total = words.reduce((sum, word) => sum + speechWeight(word), 0)
  const [startMs, lengthMs] = [(start ?? 0) * 1000, ((end ?? 0) - (start ?? 0)) * 1000]
  let before = 0
  return words.map((word): TimedWord => {
    const from = startMs + (lengthMs * before) / total
    before += speechWeight(word)
    return { text: word, startMs: from, endMs: startMs + (lengthMs * before) / total }
  })
}

/** A text without any time: its words are placed where sound is heard. */
function estimate(text: string, { samples, sampleRate }: PcmSound): TimedWord[] {
  const words = splitWords(text)
  const tokens = words.map((word) => ({
    spoken: word,
    pause: /[,.?!;:…。，、！？]["”’»)]*$/u.exec(word)?.[0][0]?.replace(/[…。]/, '.') ?? '',
    endsLine: false,
  }))
  return alignBySound(tokens, samples, sampleRate).flatMap((span, index) =>
    span ? [{ text: words[index]!, ...span }] : [],
  )
}

function inOrder(words: readonly TimedWord[], durationMs: number): TimedWord[] {
  let clockMs = 0
  return words.map(({ text, startMs, endMs }) => {
    const start = Math.min(durationMs, Math.max(clockMs, Math.round(startMs)))
    clockMs = Math.round(Math.min(durationMs, Math.max(start, Math.round(endMs))))
    return { text, startMs: Math.round(start), endMs: clockMs }
  })
}
