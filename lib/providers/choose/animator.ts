/** Who animates the stills of this deployment. A still that a model does not animate moves under a camera. */
import { getObject } from '../../aws/media-bucket.ts'
import { pictureModels } from '../../domain/generation/provider-choice.ts'
import { env } from '../../env.ts'
import { cameraAnimator } from '../animator/built-in.ts'
import type { Animator } from '../animator/index.ts'
import type { LumaResults } from '../animator/luma.ts'
import { eitherId, orElse } from '../fallback.ts'
import { noteRefusal } from './log-fallback.ts'
import { patience } from './poll-policy.ts'
import { chosen, vendorAccount } from './provider-choice.ts'

export async function theAnimator(): Promise<Animator> {
  const { animator } = chosen()
  if (animator === 'built-in') return cameraAnimator
  return withFallback(animator === 'fal' ? await onFal() : await onBedrock(), cameraAnimator)
}

async function onFal(): Promise<Animator> {
  const { falAnimator } = await import('../animator/fal.ts')
  return falAnimator(await vendorAccount('fal'), patience)
}

async function onBedrock(): Promise<Animator> {
  const { bedrockClient } = await import('../bedrock.ts')
  const { lumaAnimator } = await import('../animator/luma.ts')
  return lumaAnimator(bedrockClient({ region: pictureModels.luma.region }), besideTheClip, patience)
}

/** Bedrock writes into the media bucket, under the video that the clip belongs to: its films go when the video goes. */
const besideTheClip: LumaResults = {
  folderFor: (key) => `s3://${env.bucketName()}/${key.replace('/visuals/', '/orders/').replace(/\.mp4$/, '')}`,
  read: (uri) => getObject(uri.slice(`s3://${env.bucketName()}/`.length)),
}

const withFallback = (first: Animator, second: Animator): Animator => ({
  id: eitherId(first, second),
  animate: orElse(first.animate, second.animate, noteRefusal('animator')),
})
