/**
 * Pictures as each server makes them: OpenAI's gpt-image rejects `response_format` and gives base64, LocalAI and older
 * models an address. Sources: platform.openai.com/docs/api-reference/images/create,
 * localai.io/features/image-generation (read November 2026)
 */
import * as v from 'valibot'
import { tinyPicture } from '../fake-vendors/media.ts'
import { type OpenAiOperation, openAiError } from './stand-in.ts'

export type ImageServer = 'gpt-image-1' | 'dall-e-3' | 'localai' | 'data-url' | 'strict-sizes'

const sizes: Partial<Record<ImageServer, string[]>> = {
  'gpt-image-1': ['auto', '1024x1024', '1024x1536', '1536x1024'],
  'dall-e-3': ['1024x1024', '1024x1792', '1792x1024'],
  'strict-sizes': ['512x512'],
}

const request = v.object({
  model: v.string(),
  prompt: v.pipe(v.string(), v.minLength(1)),
  n: v.optional(v.literal(1)),
  size: v.optional(v.string()),
  quality: v.optional(v.picklist(['auto', 'low', 'medium', 'high'])),
})
const documented = ['model', 'prompt', 'n', 'size', 'quality', 'background', 'output_format', 'moderation']

/** Words that the moderation refuses. */
export const refusedPrompt = 'A forbidden thing'

/** `baseOf` is the base URL of the server, known once it listens. */
export const imageOperations = (server: ImageServer, baseOf: () => string = () => ''): OpenAiOperation[] => [
  {
    path: '/images/generations',
    async answer({ body }) {
      const given = JSON.parse(body.toString('utf8'))
      const unknown = Object.keys(given).find((name) => !documented.includes(name))
      if (unknown) throw openAiError('openai', 400, `Unknown parameter: '${unknown}'.`, 'unknown_parameter')
      const { prompt, size = 'auto', quality } = v.parse(request, given)
      const known = sizes[server]
      if (known && size !== 'auto' && !known.includes(size))
        throw openAiError(
          'openai',
          400,
          `Invalid size '${size}'. Supported sizes are ${known.join(', ')}.`,
          'invalid_value',
        )
      if (quality && server !== 'gpt-image-1') throw openAiError('openai', 400, "Unknown parameter: 'quality'.")
      if (prompt.startsWith(refusedPrompt))
        throw openAiError('openai', 400, 'Your request was rejected by the safety system.', 'moderation_blocked')
      const png = await tinyPicture()
      if (server === 'gpt-image-1' || server === 'strict-sizes')
        return { body: { created: 1, data: [{ b64_json: png.toString('base64') }], usage: { total_tokens: 1 } } }
      if (server === 'data-url') return { body: { data: [{ url: `data:image/png;base64,${png.toString('base64')}` }] } }
      return { body: { created: 1, data: [{ url: `${baseOf()}/generated-images/1.png`, revised_prompt: prompt }] } }
    },
  },
  {
    method: 'GET',
    path: '/generated-images/1.png',
    answer: async ({ headers }) =>
      headers.authorization
        ? { status: 400, body: 'a picture needs no key' }
        : { headers: { 'content-type': 'image/png' }, body: await tinyPicture() },
  },
]
