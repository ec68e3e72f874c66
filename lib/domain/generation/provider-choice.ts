/** The providers of a deployment: built-in ones unless the deployment selects a vendor. */
import * as v from 'valibot'

const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  v.optional(v.picklist(['built-in', ...names]), 'built-in')

/** Base URL of OpenAI, and its models, which are the default for it only: no other server has the same names. */
export const openAiUrl = 'https://api.openai.com/v1'
const openAiModels = {
  text: 'gpt-5-mini',
  speech: 'gpt-4o-mini-tts',
  // Newer models give no word times.
  transcription: 'whisper-1',
  images: 'gpt-image-1',
} as const

/** What a server that speaks OpenAI's API can do. `text` serves writer and director, `speech` both tiers of voices. */
export type OpenAiCapability = keyof typeof openAiModels

const serverUrl = v.pipe(
  v.string(),
  v.url('must be a URL, such as https://api.openai.com/v1'),
  v.regex(/^https?:\/\/[^?#@]+$/, 'must begin with https:// or http://, without credentials, query and fragment'),
  // Every such server has its API at /v1 unless the address says otherwise.
  v.transform((url) => (new URL(url).pathname === '/' ? `${new URL(url).origin}/v1` : url.replace(/(?<!\/)\/+$/, ''))),
)
const serverFields = {
  /** Default: `openai.baseUrl`. */
  baseUrl: v.optional(serverUrl),
  model: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('must name a model'))),
}
const openAiServers = v.strictObject({
  baseUrl: v.optional(serverUrl, openAiUrl),
  text: v.optional(v.strictObject(serverFields), {}),
  speech: v.optional(
    v.strictObject({
      ...serverFields,
      /** Default: all voices of the server. `name:de` adds the language of a voice whose name does not imply it. */
      voices: v.optional(v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty())), v.maxLength(100))),
    }),
    {},
  ),
  transcription: v.optional(v.strictObject(serverFields), {}),
  images: v.optional(v.strictObject(serverFields), {}),
})

/** The JSON value of the variable `PROVIDERS`. An unknown name is a deployment error. */
export const providerChoice = v.strictObject({
  writer: oneOf('bedrock', 'openai'),
  director: oneOf('bedrock', 'openai'),
  /** The Bedrock model of writer and director: an inference profile, or a model of the deployment's region. */
  textModel: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$/, 'must be the id of a model of Bedrock')),
    'global.amazon.nova-2-lite-v1:0',
  ),
  /** Facts for the writer: the bundled knowledge, also Wikipedia where it knows nothing, or none. */
  research: v.optional(v.picklist(['built-in', 'wikipedia', 'none']), 'built-in'),
  narrator: oneOf('polly', 'openai'),
  /** Expressive voices, in addition to those of the narrator. */
  expressive: v.optional(v.picklist(['none', 'elevenlabs', 'openai']), 'none'),
  transcriber: oneOf('transcribe', 'openai'),
  /** Wikimedia Commons and Openverse find free pictures and need no key. */
  images: oneOf('stability', 'openai', 'wikimedia', 'openverse'),
  footage: oneOf('pexels', 'wikimedia'),
  animator: oneOf('fal', 'luma'),
  avatars: oneOf('fal', 'heygen'),
  /** The servers of `openai`, by capability. */
  openai: v.optional(openAiServers),
  /**
   * Where sources without a key reach the operator: an e-mail address or a URL, sent as part of the User-Agent
   * (https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy).
   */
  contact: v.optional(
    v.pipe(v.string(), v.trim(), v.regex(/^[\x21-\x7e]{3,200}$/, 'must be an e-mail address or a URL')),
  ),
})
export type ProviderChoice = v.InferOutput<typeof providerChoice>

/** The fields of `providers` that choose between providers; the others configure them. */
export type ChosenCapability = Exclude<keyof ProviderChoice, 'textModel' | 'openai' | 'contact'>

const openAiUses: Record<OpenAiCapability, readonly ChosenCapability[]> = {
  text: ['writer', 'director'],
  speech: ['narrator', 'expressive'],
  transcription: ['transcriber'],
  images: ['images'],
}
export const openAiCapabilities = Object.keys(openAiUses) as OpenAiCapability[]

/** Whether a capability is served by an OpenAI-compatible server. */
export const usesOpenAi = (choice: ProviderChoice, capability: OpenAiCapability): boolean =>
  openAiUses[capability].some((name) => choice[name] === 'openai')

export interface OpenAiAddress {
  baseUrl: string
  /** Undefined where a server other than OpenAI has no model configured. */
  model: string | undefined
  /** Whether the address is that of `openai.baseUrl`, whose key it takes. */
  isShared: boolean
}

/** Server and model of a capability. */
export function openAiAddress({ openai }: Pick<ProviderChoice, 'openai'>, capability: OpenAiCapability): OpenAiAddress {
  const shared = openai?.baseUrl ?? openAiUrl
  const own = openai?.[capability]
  const baseUrl = own?.baseUrl ?? shared
  return {
    baseUrl,
    model: own?.model ?? (baseUrl === openAiUrl ? openAiModels[capability] : undefined),
    isShared: new URL(baseUrl).origin === new URL(shared).origin,
  }
}

/** Bedrock models for images and clips. Both exist in one region only, independent of the deployment's. */
export const bedrockMediaModels = {
  stability: { modelId: 'stability.stable-image-core-v1:1', region: 'us-west-2' },
  luma: { modelId: 'luma.ray-v2:0', region: 'us-west-2' },
} as const

/** Must be valid in a header. Trimmed: editors add a newline to a secret. */
const key = v.optional(v.pipe(v.string(), v.trim(), v.regex(/^[\x20-\x7e]*$/)))

/**
 * The JSON value of the secret with the vendors' API keys. `openai` is sent to `openai.baseUrl` only; a capability with
 * another address has a key of its own.
 */
export const providerKeys = v.object({
  elevenlabs: key,
  pexels: key,
  fal: key,
  heygen: key,
  openai: key,
  openaiText: key,
  openaiSpeech: key,
  openaiTranscription: key,
  openaiImages: key,
})
export type ProviderKeys = v.InferOutput<typeof providerKeys>
export const openAiKeys = {
  text: 'openaiText',
  speech: 'openaiSpeech',
  transcription: 'openaiTranscription',
  images: 'openaiImages',
} as const satisfies Record<OpenAiCapability, keyof ProviderKeys>

/** Base URLs of the vendors' APIs. Only tests override them, to use stubs (`VENDOR_URLS`). */
export const vendorUrls = v.object({
  elevenlabs: v.optional(v.string(), 'https://api.elevenlabs.io'),
  pexels: v.optional(v.string(), 'https://api.pexels.com'),
  fal: v.optional(v.string(), 'https://queue.fal.run'),
  heygen: v.optional(v.string(), 'https://api.heygen.com'),
  /** `{language}` is the language of the encyclopedia. */
  wikipedia: v.optional(v.string(), 'https://{language}.wikipedia.org'),
  wikimedia: v.optional(v.string(), 'https://commons.wikimedia.org'),
  openverse: v.optional(v.string(), 'https://api.openverse.org'),
})
/** Sources that need no key. */
export type KeylessVendor = 'wikipedia' | 'wikimedia' | 'openverse'
export type KeyedVendor = Exclude<keyof v.InferOutput<typeof vendorUrls>, KeylessVendor>
