/**
 * Word times of a sound, `POST /audio/transcriptions`:
 * https://platform.openai.com/docs/api-reference/audio/createTranscription (read November 2026). whisper-1, Speaches
 * and Groq return words; vLLM and LocalAI segments only, some with words inside; newer models of OpenAI a text only.
 */
import * as v from 'valibot'
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { encodeWav, type PcmSound, sliceSound } from '../../render/sound/wav.ts'
import { alignBySound } from '../narrator/align-by-sound.ts'
import { callVendor, VendorRejected } from '../vendor.ts'
import { isOpenRouter, type OpenAiServer, openAiVendor } from './server.ts'

export interface TranscriptionOptions {
  deadlineMs: number
  /** ISO 639; undefined: detected. */
  language?: string | undefined
  signal?: AbortSignal
}

const bytesMax = 16 * 1024 * 1024

/** LocalAI writes durations of Go, in nanoseconds: no recording has a million seconds. */
const seconds = v.nullish(
  v.pipe(
    v.number(),
    v.transform((time) => (time > 1e6 ? time / 1e9 : time)),
  ),
)
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
type Segment = NonNullable<Transcription['segments']>[number]

/** All words in order, never overlapping. Throws as `callVendor`. */
export async function transcribeSound(
  server: OpenAiServer,
  sound: PcmSound,
  options: TranscriptionOptions,
): Promise<TimedWord[]> {
  const wav = encodeWav(sound)
  const ask = async (body: 'form' | 'json'): Promise<Transcription> => {
    const order = body === 'json' ? orderAsJson : orderAsForm
    try {
      return await send(server, order(server, wav, 'verbose_json', options.language), options)
    } catch (error) {
      if (!isUnsupported(error)) throw error
      if (body === 'form' && takesJson(error)) return ask('json')
      // Models without times accept `json` only.
      return send(server, order(server, wav, 'json', options.language), options)
    }
  }
  const result = await ask(isOpenRouter(server) ? 'json' : 'form')
  return inOrder(wordsOf(result, sound), (sound.samples.length * 1000) / sound.sampleRate)
}

const isUnsupported = (error: unknown): error is VendorRejected =>
  error instanceof VendorRejected && [400, 415, 422].includes(error.status)
/** OpenRouter takes JSON, also behind a proxy with another name. */
const takesJson = ({ message }: VendorRejected) => /\bjson body\b|\binput_audio\b|application\/json/i.test(message)

type Format = 'verbose_json' | 'json'
type Order = Pick<Parameters<typeof callVendor>[1], 'body' | 'file' | 'fields'>

function send(
  server: OpenAiServer,
  order: Order,
  { deadlineMs, signal }: TranscriptionOptions,
): Promise<Transcription> {
  const rest = { path: '/audio/transcriptions', deadlineMs, bytesMax, ...(signal && { signal }) }
  return callVendor(openAiVendor(server), { ...rest, ...order }, transcription)
}

/** Whisper knows languages by two letters. */
const isLanguage = (language: string | undefined): language is string => language?.length === 2

function orderAsForm({ model }: OpenAiServer, bytes: Uint8Array, format: Format, language?: string): Order {
  const fields: [string, string][] = [
    ['model', model],
    ['response_format', format],
  ]
  if (isLanguage(language)) fields.push(['language', language])
  // The brackets belong to the name.
  if (format === 'verbose_json')
    fields.push(['timestamp_granularities[]', 'word'], ['timestamp_granularities[]', 'segment'])
  return { file: { name: 'speech.wav', type: 'audio/wav', bytes }, fields }
}

const orderAsJson = ({ model }: OpenAiServer, bytes: Uint8Array, format: Format, language?: string): Order => ({
  body: {
    ...{ model, response_format: format },
    input_audio: { data: Buffer.from(bytes).toString('base64'), format: 'wav' },
    ...(isLanguage(language) && { language }),
    ...(format === 'verbose_json' && { timestamp_granularities: ['word'] }),
  },
})

function wordsOf({ text, words, segments }: Transcription, sound: PcmSound): TimedWord[] {
  const timed = timedOf(words)
  if (timed.length > 0) return withPunctuation(timed, text)
  const withTimes = (segments ?? []).filter(({ start, end }) => typeof start === 'number' && typeof end === 'number')
  if (withTimes.length > 0)
    return withTimes.flatMap((segment) => {
      const inside = timedOf(segment.words)
      return inside.length > 0 ? withPunctuation(inside, segment.text) : spread(segment, sound)
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

/** The words of a segment are placed where sound is heard in it. */
function spread({ text, start, end }: Segment, sound: PcmSound): TimedWord[] {
  const [startMs, endMs] = [(start ?? 0) * 1000, (end ?? 0) * 1000]
  return estimate(text, sliceSound(sound, startMs, endMs)).map((word) => ({
    text: word.text,
    startMs: word.startMs + startMs,
    endMs: word.endMs + startMs,
  }))
}

/** A text without any time. */
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

/** Words after the end of the sound are invented. */
function inOrder(words: readonly TimedWord[], durationMs: number): TimedWord[] {
  let clockMs = 0
  return words
    .filter(({ startMs }) => startMs < durationMs)
    .map(({ text, ...word }) => {
      const startMs = Math.max(clockMs, Math.round(word.startMs))
      clockMs = Math.max(startMs, Math.round(Math.min(durationMs, word.endMs)))
      return { text, startMs, endMs: clockMs }
    })
}
