/**
 * The voices of a server with OpenAI's API. OpenAI has no list: its names are documented. Kokoro-FastAPI, Speaches and
 * vLLM list theirs at `GET /audio/voices`, Speaches with the model in `GET /models` too.
 */
import * as v from 'valibot'
import { OutcomeUnknown, ProviderRejected } from '../../domain/core/failures.ts'
import { greetedLanguages, type Voice, vendorVoicesMax, voicePrefixes } from '../../domain/videos/voices.ts'
import { type OpenAiServer, openAiVendor } from '../openai/server.ts'
import { callVendor, VendorRejected } from '../vendor.ts'
import type { VoiceVendor } from './index.ts'
import { requestSpeech } from './openai.ts'

export interface OpenAiVoiceChoice {
  /** A voice has another id in each tier. The second tier has one voice of each language and gender. */
  tiers: readonly Voice['provider'][]
  /** Instead of the server's list; `name:de` names the language. */
  names?: readonly string[] | undefined
}

interface NamedVoice {
  name: string
  /** The first one is that of its plain id. */
  languages: readonly string[]
  gender: Voice['gender']
}

type Gender = Voice['gender']
/** https://platform.openai.com/docs/guides/text-to-speech (read November 2026). Each speaks every language. */
const openAiVoiceGenders: Record<string, Gender> = {
  ...{ alloy: 'neutral', nova: 'female', onyx: 'male', coral: 'female', ash: 'male', sage: 'female', echo: 'male' },
  ...{ shimmer: 'female', fable: 'neutral', ballad: 'male', verse: 'male', marin: 'female', cedar: 'male' },
}
/** tts-1 and tts-1-hd do not know these. */
const newerVoices = ['ballad', 'verse', 'marin', 'cedar']
/** In a language other than English two voices are offered: a list of all would repeat them in every language. */
const multilingual = ['nova', 'onyx']

const everyLanguage = ['en', ...greetedLanguages.filter((language) => language !== 'en')]

/** Kokoro's prefixes: language, then f or m (https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md). */
const kokoroLanguages: Record<string, string> = {
  ...{ a: 'en', b: 'en', e: 'es', f: 'fr', h: 'hi', i: 'it', j: 'ja', p: 'pt', z: 'zh' },
}
/** The voice with the best grade of the same list is the default. */
const kokoroFirst = 'af_heart'

const listedVoice = v.pipe(
  v.union([
    v.pipe(
      v.string(),
      v.transform((name) => ({ name })),
    ),
    v.pipe(
      v.object({
        id: v.optional(v.string()),
        voice_id: v.optional(v.string()),
        name: v.optional(v.string()),
        model_id: v.optional(v.string()),
        language: v.nullish(v.string()),
        gender: v.nullish(v.string()),
      }),
      v.transform(({ id, voice_id, name, ...rest }) => ({ ...rest, name: voice_id ?? id ?? name ?? '' })),
    ),
  ]),
)
const voiceList = v.union([
  v.pipe(
    v.object({ voices: v.array(listedVoice) }),
    v.transform(({ voices }) => voices),
  ),
  v.pipe(
    v.object({ data: v.array(listedVoice) }),
    v.transform(({ data }) => data),
  ),
  v.array(listedVoice),
])
const modelList = v.object({
  data: v.array(v.object({ id: v.string(), voices: v.nullish(v.array(listedVoice)) })),
})
type ListedVoice = v.InferOutput<typeof listedVoice>

export function openAiVoices(server: OpenAiServer, { tiers, names }: OpenAiVoiceChoice): VoiceVendor {
  return {
    name: 'openai',
    list: async () => {
      const voices = names ? names.map((name) => namedVoice(name)) : await listVoices(server)
      const [standard, ...others] = tiers.map((tier) => voices.flatMap((voice) => inLanguages(voice, tier)))
      return [...(standard ?? []), ...others.flatMap(oneOfEach)].slice(0, vendorVoicesMax)
    },
    speakSample: async (voice, sentence) => {
      const { body } = await requestSpeech(server, voice, sentence, 'mp3')
      if (!isMp3(body)) throw new ProviderRejected(`${openAiVendor(server).name} returned a sample that is not MP3.`)
      return body
    },
  }
}

/**
 * The first voice of each language and gender. In a second tier all would be repeated, and each one has a preview that
 * the server speaks.
 */
function oneOfEach(voices: readonly Voice[]): Voice[] {
  const kinds = voices.map(({ language, gender }) => `${language} ${gender}`)
  return voices.filter((_, index) => kinds.indexOf(kinds[index]!) === index)
}

/** The beginning of an ID3 tag or of a frame. */
const isMp3 = ([first, second = 0, third]: Uint8Array) =>
  (first === 0x49 && second === 0x44 && third === 0x33) || (first === 0xff && (second & 0xe6) === 0xe2)

async function listVoices(server: OpenAiServer): Promise<NamedVoice[]> {
  if (new URL(server.baseUrl).hostname === 'api.openai.com')
    return openAiNames(server).map((name) => namedVoice(name, multilingual.includes(name)))
  const listed = (await voicesOfServer(server)).filter(({ name }) => isVoiceName.test(name))
  if (listed.length === 0) throw new ProviderRejected(`${openAiVendor(server).name} lists no voices: name one.`)
  return listed.map(voiceOf).toSorted((a, b) => rank(a) - rank(b))
}

const openAiNames = ({ model }: OpenAiServer) =>
  Object.keys(openAiVoiceGenders).filter((name) => !model.startsWith('tts-1') || !newerVoices.includes(name))

const rank = ({ name }: NamedVoice) => (name === kokoroFirst ? 0 : 1)

/** Part of a voice id, of a storage key and of a URL. */
const isVoiceName = /^[\p{L}\p{N}][\p{L}\p{N}._+() -]{0,99}$/u

/** Servers without such a list answer 404 or 405, LM Studio 200 with an error. */
async function voicesOfServer(server: OpenAiServer): Promise<ListedVoice[]> {
  const vendor = openAiVendor(server)
  try {
    const voices = await callVendor(vendor, { path: '/audio/voices' }, voiceList)
    const own = voices.filter((voice) => !('model_id' in voice) || !voice.model_id || voice.model_id === server.model)
    if (own.length > 0) return own
  } catch (error) {
    if (!(error instanceof VendorRejected || error instanceof OutcomeUnknown)) throw error
  }
  const { data } = await callVendor(vendor, { path: '/models' }, modelList)
  return data.find(({ id }) => id === server.model)?.voices ?? []
}

function voiceOf(listed: ListedVoice): NamedVoice {
  const known = namedVoice(listed.name)
  const language = 'language' in listed ? twoLetters(listed.language ?? '') : undefined
  const gender = 'gender' in listed ? genders.find((name) => name === listed.gender?.toLowerCase()) : undefined
  return { ...known, ...(language && { languages: [language] }), ...(gender && { gender }) }
}

const genders = ['female', 'male', 'neutral'] as const
const twoLetters = (tag: string) => /^[a-z]{2,3}(?![a-z])/i.exec(tag)?.[0].toLowerCase()

/** Language and gender by the name: `af_heart` of Kokoro, `de_DE-thorsten-medium` of Piper, `nova` of OpenAI. */
function namedVoice(text: string, isMultilingual = true): NamedVoice {
  const [, name = text, named] = /^(.+):([a-z]{2,3})$/.exec(text) ?? []
  const [, kokoro, sex] = /^([a-z])([fm])_/.exec(name) ?? []
  const piper = /^([a-z]{2,3})_[A-Z]{2}\b/.exec(name)?.[1]
  const language = named ?? (kokoro ? kokoroLanguages[kokoro] : undefined) ?? piper
  const isOpenAi = name in openAiVoiceGenders
  const gender = sex === 'f' ? 'female' : sex === 'm' ? 'male' : (openAiVoiceGenders[name] ?? 'neutral')
  const languages = language ? [language] : isOpenAi && isMultilingual ? everyLanguage : ['en']
  return { name, languages, gender }
}

function inLanguages({ name, languages, gender }: NamedVoice, tier: Voice['provider']): Voice[] {
  const id = `${voicePrefixes.openai}${tier === 'expressive' ? 'expressive-' : ''}${name.replace(/[^\w.-]/g, '-')}`
  return languages.map((language, index) => ({
    id: index === 0 ? id : `${id}-${language}`,
    name: displayName(name),
    provider: tier,
    language,
    gender,
    engine: 'openai',
    engineVoice: name,
  }))
}

/** `af_heart` is Heart. */
const displayName = (name: string) => {
  const short = name.replace(/^[a-z][fm]_/, '')
  return short.charAt(0).toUpperCase() + short.slice(1)
}
