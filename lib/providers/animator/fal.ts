/** Stills animated by a model on fal.ai. https://fal.ai/models/bytedance/seedance-2.0/image-to-video/api */
import { createHash } from 'node:crypto'
import { dataUri, type FalAccount, falQueue } from '../fal-queue.ts'
import type { Clip } from '../footage/index.ts'
import { normaliseClip } from '../footage/normalise-clip.ts'
import { stillAsJpeg } from '../images/still.ts'
import { type OrderApi, type PollPolicy, runOrder } from '../vendor-orders.ts'
import type { AnimationInput, Animator } from './index.ts'

const model = 'bytedance/seedance-2.0/image-to-video'
/** Whole seconds that the model makes. */
const [secondsMin, secondsMax] = [4, 15]

export function falAnimator(account: FalAccount, patience: PollPolicy): Animator {
  const queue = falQueue(account)
  const work: OrderApi<AnimationInput, Clip> = {
    name: 'fal.ai',
    isIdempotent: false,
    submit: ({ still, prompt, durationMs, seed }) =>
      queue.submit(model, {
        prompt,
        image_url: dataUri('image/jpeg', still),
        // As the picture is, which has the shape of the frame.
        aspect_ratio: 'auto',
        resolution: '720p',
        duration: String(Math.min(secondsMax, Math.max(secondsMin, Math.ceil(durationMs / 1000)))),
        generate_audio: false,
        seed: createHash('sha256').update(seed).digest().readUIntBE(0, 3),
      }),
    poll: queue.poll,
    collect: async (address, wish, { directory, signal }) =>
      normaliseClip(await queue.collect(address, signal), wish, {
        directory,
        signal,
        from: 'fal.ai',
        maySlowDown: true,
      }),
  }
  return {
    id: `fal-1/${model}`,
    animate: async (wish, place) =>
      runOrder(work, { ...wish, still: await stillAsJpeg(wish.still, wish, place) }, place, patience),
  }
}
