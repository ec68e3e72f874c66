/** The providers of a deployment: built-in ones unless the deployment selects a vendor. */
import * as v from 'valibot'

const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  v.optional(v.picklist(['built-in', ...names]), 'built-in')

/** The JSON value of the variable `PROVIDERS`. An unknown name is a deployment error. */
export const providerChoice = v.strictObject({
  writer: oneOf('bedrock'),
  director: oneOf('bedrock'),
  /** The Bedrock model of writer and director: an inference profile, or a model of the deployment's region. */
  textModel: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$/, 'must be the id of a model of Bedrock')),
    'global.amazon.nova-2-lite-v1:0',
  ),
  /** Facts for the writer: the bundled knowledge, also Wikipedia where it knows nothing, or none. */
  research: v.optional(v.picklist(['built-in', 'wikipedia', 'none']), 'built-in'),
  narrator: oneOf('polly'),
  /** Expressive voices, in addition to those of the narrator. */
  expressive: v.optional(v.picklist(['none', 'elevenlabs']), 'none'),
  transcriber: oneOf('transcribe'),
  images: oneOf('stability'),
  footage: oneOf('pexels'),
  animator: oneOf('fal', 'luma'),
  avatars: oneOf('fal', 'heygen'),
})
export type ProviderChoice = v.InferOutput<typeof providerChoice>

/** Bedrock models for images and clips. Both exist in one region only, independent of the deployment's. */
export const bedrockMediaModels = {
  stability: { modelId: 'stability.stable-image-core-v1:1', region: 'us-west-2' },
  luma: { modelId: 'luma.ray-v2:0', region: 'us-west-2' },
} as const

/** Must be valid in a header. Trimmed: editors add a newline to a secret. */
const key = v.optional(v.pipe(v.string(), v.trim(), v.regex(/^[\x20-\x7e]*$/)))

/** The JSON value of the secret with the vendors' API keys. */
export const providerKeys = v.object({ elevenlabs: key, pexels: key, fal: key, heygen: key })
export type ProviderKeys = v.InferOutput<typeof providerKeys>

/** Base URLs of the vendors' APIs. Only tests override them, to use stubs (`VENDOR_URLS`). */
export const vendorUrls = v.object({
  elevenlabs: v.optional(v.string(), 'https://api.elevenlabs.io'),
  pexels: v.optional(v.string(), 'https://api.pexels.com'),
  fal: v.optional(v.string(), 'https://queue.fal.run'),
  heygen: v.optional(v.string(), 'https://api.heygen.com'),
})
