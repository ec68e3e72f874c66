/**
 * Narrator by a server with OpenAI's API, `POST /audio/speech`:
 * https://platform.openai.com/docs/api-reference/audio/createSpeech (read November 2026). It returns no word times: the
 * sound is transcribed by the same deployment's server where there is one, otherwise aligned by itself. Kokoro-FastAPI
 * returns word times from another path.
 */
import * as v from 'valibot'
import { AccountExpired, InputRejected, ProviderBusy, ProviderRejected } from '../../domain/core/failures.ts'
import { narratorIds } from '../../domain/generation/narration.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import type { PcmSound } from '../../render/sound/wav.ts'
import { type OpenAiServer, openAiVendor } from '../openai/server.ts'
import { decodeSpeech } from '../openai/sound.ts'
import { transcribeSound } from '../openai/transcription.ts'
import { requestVendor, VendorRejected } from '../vendor.ts'
import { alignBySound } from './align-by-sound.ts'
import { alignTranscript } from './align-transcript.ts'
import { narrateInChunks, type SpokenChunk, type TextChunk } from './chunks.ts'
import type { Narrator } from './index.ts'
import { audibleRange } from './pcm.ts'
import type { TokenSpan } from './word-timings.ts'

export interface OpenAiNarratorDeps {
  speech: OpenAiServer
  /** Gives word times. */
  transcription?: OpenAiServer
  /** A transcript that cannot be had; the times are then estimated from the sound. */
  onUntimed?: (error: Error) => void
}

/** Below 4,096 characters of tts-1 and 2,000 tokens of gpt-4o-mini-tts, in any script. */
const lengthMax = 1_500
/** A local server without a GPU takes about as long as it speaks. A step has 300 s for both requests of a chunk. */
const deadlineMs = 150_000
const transcriptDeadlineMs = 90_000
/** Eleven minutes of 24 kHz. */
const bytesMax = 32 * 1024 * 1024

export function openAiNarrator({ speech, transcription, onUntimed }: OpenAiNarratorDeps): Narrator {
  return {
    id: narratorIds.openai,
    narrate: (text, voice, storeChunk) =>
      narrateInChunks({
        ...{ text, language: voice.language, lengthMax, storeChunk },
        speak: async (chunk): Promise<SpokenChunk> => {
          const captioned = await speakCaptioned(speech, voice, chunk.text)
          if (captioned) {
            const { sound, words } = captioned
            return { ...sound, spans: completeSpans(chunk, sound, alignTranscript(chunk.text, chunk.ranges, words)) }
          }
          const sound = await speak(speech, voice, chunk.text)
          const heard = transcription && (await hear(transcription, sound, chunk, voice, onUntimed))
          return { ...sound, spans: completeSpans(chunk, sound, heard) }
        },
      }),
  }
}

/** WAV, or PCM where the server does not know WAV, such as OpenRouter. */
async function speak(server: OpenAiServer, voice: Voice, text: string): Promise<PcmSound> {
  const response = await requestSpeech(server, voice, text, 'wav').catch((error) => {
    if (error instanceof VendorRejected && /response_format|\bwav\b|format/i.test(error.message))
      return requestSpeech(server, voice, text, 'pcm')
    throw error
  })
  return audible(decodeSpeech(response.body, response.headers['content-type'] ?? '', openAiVendor(server).name), voice)
}

function audible(sound: PcmSound, voice: Voice): PcmSound {
  if (audibleRange(sound.samples)[1] === 0)
    throw new InputRejected(`The voice ${voice.id} cannot speak any of this text.`)
  return sound
}

/** The name of the model in Kokoro-FastAPI, whose other path is beside `/v1`. */
const captionedModel = 'kokoro'
const captionedSpeech = v.object({
  audio: v.string(),
  audio_format: v.optional(v.string(), ''),
  timestamps: v.array(v.object({ word: v.string(), start_time: v.number(), end_time: v.number() })),
})
/** Base URLs without the path. */
const uncaptioned = new Set<string>()

/** Speech with the word times of the model, or undefined where the server has no such path. */
async function speakCaptioned(server: OpenAiServer, voice: Voice, input: string) {
  if (server.model !== captionedModel || uncaptioned.has(server.baseUrl)) return undefined
  const vendor = openAiVendor(server)
  const body = { model: server.model, voice: voice.engineVoice, input, response_format: 'wav', stream: false }
  const request = { path: '/dev/captioned_speech', body, deadlineMs, bytesMax }
  try {
    const url = vendor.url.replace(/\/v1$/, '')
    const response = await requestVendor({ ...vendor, url }, request)
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), captionedSpeech), response.body.toString())
    if (!answer.success) return leaveCaptions(server)
    const { audio, audio_format, timestamps } = answer.output
    const words = timestamps.map(({ word, start_time, end_time }) => ({
      ...{ text: word, startMs: start_time * 1000, endMs: end_time * 1000 },
    }))
    const sound = decodeSpeech(Buffer.from(audio, 'base64'), audio_format, vendor.name)
    return { sound: audible(sound, voice), words }
  } catch (error) {
    if (!(error instanceof VendorRejected)) throw error
    // A rejected text or voice is reported by the path that every server has.
    return error.status === 404 || error.status === 405 ? leaveCaptions(server) : undefined
  }
}

/** For the life of the process. Early versions stream lines instead of one object. */
function leaveCaptions({ baseUrl }: OpenAiServer): undefined {
  uncaptioned.add(baseUrl)
}

/** One request. An error names the voice: a server can lose one. */
export async function requestSpeech(
  server: OpenAiServer,
  { id, engineVoice }: Voice,
  input: string,
  response_format: 'wav' | 'pcm' | 'mp3',
) {
  const body = { model: server.model, voice: engineVoice, input, response_format }
  try {
    return await requestVendor(openAiVendor(server), { path: '/audio/speech', body, deadlineMs, bytesMax })
  } catch (error) {
    if (!(error instanceof VendorRejected)) throw error
    throw new VendorRejected(`The voice ${id} cannot speak this. ${error.message}`, error.status)
  }
}

/** Undefined where the transcript fails or does not fit: the sound is paid for, and its words are known. */
async function hear(
  server: OpenAiServer,
  sound: PcmSound,
  { text, ranges }: TextChunk,
  { language }: Voice,
  onUntimed: OpenAiNarratorDeps['onUntimed'],
): Promise<(TokenSpan | null)[] | undefined> {
  try {
    return alignTranscript(
      text,
      ranges,
      await transcribeSound(server, sound, { deadlineMs: transcriptDeadlineMs, language }),
    )
  } catch (error) {
    const isOfVendor = [ProviderBusy, ProviderRejected, AccountExpired].some((kind) => error instanceof kind)
    if (!isOfVendor || !(error instanceof Error)) throw error
    onUntimed?.(error)
    return undefined
  }
}

/** A spoken token without a time takes its place between its neighbours. */
function completeSpans(
  { tokens }: TextChunk,
  { samples, sampleRate }: PcmSound,
  heard: (TokenSpan | null)[] | undefined,
): (TokenSpan | null)[] {
  if (!heard) return alignBySound(tokens, samples, sampleRate)
  const spans = [...heard]
  const isMissing = (index: number) => Boolean(tokens[index]?.spoken) && !heard[index]
  for (let from = 0; from < tokens.length; from++) {
    if (!isMissing(from)) continue
    let to = from
    while (to + 1 < tokens.length && !heard[to + 1]) to++
    const startMs = heard.slice(0, from).findLast(Boolean)?.endMs ?? 0
    const endMs = heard[to + 1]?.startMs ?? (samples.length * 1000) / sampleRate
    // Without time of its own, a token shares that of the word before it.
    if (endMs - startMs >= gapMsMin) {
      const [first, last] = [startMs, endMs].map((ms) => Math.round((ms * sampleRate) / 1000))
      const inside = alignBySound(tokens.slice(from, to + 1), samples.subarray(first, last), sampleRate)
      inside.forEach((span, index) => {
        spans[from + index] = span && { startMs: span.startMs + startMs, endMs: span.endMs + startMs }
      })
    }
    from = to
  }
  return spans
}

const gapMsMin = 60
