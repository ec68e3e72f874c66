/** The voices that an account at ElevenLabs may use. */
import * as v from 'valibot'
import { type Voice, voicePrefixes } from '../../domain/videos/voices.ts'
import { callVendor, type Vendor } from '../vendor.ts'
import { type ElevenLabsAccount, elevenLabsVendor, textToSpeech } from './elevenlabs.ts'
import type { VoiceVendor } from './index.ts'

/** https://elevenlabs.io/docs/api-reference/voices/search */
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
/** An account that has added more voices than this would find a list of them of no use either. */
const voicesMax = 500

export function elevenLabsVoices(account: ElevenLabsAccount): VoiceVendor {
  const vendor = elevenLabsVendor(account)
  return {
    name: 'elevenlabs',
    list: async () => (await listed(vendor)).map(voiceOf),
    speakSample: async (voice, text) =>
      Buffer.from((await textToSpeech(vendor, voice, 'mp3_22050_32', { text })).audio_base64, 'base64'),
  }
}

async function listed(vendor: Vendor): Promise<ListedVoice[]> {
  const voices: ListedVoice[] = []
  let token: string | null | undefined
  do {
    const query = new URLSearchParams({ page_size: `${pageLength}`, ...(token ? { next_page_token: token } : {}) })
    const answer = await callVendor(vendor, { path: `/v2/voices?${query}` }, page)
    voices.push(...answer.voices)
    token = answer.has_more ? answer.next_page_token : undefined
  } while (token && voices.length < voicesMax)
  return voices
}

const genders = ['female', 'male', 'neutral'] as const

/** The model speaks many languages with every voice; the one of a voice's label is that of its preview. */
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
