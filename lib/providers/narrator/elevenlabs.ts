/**
 * Narrator by ElevenLabs, `POST /v1/text-to-speech/{voice}/with-timestamps`, which returns the sound and the time of
 * every character: https://elevenlabs.io/docs/api-reference/text-to-speech/convert-with-timestamps (read November
 * 2026). Limit: 10,000 characters a request.
 */
import * as v from 'valibot'
import { InputRejected, ProviderRejected } from '../../domain/core/failures.ts'
import { narratorIds } from '../../domain/generation/narration.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { callVendor, type Vendor } from '../vendor.ts'
import { narrateInChunks, type SpokenChunk, type TextChunk } from './chunks.ts'
import type { Narrator } from './index.ts'
import { pcmSamples } from './pcm.ts'
import type { TokenSpan } from './word-timings.ts'

export interface ElevenLabsAccount {
  url: string
  key: string
}

const model = 'eleven_multilingual_v2'
const sampleRate = 24_000
/** Below the vendor's limit: shorter requests respond sooner, and less is paid again after a lost response. */
const lengthMax = 2_500
/** Characters of the adjacent chunks that are sent along for a continuous intonation. */
const contextLengthMax = 500
const deadlineMs = 120_000
/** Sound in base64 is about 64 KB a second. */
const bytesMax = 48 * 1024 * 1024

export const elevenLabsVendor = ({ url, key }: ElevenLabsAccount): Vendor => ({
  name: 'ElevenLabs',
  url,
  headers: { 'xi-api-key': key },
  reasonOf: (body) => {
    const { output, success } = v.safeParse(errorSchema, body)
    return success ? output.detail.message : undefined
  },
})

const errorSchema = v.object({ detail: v.object({ message: v.string() }) })

export function elevenLabsNarrator(account: ElevenLabsAccount): Narrator {
  const vendor = elevenLabsVendor(account)
  return {
    id: narratorIds.elevenlabs,
    narrate: (text, voice, storeChunk) =>
      narrateInChunks({
        ...{ text, language: voice.language, lengthMax, storeChunk },
        speak: (chunk, before, after) => speak(vendor, chunk, voice, { before, after }),
      }),
  }
}

const alignmentSchema = v.object({
  characters: v.array(v.string()),
  character_start_times_seconds: v.array(v.number()),
  character_end_times_seconds: v.array(v.number()),
})
type Alignment = v.InferOutput<typeof alignmentSchema>

/** The base64 is not validated by a pattern: the text is too long for it. */
const speechSchema = v.object({ audio_base64: v.string(), alignment: v.nullish(alignmentSchema) })

async function speak(
  vendor: Vendor,
  { text, ranges }: TextChunk,
  voice: Voice,
  { before, after }: { before: string; after: string },
): Promise<SpokenChunk> {
  const context = {
    ...(before && { previous_text: before.slice(-contextLengthMax) }),
    ...(after && { next_text: after.slice(0, contextLengthMax) }),
  }
  const speech = await textToSpeech(vendor, voice, `pcm_${sampleRate}`, { text, ...context })
  const samples = pcmSamples(Buffer.from(speech.audio_base64, 'base64'))
  if (samples.length === 0) throw new InputRejected(`The voice ${voice.id} cannot speak any of this text.`)
  const spans = speech.alignment ? spansOf(text, ranges, speech.alignment) : ranges.map(() => null)
  return { samples, sampleRate, spans }
}

/** One request. An error names the voice: an account can lose access to shared voices. */
export async function textToSpeech(
  vendor: Vendor,
  { id, engineVoice }: Voice,
  format: string,
  input: { text: string },
) {
  const path = `/v1/text-to-speech/${encodeURIComponent(engineVoice)}/with-timestamps?output_format=${format}`
  try {
    return await callVendor(vendor, { path, body: { ...input, model_id: model }, deadlineMs, bytesMax }, speechSchema)
  } catch (error) {
    if (!(error instanceof ProviderRejected)) throw error
    throw new ProviderRejected(`The voice ${id} cannot speak this. ${error.message}`, { cause: error })
  }
}

/** From the first to the last character of each token; all null where the alignment is of another text. */
function spansOf(text: string, ranges: TextChunk['ranges'], alignment: Alignment): (TokenSpan | null)[] {
  const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = alignment
  if (characters.join('') !== text) return ranges.map(() => null)
  const at = characters.flatMap((character, index) => Array<number>(character.length).fill(index))
  return ranges.map((range) => {
    if (!range) return null
    const [startSeconds, endSeconds] = [starts[at[range[0]]!], ends[at[range[1] - 1]!]]
    if (startSeconds === undefined || endSeconds === undefined || endSeconds < startSeconds) return null
    return { startMs: startSeconds * 1000, endMs: endSeconds * 1000 }
  })
}
