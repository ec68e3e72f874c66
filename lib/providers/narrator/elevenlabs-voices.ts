/**
 * The voices of an ElevenLabs account, `GET /v2/voices`: https://elevenlabs.io/docs/api-reference/voices/search (read
 * November 2026).
 */
import * as v from 'valibot'
import { type Voice, vendorVoicesMax, voicePrefixes } from '../../domain/videos/voices.ts'
import { callVendor, type Vendor } from '../vendor.ts'
import { type ElevenLabsAccount, elevenLabsVendor, textToSpeech } from './elevenlabs.ts'
import type { VoiceVendor } from './index.ts'

const page = v.object({
  voices: v.array(
    v.object({
      voice_id: v.pipe(v.string(), v.regex(/^\w+$/)),
      name: v.string(),
      labels: v.nullish(v.record(v.string(), v.nullable(v.string()))),
      preview_url: v.nullish(v.string()),
    }),
  ),
  has_more: v.boolean(),
  next_page_token: v.nullish(v.string()),
})
type ListedVoice = v.InferOutput<typeof page>['voices'][number]

const pageLength = 100

export function elevenLabsVoices(account: ElevenLabsAccount): VoiceVendor {
  const vendor = elevenLabsVendor(account)
  return {
    name: 'elevenlabs',
    list: async () => (await listAll(vendor)).map(voiceOf),
    speakSample: async (voice, text) =>
      Buffer.from((await textToSpeech(vendor, voice, 'mp3_22050_32', { text })).audio_base64, 'base64'),
  }
}

async function listAll(vendor: Vendor): Promise<ListedVoice[]> {
  const voices: ListedVoice[] = []
  let token: string | null | undefined
  do {
    const query = new URLSearchParams({ page_size: `${pageLength}`, ...(token ? { next_page_token: token } : {}) })
    const response = await callVendor(vendor, { path: `/v2/voices?${query}` }, page)
    voices.push(...response.voices)
    token = response.has_more ? response.next_page_token : undefined
  } while (token && voices.length < vendorVoicesMax)
  return voices
}

const genders = ['female', 'male', 'neutral'] as const

/** The model speaks many languages with every voice; the label names the language of the preview. */
function voiceOf({ voice_id, name, labels, preview_url }: ListedVoice): Voice {
  return {
    id: `${voicePrefixes.elevenlabs}${voice_id}`,
    name,
    provider: 'expressive',
    language: /^[a-z]{2,3}(?![a-z])/.exec(labels?.language ?? '')?.[0] ?? 'en',
    gender: genders.find((gender) => gender === labels?.gender) ?? 'neutral',
    engine: 'elevenlabs',
    engineVoice: voice_id,
    ...(preview_url?.startsWith('https://') ? { previewUrl: preview_url } : {}),
  }
}
