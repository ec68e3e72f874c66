/**
 * Stills animated by Luma Ray2 on Bedrock, which puts its film into a bucket. Bedrock knows an order again by its token.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-luma.html
 */
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { GetAsyncInvokeCommand, StartAsyncInvokeCommand } from '@aws-sdk/client-bedrock-runtime'
import { OutcomeUnknown, ProviderBusy } from '../../domain/core/failures.ts'
import { bedrockMediaModels } from '../../domain/generation/provider-choice.ts'
import { nearestAspectRatio } from '../aspect-ratio.ts'
import { bedrockFailure } from '../bedrock.ts'
import type { Clip } from '../footage/index.ts'
import { normaliseClip } from '../footage/normalise-clip.ts'
import { stillAsJpeg } from '../images/still.ts'
import { type OrderApi, OrderFailed, type PollPolicy, runOrder } from '../vendor-orders.ts'
import type { AnimationInput, Animator } from './index.ts'

const { modelId } = bedrockMediaModels.luma
const shapes = ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21'] as const
const promptCharactersMax = 5_000
const deadlineMs = 60_000

/** Where Bedrock puts its films: a bucket in the model's own region. */
export interface LumaResultStore {
  /** `s3://bucket/folder` for an order, without a slash at the end. */
  folderFor(key: string): string
  read(uri: string): Promise<Uint8Array>
}

export function lumaAnimator(client: BedrockRuntimeClient, results: LumaResultStore, patience: PollPolicy): Animator {
  const work: OrderApi<AnimationInput, Clip> = {
    name: 'Luma',
    isIdempotent: true,
    submit: async (wish, token, { key }) => {
      const command = new StartAsyncInvokeCommand({
        modelId,
        clientRequestToken: token,
        modelInput: inputOf(wish),
        outputDataConfig: { s3OutputDataConfig: { s3Uri: results.folderFor(key) } },
      })
      const { invocationArn } = await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) }).catch(fail)
      if (!invocationArn) throw new OutcomeUnknown('Bedrock does not name the order.')
      return invocationArn
    },
    poll: async (invocationArn, { signal }) => {
      const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
      const { status, outputDataConfig } = await client
        .send(new GetAsyncInvokeCommand({ invocationArn }), { abortSignal })
        .catch(fail)
      // Its reason speaks of the deployment's account.
      if (status === 'Failed') throw new OrderFailed('Luma could not make this.')
      if (status !== 'Completed') return undefined
      return `${outputDataConfig?.s3OutputDataConfig?.s3Uri}/output.mp4`
    },
    collect: async (address, wish, { directory, signal }) =>
      normaliseClip(await results.read(address), wish, { directory, signal, from: 'Luma', maySlowDown: true }),
  }
  return {
    id: `luma-1/${modelId}`,
    animate: async (wish, place) =>
      runOrder(work, { ...wish, still: await stillAsJpeg(wish.still, wish, place) }, place, patience),
  }
}

const inputOf = ({ still, prompt, durationMs, width, height }: AnimationInput) => ({
  prompt: prompt.slice(0, promptCharactersMax),
  aspect_ratio: nearestAspectRatio(shapes, { width, height }),
  duration: durationMs <= 5_000 ? '5s' : '9s',
  resolution: '720p',
  loop: false,
  keyframes: {
    frame0: {
      type: 'image',
      source: { type: 'base64', media_type: 'image/jpeg', data: Buffer.from(still).toString('base64') },
    },
  },
})

/** A busy Bedrock may have taken the order: it is placed again under its token, so that does not matter. */
function fail(error: unknown): never {
  const failure = bedrockFailure(error)
  throw failure instanceof ProviderBusy ? new OutcomeUnknown(failure.message, { cause: error }) : failure
}
