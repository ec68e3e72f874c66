/**
 * Animator by fal.ai, model Seedance 2.0: https://fal.ai/models/bytedance/seedance-2.0/image-to-video/api (read
 * November 2026). Limits: 4 to 15 whole seconds; a longer clip is slowed down or held on its last frame.
 */
import { createHash } from 'node:crypto'
import { dataUri, type FalAccount, falQueue } from '../fal-queue.ts'
import type { Clip } from '../footage/index.ts'
import { normaliseClip } from '../footage/normalise-clip.ts'
import { stillAsJpeg } from '../images/still.ts'
import { type OrderApi, runOrder } from '../vendor-orders.ts'
import type { AnimationInput, Animator } from './index.ts'

const model = 'bytedance/seedance-2.0/image-to-video'
const [secondsMin, secondsMax] = [4, 15]

export function falAnimator(account: FalAccount): Animator {
  const queue = falQueue(account)
  const api: OrderApi<AnimationInput, Clip> = {
    name: 'fal.ai',
    isIdempotent: false,
    submit: ({ still, prompt, durationMs, seed }) =>
      queue.submit(model, {
        prompt,
        image_url: dataUri('image/jpeg', still),
        // The aspect ratio of the picture, which is that of the frame.
        aspect_ratio: 'auto',
        resolution: '720p',
        duration: String(Math.min(secondsMax, Math.max(secondsMin, Math.ceil(durationMs / 1000)))),
        generate_audio: false,
        seed: createHash('sha256').update(seed).digest().readUIntBE(0, 3),
      }),
    poll: queue.poll,
    collect: async (address, input, { directory, signal }) =>
      normaliseClip(await queue.collect(address, signal), input, {
        directory,
        signal,
        from: 'fal.ai',
        maySlowDown: true,
      }),
  }
  return {
    id: `fal-1/${model}`,
    animate: async (input, context) =>
      runOrder(api, { ...input, still: await stillAsJpeg(input.still, input, context) }, context),
  }
}
