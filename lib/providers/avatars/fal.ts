/** Portraits that speak, by VEED Fabric on fal.ai: https://fal.ai/models/veed/fabric-1.0/api */
import { dataUri, type FalAccount, falQueue } from '../fal-queue.ts'
import type { Clip } from '../footage/index.ts'
import { normaliseClip } from '../footage/normalise-clip.ts'
import { wav } from '../narrator/pcm.ts'
import { type OrderApi, type PollPolicy, runOrder } from '../vendor-orders.ts'
import { portraitAsJpeg } from './built-in.ts'
import type { AvatarInput, Avatars } from './index.ts'

const model = 'veed/fabric-1.0'

export function falAvatars(account: FalAccount, patience: PollPolicy): Avatars {
  const queue = falQueue(account)
  const work: OrderApi<AvatarInput, Clip> = {
    name: 'fal.ai',
    isIdempotent: false,
    submit: ({ portrait, voice }) =>
      queue.submit(model, {
        image_url: dataUri('image/jpeg', portrait),
        audio_url: dataUri('audio/wav', wav(voice.samples, voice.sampleRate)),
        resolution: '720p',
      }),
    poll: queue.poll,
    collect: async (address, wish, { directory, signal }) =>
      normaliseClip(await queue.collect(address, signal), wish, {
        directory,
        signal,
        from: 'fal.ai',
        maySlowDown: false,
      }),
  }
  return {
    id: `fal-1/${model}`,
    speak: async (wish, place) =>
      runOrder(work, { ...wish, portrait: await portraitAsJpeg(wish.portrait, wish, place) }, place, patience),
  }
}
