/**
 * Speaking portraits by fal.ai, model VEED Fabric 1.0: https://fal.ai/models/veed/fabric-1.0/api (read November 2026).
 * Portrait and voice are sent inline; the result is 720p.
 */

import { encodeWav } from '../../render/sound/wav.ts'
import { dataUri, type FalAccount, falQueue } from '../fal-queue.ts'
import type { Clip } from '../footage/index.ts'
import { normaliseClip } from '../footage/normalise-clip.ts'
import { type OrderApi, runOrder } from '../vendor-orders.ts'
import { portraitAsJpeg } from './built-in.ts'
import type { AvatarInput, Avatars } from './index.ts'

const model = 'veed/fabric-1.0'

export function falAvatars(account: FalAccount): Avatars {
  const queue = falQueue(account)
  const api: OrderApi<AvatarInput, Clip> = {
    name: 'fal.ai',
    isIdempotent: false,
    submit: ({ portrait, voice }) =>
      queue.submit(model, {
        image_url: dataUri('image/jpeg', portrait),
        audio_url: dataUri('audio/wav', encodeWav(voice)),
        resolution: '720p',
      }),
    poll: queue.poll,
    collect: async (address, input, { directory, signal }) =>
      normaliseClip(await queue.collect(address, signal), input, {
        directory,
        signal,
        from: 'fal.ai',
        maySlowDown: false,
      }),
  }
  return {
    id: `fal-1/${model}`,
    speak: async (input, context) =>
      runOrder(api, { ...input, portrait: await portraitAsJpeg(input.portrait, input, context) }, context),
  }
}
