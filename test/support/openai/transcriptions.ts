/**
 * Transcripts as each server and model makes them: with words, with segments only, or a text without times. They hear
 * what the speech of the same stand-in has said. Sources:
 * platform.openai.com/docs/api-reference/audio/createTranscription, docs.vllm.ai, localai.io/features/audio-to-text,
 * speaches.ai/usage/speech-to-text, openrouter.ai/docs (read November 2026)
 */
import * as v from 'valibot'
import type { TimedWord } from '../../../lib/domain/core/timeline-item.ts'
import { type PcmSound, parseWav } from '../../../lib/render/sound/wav.ts'
import type { RecordedRequest } from '../fake-vendors/fake-vendor.ts'
import { pcmBytes } from '../fake-vendors/tones.ts'
import type { Utterance } from './speech.ts'
import { type OpenAiOperation, openAiError } from './stand-in.ts'

export type TranscriptionServer =
  | 'whisper-1'
  | 'gpt-4o-transcribe'
  | 'speaches'
  | 'segment-words'
  | 'vllm'
  | 'localai'
  | 'openrouter'

export interface TranscriptionOptions {
  server: TranscriptionServer
  /** What speech has said. */
  spoken?: readonly Utterance[]
  /** Other words than those of `spoken`; undefined: those of `spoken`. */
  hear?: (sound: PcmSound) => TimedWord[] | undefined
}

/** 25 MB at OpenAI. */
const fileBytesMax = 25_000_000
const wordGranularity = 'timestamp_granularities[]'

interface Order {
  format: string
  granularities: string[]
  sound: PcmSound
}

export const transcriptions = ({ server, spoken = [], hear }: TranscriptionOptions): OpenAiOperation => ({
  path: '/audio/transcriptions',
  async answer(call) {
    const order = server === 'openrouter' ? orderOfJson(call) : await orderOfForm(call)
    if (order.format === 'verbose_json' && server === 'gpt-4o-transcribe')
      throw openAiError(
        'openai',
        400,
        "response_format 'verbose_json' is not compatible with model 'gpt-4o-transcribe'. Use 'json' or 'text' instead.",
        'unsupported_value',
      )
    const words = hear?.(order.sound) ?? wordsIn(order.sound, spoken)
    return { body: transcriptAs(server, order, words) }
  },
})

async function orderOfForm({ headers, body }: RecordedRequest): Promise<Order> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) throw openAiError('openai', 400, 'Could not parse multipart form')
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const text = (name: string) => v.parse(v.string(), form.get(name))
  const file = form.get('file')
  if (!(file instanceof File) || !text('model')) throw openAiError('openai', 400, 'file and model are required')
  if (file.size > fileBytesMax) throw openAiError('openai', 413, 'Maximum content size limit exceeded')
  const granularities = form.getAll(wordGranularity).map(String)
  if (granularities.length > 0 && text('response_format') !== 'verbose_json')
    throw openAiError('openai', 400, 'timestamp_granularities needs verbose_json')
  const sound = parseWav(new Uint8Array(await file.arrayBuffer()))
  return { format: text('response_format'), granularities, sound }
}

const jsonOrder = v.object({
  model: v.string(),
  input_audio: v.object({ data: v.string(), format: v.literal('wav') }),
  response_format: v.optional(v.string(), 'json'),
})

function orderOfJson({ headers, body }: RecordedRequest): Order {
  if (headers['content-type'] !== 'application/json') throw openAiError('openrouter', 400, 'Invalid JSON body')
  const { input_audio, response_format } = v.parse(jsonOrder, JSON.parse(body.toString('utf8')))
  return { format: response_format, granularities: [], sound: parseWav(Buffer.from(input_audio.data, 'base64')) }
}

/** The words of the utterance that contains this sound, by the time within the sound. */
function wordsIn({ samples, sampleRate }: PcmSound, spoken: readonly Utterance[]): TimedWord[] {
  const loud = samples.findIndex((sample) => Math.abs(sample) > 500)
  const sample = pcmBytes(samples.slice(loud, loud + 400))
  for (const { sound, words } of spoken) {
    const at = pcmBytes(sound.samples).indexOf(sample)
    if (at < 0) continue
    const fromMs = ((at / 2 - loud) * 1000) / sampleRate
    const toMs = fromMs + (samples.length * 1000) / sampleRate
    return words.flatMap(({ text, startMs, endMs }) =>
      startMs >= fromMs - 20 && endMs <= toMs + 20
        ? [{ text, startMs: Math.max(0, startMs - fromMs), endMs: endMs - fromMs }]
        : [],
    )
  }
  return []
}

const bare = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
const seconds = (ms: number) => Math.round(ms / 10) / 100

function transcriptAs(
  server: TranscriptionServer,
  { format, granularities }: Order,
  words: readonly TimedWord[],
): object {
  const text = words.map((word) => word.text).join(' ')
  if (format === 'json' || server === 'openrouter') return { text, usage: { type: 'duration', seconds: 1 } }
  const all = { task: 'transcribe', language: 'english', duration: seconds(words.at(-1)?.endMs ?? 0), text }
  const asWord = ({ text, startMs, endMs }: TimedWord, written = bare(text)) => ({
    ...{ word: written, start: seconds(startMs), end: seconds(endMs) },
  })
  const segments = sentencesOf(words).map((sentence, id) => ({
    ...{ id, seek: 0, tokens: [], temperature: 0, avg_logprob: -0.2, compression_ratio: 1.3, no_speech_prob: 0.01 },
    text: ` ${sentence.map((word) => word.text).join(' ')}`,
    start: seconds(sentence[0]!.startMs),
    end: seconds(sentence.at(-1)!.endMs),
  }))
  const timed = words.filter((word) => bare(word.text))
  switch (server) {
    case 'whisper-1':
      return { ...all, ...(granularities.includes('word') && { words: timed.map((word) => asWord(word)) }), segments }
    case 'speaches':
      return { ...all, words: timed.map((word) => asWord(word, ` ${word.text}`)), segments }
    case 'segment-words':
      return {
        ...all,
        segments: sentencesOf(timed).map((sentence, index) => ({
          ...segments[index],
          words: sentence.map((word) => ({ ...asWord(word, word.text), probability: 0.9 })),
        })),
      }
    case 'localai':
      // Durations of Go: nanoseconds.
      return {
        text,
        segments: segments.map(({ id, text, start, end }) => ({ id, text, start: start * 1e9, end: end * 1e9 })),
      }
    default:
      return { ...all, words: null, segments }
  }
}

function sentencesOf(words: readonly TimedWord[]): TimedWord[][] {
  const sentences: TimedWord[][] = []
  let isNew = true
  for (const word of words) {
    if (isNew) sentences.push([])
    sentences.at(-1)!.push(word)
    isNew = /[.?!]$/.test(word.text)
  }
  return sentences
}
