/**
 * Pictures by Stable Image Core on Bedrock.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-image-core-text-image-request-response.html
 */
import { createHash } from 'node:crypto'
import { type BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime'
import * as v from 'valibot'
import { ProviderBusy, ProviderRejected } from '../../domain/core/failures.ts'
import { bedrockMediaModels } from '../../domain/generation/provider-choice.ts'
import { detectDemuxer } from '../../ffmpeg/limits.ts'
import { nearestAspectRatio } from '../aspect-ratio.ts'
import { bedrockFailure } from '../bedrock.ts'
import type { Images, PictureInput } from './index.ts'

const { modelId } = bedrockMediaModels.stability
const shapes = ['9:16', '16:9', '1:1', '4:5'] as const
const promptCharactersMax = 10_000
const deadlineMs = 60_000
/** Captions are ours to draw. */
const unwanted = 'text, letters, caption, subtitles, watermark, logo'

const answer = v.object({
  /** Null where the picture was made. */
  finish_reasons: v.tupleWithRest([v.nullable(v.string())], v.unknown()),
  images: v.optional(v.array(v.string()), []),
})

export const stabilityImages = (client: BedrockRuntimeClient): Images => ({
  id: `stability-1/${modelId}`,
  async draw(wish, signal) {
    const command = new InvokeModelCommand({
      modelId,
      contentType: 'application/json',
      accept: 'application/json',
      body: JSON.stringify(requestFor(wish)),
    })
    // A time-out of the client would be over when the answer begins.
    const over = AbortSignal.timeout(deadlineMs)
    const abortSignal = signal ? AbortSignal.any([signal, over]) : over
    const { body } = await client.send(command, { abortSignal }).catch((error) => {
      throw bedrockFailure(error)
    })
    const { finish_reasons, images } = read(body.transformToString())
    const [reason] = finish_reasons
    if (reason?.startsWith('Filter reason'))
      throw new ProviderRejected(`The picture of “${wish.prompt.slice(0, 60)}” was held back by the model's filter.`)
    const bytes = Buffer.from(images[0] ?? '', 'base64')
    if (reason || detectDemuxer(bytes) !== 'png_pipe') throw new ProviderBusy(`The model drew nothing (${reason}).`)
    return { bytes, contentType: 'image/png' }
  },
})

const requestFor = ({ prompt, mood, width, height, seed, take }: PictureInput) => ({
  prompt: [prompt, mood && `${mood} mood`].filter(Boolean).join(', ').slice(0, promptCharactersMax),
  negative_prompt: unwanted,
  aspect_ratio: nearestAspectRatio(shapes, { width, height }),
  seed: seedFrom(take ? `${seed}/${take}` : seed),
  output_format: 'png',
})

/** 1 to 4294967294: with 0 the model would choose one itself. */
const seedFrom = (seed: string) => Math.max(1, createHash('sha256').update(seed).digest().readUInt32BE(0) - 1)

function read(text: string): v.InferOutput<typeof answer> {
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), answer), text)
  if (!given.success) throw new ProviderBusy('Bedrock answers otherwise than documented.')
  return given.output
}
