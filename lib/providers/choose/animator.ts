/** The animator of the deployment. Falls back to the built-in camera move where a model rejects a still. */
import { getObject } from '../../aws/media-bucket.ts'
import { bedrockMediaModels } from '../../domain/generation/provider-choice.ts'
import { env } from '../../env.ts'
import { builtInAnimator } from '../animator/built-in.ts'
import type { Animator } from '../animator/index.ts'
import type { LumaResultStore } from '../animator/luma.ts'
import { callWithFallback, fallbackId } from '../fallback.ts'
import { logFallback } from './log-fallback.ts'
import { chosenProviders, vendorCredentials } from './provider-choice.ts'

export async function chooseAnimator(): Promise<Animator> {
  const { animator } = chosenProviders()
  if (animator === 'built-in') return builtInAnimator
  return withFallback(animator === 'fal' ? await openFal() : await openLuma(), builtInAnimator)
}

async function openFal(): Promise<Animator> {
  const { falAnimator } = await import('../animator/fal.ts')
  return falAnimator(await vendorCredentials('fal'))
}

async function openLuma(): Promise<Animator> {
  const { bedrockClient } = await import('../bedrock.ts')
  const { lumaAnimator } = await import('../animator/luma.ts')
  return lumaAnimator(bedrockClient({ region: bedrockMediaModels.luma.region }), lumaResults)
}

/** Bedrock writes into the media bucket, under the prefix of the clip's video: deleted together with the video. */
const lumaResults: LumaResultStore = {
  folderFor: (key) => `s3://${env.bucketName()}/${key.replace('/visuals/', '/orders/').replace(/\.mp4$/, '')}`,
  read: (uri) => getObject(uri.slice(`s3://${env.bucketName()}/`.length)),
}

const withFallback = (first: Animator, second: Animator): Animator => ({
  id: fallbackId(first, second),
  animate: callWithFallback(first.animate, second.animate, logFallback('animator')),
})
