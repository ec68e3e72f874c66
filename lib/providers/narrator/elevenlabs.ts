/** Narrates with ElevenLabs, which gives the sound and the time of every character in one answer. */
import * as v from 'valibot'
import { ProviderRejected } from '../../domain/core/failures.ts'
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
/** An order may have 10,000 characters; shorter ones answer sooner, and less is bought again where an answer is lost. */
const lengthMax = 2_500
/** How much of its neighbours a part is told, so that it sounds like one text with them. */
const contextLengthMax = 500
const deadlineMs = 120_000
/** The sound of a part in base64 takes about 64 KB a second. */
const bytesMax = 48 * 1024 * 1024

export const elevenLabsVendor = ({ url, key }: ElevenLabsAccount): Vendor => ({
  name: 'ElevenLabs',
  url,
  headers: { 'xi-api-key': key },
  reasonOf: (body) => {
    const { output, success } = v.safeParse(refusal, body)
    return success ? output.detail.message : undefined
  },
})

const refusal = v.object({ detail: v.object({ message: v.string() }) })

export function elevenLabsNarrator(account: ElevenLabsAccount): Narrator {
  const vendor = elevenLabsVendor(account)
  return {
    id: narratorIds.elevenlabs,
    narrate: (text, voice, keepPart) =>
      narrateInChunks({
        ...{ text, language: voice.language, lengthMax, keepPart },
        speak: (part, before, after) => speak(vendor, part, voice, { before, after }),
      }),
  }
}

const alignment = v.object({
  characters: v.array(v.string()),
  character_start_times_seconds: v.array(v.number()),
  character_end_times_seconds: v.array(v.number()),
})
type Alignment = v.InferOutput<typeof alignment>

/** https://elevenlabs.io/docs/api-reference/text-to-speech/convert-with-timestamps. No pattern can be held against so long a text. */
const spoken = v.object({ audio_base64: v.string(), alignment: v.nullish(alignment) })

async function speak(
  vendor: Vendor,
  { text, places }: TextChunk,
  voice: Voice,
  { before, after }: { before: string; after: string },
): Promise<SpokenChunk> {
  const context = {
    ...(before && { previous_text: before.slice(-contextLengthMax) }),
    ...(after && { next_text: after.slice(0, contextLengthMax) }),
  }
  const answer = await textToSpeech(vendor, voice, `pcm_${sampleRate}`, { text, ...context })
  const samples = pcmSamples(Buffer.from(answer.audio_base64, 'base64'))
  if (samples.length === 0) throw new ProviderRejected(`The voice ${voice.id} can speak nothing of this text.`)
  const spans = answer.alignment ? spansOf(text, places, answer.alignment) : places.map(() => null)
  return { samples, sampleRate, spans }
}

/** One order. A refusal names the voice, since ElevenLabs lets accounts lose the voices of others. */
export async function textToSpeech(
  vendor: Vendor,
  { id, engineVoice }: Voice,
  format: string,
  order: { text: string },
) {
  const path = `/v1/text-to-speech/${encodeURIComponent(engineVoice)}/with-timestamps?output_format=${format}`
  try {
    return await callVendor(vendor, { path, body: { ...order, model_id: model }, deadlineMs, bytesMax }, spoken)
  } catch (error) {
    if (!(error instanceof ProviderRejected)) throw error
    throw new ProviderRejected(`The voice ${id} cannot speak this. ${error.message}`, { cause: error })
  }
}

/** From the first to the last character of each token, where the vendor speaks of the text that it was given; else unknown. */
function spansOf(text: string, places: TextChunk['places'], told: Alignment): (TokenSpan | null)[] {
  const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = told
  if (characters.join('') !== text) return places.map(() => null)
  const at = characters.flatMap((character, index) => Array<number>(character.length).fill(index))
  return places.map((place) => {
    if (!place) return null
    const [startSeconds, endSeconds] = [starts[at[place[0]]!], ends[at[place[1] - 1]!]]
    if (startSeconds === undefined || endSeconds === undefined || endSeconds < startSeconds) return null
    return { startMs: startSeconds * 1000, endMs: endSeconds * 1000 }
  })
}
