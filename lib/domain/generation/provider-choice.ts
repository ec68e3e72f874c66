/** Who writes, speaks, hears, draws and films for a deployment: built in unless the deployment chooses a vendor. */
import * as v from 'valibot'

const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  v.optional(v.picklist(['built-in', ...names]), 'built-in')

/** What may stand in `PROVIDERS`, as JSON. A name that is not known here is an error of whoever deploys. */
export const providerChoice = v.strictObject({
  writer: oneOf('bedrock'),
  director: oneOf('bedrock'),
  /** The model of Bedrock that writes and directs: an inference profile, or a model of the deployment's own region. */
  textModel: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$/, 'must be the id of a model of Bedrock')),
    'global.amazon.nova-2-lite-v1:0',
  ),
  narrator: oneOf('polly'),
  /** Voices with expression, beside those of the narrator. */
  expressive: v.optional(v.picklist(['none', 'elevenlabs']), 'none'),
  transcriber: oneOf('transcribe'),
  images: oneOf('stability'),
  footage: oneOf('pexels'),
  animator: oneOf('fal', 'luma'),
  avatars: oneOf('fal', 'heygen'),
})
export type ProviderChoice = v.InferOutput<typeof providerChoice>

/** Models of Bedrock that make pictures. Both answer in one region alone, wherever the deployment is. */
export const bedrockMediaModels = {
  stability: { modelId: 'stability.stable-image-core-v1:1', region: 'us-west-2' },
  luma: { modelId: 'luma.ray-v2:0', region: 'us-west-2' },
} as const

/** As it can stand in a header. Whoever writes a secret with an editor ends it with a line. */
const key = v.optional(v.pipe(v.string(), v.trim(), v.regex(/^[\x20-\x7e]*$/)))

/** The secret with the vendors' keys, as JSON. */
export const providerKeys = v.object({ elevenlabs: key, pexels: key, fal: key, heygen: key })
export type ProviderKeys = v.InferOutput<typeof providerKeys>

/** Where the vendors' APIs begin. A deployment changes none of them: tests put stand-ins in their place (`VENDOR_URLS`). */
export const vendorUrls = v.object({
  elevenlabs: v.optional(v.string(), 'https://api.elevenlabs.io'),
  pexels: v.optional(v.string(), 'https://api.pexels.com'),
  fal: v.optional(v.string(), 'https://queue.fal.run'),
  heygen: v.optional(v.string(), 'https://api.heygen.com'),
})
