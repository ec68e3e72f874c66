/**
 * Stable Image Core on Bedrock:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-image-core-text-image-request-response.html
 */
import * as v from 'valibot'
import { type BedrockOperation, restJsonError } from './bedrock.ts'
import { tinyPicture } from './media.ts'

const ratios = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'] as const
const request = v.strictObject({
  prompt: v.pipe(v.string(), v.minLength(1), v.maxLength(10_000)),
  negative_prompt: v.optional(v.pipe(v.string(), v.maxLength(10_000))),
  aspect_ratio: v.optional(v.picklist(ratios)),
  seed: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4_294_967_295))),
  output_format: v.optional(v.picklist(['png', 'jpeg'])),
  mode: v.optional(v.literal('text-to-image')),
})

/** Prompts with this word are held back. */
export const filteredWord = 'forbidden'

export const stability: BedrockOperation = {
  method: 'POST',
  path: /^\/model\/(?<modelId>[^/]+)\/invoke$/,
  async answer({ body }, { modelId }) {
    if (modelId !== 'stability.stable-image-core-v1:1')
      throw restJsonError(400, 'ValidationException', 'The provided model identifier is invalid.')
    const given = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body.toString('utf8'))
    if (!given.success)
      throw restJsonError(400, 'ValidationException', `Malformed input request: ${v.getDotPath(given.issues[0])}`)
    const { prompt, seed = 0 } = given.output
    if (prompt.includes(filteredWord)) return { body: { finish_reasons: ['Filter reason: prompt'] } }
    const image = (await tinyPicture()).toString('base64')
    return { body: { seeds: [seed], finish_reasons: [null], images: [image] } }
  },
}
