/** ElevenLabs as it is documented: https://elevenlabs.io/docs/api-reference. It speaks in tones. */
import * as v from 'valibot'
import {
  type FakeVendor,
  type RecordedRequest,
  startFakeVendor,
  VendorRefusal,
  type VendorResponse,
} from './fake-vendor.ts'
import { pcmBytes, silentMp3, synthesizeTones } from './tones.ts'

export const elevenLabsKey = 'sk_of_a_stand_in'

export const fakeElevenLabsVoices = [
  {
    ...{ voice_id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel' },
    labels: { accent: 'american', gender: 'female', language: 'en' },
    preview_url: 'https://storage.example.com/rachel.mp3',
  },
  {
    ...{ voice_id: 'pNInz6obpgDQGcFmaJgB', name: 'Adam' },
    labels: { gender: 'male', language: 'en' },
    preview_url: 'https://storage.example.com/adam.mp3',
  },
  { voice_id: 'mYOwnCl0nedVoice0001', name: 'Mine', labels: {}, preview_url: null },
].map((voice) => ({ category: 'premade', description: null, ...voice }))

const order = v.strictObject({
  text: v.pipe(v.string(), v.maxLength(10_000), v.minLength(1)),
  model_id: v.picklist(['eleven_multilingual_v2', 'eleven_flash_v2_5']),
  previous_text: v.optional(v.string()),
  next_text: v.optional(v.string()),
})

export const startFakeElevenLabs = (): Promise<FakeVendor> =>
  startFakeVendor((call) => {
    if (call.headers['xi-api-key'] !== elevenLabsKey) throw elevenLabsError(401, 'invalid_api_key', 'Invalid API key')
    const voiceId = /^\/v1\/text-to-speech\/(\w+)\/with-timestamps$/.exec(call.path)?.[1]
    if (call.method === 'POST' && voiceId) return speak(call, voiceId)
    if (call.method === 'GET' && call.path === '/v2/voices') return list(call)
    throw elevenLabsError(404, 'not_found', 'Not Found')
  })

/** A refusal as the vendor writes it: to be thrown, or its `answer` given as a fault. */
export const elevenLabsError = (status: number, name: string, message: string) =>
  new VendorRefusal(status, { detail: { status: name, message } })

export const billedRequests = ({ calls }: FakeVendor): RecordedRequest[] =>
  calls.filter(({ method }) => method === 'POST')

/** One voice a page, to see that all pages are read. */
function list({ query }: RecordedRequest): VendorResponse {
  const size = Number(query.get('page_size'))
  if (!(size >= 1 && size <= 100)) throw elevenLabsError(422, 'invalid', 'page_size must be 1 to 100')
  const from = Number(query.get('next_page_token') ?? 0)
  const has_more = from + 1 < fakeElevenLabsVoices.length
  const next_page_token = has_more ? `${from + 1}` : null
  const total_count = fakeElevenLabsVoices.length
  return { body: { voices: fakeElevenLabsVoices.slice(from, from + 1), has_more, total_count, next_page_token } }
}

function speak({ query, body }: RecordedRequest, voiceId: string): VendorResponse {
  if (!fakeElevenLabsVoices.some(({ voice_id }) => voice_id === voiceId))
    throw elevenLabsError(404, 'voice_not_found', `A voice with the voice_id ${voiceId} was not found.`)
  const given = v.safeParse(order, JSON.parse(body.toString('utf8')))
  if (!given.success) throw elevenLabsError(422, 'invalid', v.getDotPath(given.issues[0]) ?? 'the whole')
  const format = query.get('output_format') ?? 'mp3_44100_128'
  const rate = Number(/^pcm_(16000|22050|24000)$/.exec(format)?.[1] ?? 0)
  if (!rate && !/^mp3_(22050_32|44100_128)$/.test(format)) throw elevenLabsError(422, 'invalid', 'output_format')
  const { text } = given.output
  const { samples, tones } = synthesizeTones(text, rate || 22_050)
  const alignment = alignmentOf(text, tones)
  const audio = rate ? pcmBytes(samples) : silentMp3()
  return { body: { audio_base64: audio.toString('base64'), alignment, normalized_alignment: alignment } }
}

/** Every character has a time; what is between two words takes the time between them. */
function alignmentOf(text: string, tones: ReturnType<typeof synthesizeTones>['tones']) {
  const characters = Array.from(text)
  let unit = 0
  const times = characters.map((character) => {
    const at = unit
    unit += character.length
    const tone = tones.find(({ start, end }) => at >= start && at < end)
    if (tone) {
      const share = (place: number) => (place - tone.start) / (tone.end - tone.start)
      const msAt = (place: number) => tone.startMs + (tone.endMs - tone.startMs) * share(place)
      return [msAt(at), msAt(at + character.length)] as const
    }
    const before = tones.findLast(({ end }) => end <= at)?.endMs ?? 0
    const next = tones.find(({ start }) => start > at)?.startMs ?? before
    return [before, next] as const
  })
  return {
    characters,
    character_start_times_seconds: times.map(([from]) => Math.round(from) / 1000),
    character_end_times_seconds: times.map(([, to]) => Math.round(to) / 1000),
  }
}
