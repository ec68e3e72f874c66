/**
 * Images by Stability AI, Stable Image Core on Bedrock (InvokeModel), us-west-2 only (read November 2026):
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-image-core-text-image-request-response.html
 * Limits: prompts of 10,000 characters; four of its aspect ratios are used.
 */
import { createHash } from 'node:crypto'
import { type BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime'
import * as v from 'valibot'
import { InputRejected, ProviderBusy } from '../../domain/core/failures.ts'
import { bedrockMediaModels } from '../../domain/generation/provider-choice.ts'
import { detectDemuxer } from '../../ffmpeg/limits.ts'
import { nearestAspectRatio } from '../aspect-ratio.ts'
import { bedrockFailure } from '../bedrock.ts'
import type { Images, PictureInput } from './index.ts'

const { modelId } = bedrockMediaModels.stability
const aspectRatios = ['9:16', '16:9', '1:1', '4:5'] as const
const promptCharactersMax = 10_000
const deadlineMs = 60_000
/** The renderer draws captions. */
const negativePrompt = 'text, letters, caption, subtitles, watermark, logo'

const responseSchema = v.object({
  /** Null: success. */
  finish_reasons: v.tupleWithRest([v.nullable(v.string())], v.unknown()),
  images: v.optional(v.array(v.string()), []),
})

export const stabilityImages = (client: BedrockRuntimeClient): Images => ({
  id: `stability-1/${modelId}`,
  async draw(input, signal) {
    const command = new InvokeModelCommand({
      modelId,
      contentType: 'application/json',
      accept: 'application/json',
      body: JSON.stringify(requestFor(input)),
    })
    // A timeout of the client would end at the response headers.
    const deadline = AbortSignal.timeout(deadlineMs)
    const abortSignal = signal ? AbortSignal.any([signal, deadline]) : deadline
    const { body } = await client.send(command, { abortSignal }).catch((error) => {
      throw bedrockFailure(error)
    })
    const { finish_reasons, images } = parseResponse(body.transformToString())
    const [reason] = finish_reasons
    if (reason?.startsWith('Filter reason'))
      throw new InputRejected(
        `The picture of “${input.prompt.slice(0, 60)}” was blocked by the content filter of the model.`,
      )
    const bytes = Buffer.from(images[0] ?? '', 'base64')
    if (reason || detectDemuxer(bytes) !== 'png_pipe')
      throw new ProviderBusy(`The model returned no picture (${reason ?? 'no reason given'}).`)
    return { bytes, contentType: 'image/png' }
  },
})

const requestFor = ({ prompt, mood, width, height, seed, take }: PictureInput) => ({
  prompt: [prompt, mood && `${mood} mood`].filter(Boolean).join(', ').slice(0, promptCharactersMax),
  negative_prompt: negativePrompt,
  aspect_ratio: nearestAspectRatio(aspectRatios, { width, height }),
  seed: seedFrom(take ? `${seed}/${take}` : seed),
  output_format: 'png',
})

/** 1 to 4294967294: 0 means a random seed. */
const seedFrom = (seed: string) => Math.max(1, createHash('sha256').update(seed).digest().readUInt32BE(0) - 1)

function parseResponse(text: string): v.InferOutput<typeof responseSchema> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), responseSchema), text)
  if (!parsed.success) throw new ProviderBusy('Bedrock returned an unexpected response.')
  return parsed.output
}
