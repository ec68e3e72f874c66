/** Portraits that speak, by VEED Fabric on fal.ai: https://fal.ai/models/veed/fabric-1.0/api */
import { dataUri, type FalAccount, falQueue } from '../fal-queue.ts'
import type { Clip } from '../footage/index.ts'
import { clipFrom } from '../footage/normalise-clip.ts'
import { wav } from '../narrator/pcm.ts'
import { fulfil, type OrderedWork, type Patience } from '../vendor-orders.ts'
import { portraitAsJpeg } from './built-in.ts'
import type { Avatars, AvatarWish } from './index.ts'

const model = 'veed/fabric-1.0'

export function falAvatars(account: FalAccount, patience: Patience): Avatars {
  const queue = falQueue(account)
  const work: OrderedWork<AvatarWish, Clip> = {
    name: 'fal.ai',
    deduplicates: false,
    submit: ({ portrait, voice }) =>
      queue.submit(model, {
        image_url: dataUri('image/jpeg', portrait),
        audio_url: dataUri('audio/wav', wav(voice.samples, voice.sampleRate)),
        resolution: '720p',
      }),
    poll: queue.poll,
    collect: async (address, wish, { directory, signal }) =>
      clipFrom(await queue.collect(address, signal), wish, { directory, signal, from: 'fal.ai', maySlowDown: false }),
  }
  return {
    id: `fal-1/${model}`,
    speak: async (wish, place) =>
      fulfil(work, { ...wish, portrait: await portraitAsJpeg(wish.portrait, wish, place) }, place, patience),
  }
}
