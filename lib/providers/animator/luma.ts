/**
 * Animator by Luma Ray2 on Bedrock (StartAsyncInvoke, GetAsyncInvoke), us-west-2 only:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-luma.html (read November 2026). Submits are
 * idempotent by client request token. Bedrock writes the result into a bucket. Limits: 5 or 9 seconds, prompts of 5,000
 * characters.
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
import { type OrderApi, OrderFailed, runOrder } from '../vendor-orders.ts'
import type { AnimationInput, Animator } from './index.ts'

const { modelId } = bedrockMediaModels.luma
const aspectRatios = ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21'] as const
const promptCharactersMax = 5_000
const deadlineMs = 60_000

/** A bucket in the region of the model, into which Bedrock writes results. */
export interface LumaResultStore {
  /** `s3://bucket/folder` for an order, without a trailing slash. */
  folderFor(key: string): string
  read(uri: string): Promise<Uint8Array>
}

export function lumaAnimator(client: BedrockRuntimeClient, results: LumaResultStore): Animator {
  const api: OrderApi<AnimationInput, Clip> = {
    name: 'Luma',
    isIdempotent: true,
    submit: async (input, token, { key }) => {
      const command = new StartAsyncInvokeCommand({
        modelId,
        clientRequestToken: token,
        modelInput: modelInput(input),
        outputDataConfig: { s3OutputDataConfig: { s3Uri: results.folderFor(key) } },
      })
      const { invocationArn } = await client.send(command, { abortSignal: AbortSignal.timeout(deadlineMs) }).catch(fail)
      if (!invocationArn) throw new OutcomeUnknown('Bedrock returned no id for the order.')
      return invocationArn
    },
    poll: async (invocationArn, { signal }) => {
      const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
      const { status, outputDataConfig } = await client
        .send(new GetAsyncInvokeCommand({ invocationArn }), { abortSignal })
        .catch(fail)
      // The reason of Bedrock names the deployment's account.
      if (status === 'Failed') throw new OrderFailed('Luma could not generate this.')
      if (status !== 'Completed') return undefined
      return `${outputDataConfig?.s3OutputDataConfig?.s3Uri}/output.mp4`
    },
    collect: async (address, input, { directory, signal }) =>
      normaliseClip(await results.read(address), input, { directory, signal, from: 'Luma', maySlowDown: true }),
  }
  return {
    id: `luma-1/${modelId}`,
    animate: async (input, context) =>
      runOrder(api, { ...input, still: await stillAsJpeg(input.still, input, context) }, context),
  }
}

const modelInput = ({ still, prompt, durationMs, width, height }: AnimationInput) => ({
  prompt: prompt.slice(0, promptCharactersMax),
  aspect_ratio: nearestAspectRatio(aspectRatios, { width, height }),
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

/** A busy Bedrock may have accepted the order. The retry uses the same token. */
function fail(error: unknown): never {
  const failure = bedrockFailure(error)
  throw failure instanceof ProviderBusy ? new OutcomeUnknown(failure.message, { cause: error }) : failure
}
