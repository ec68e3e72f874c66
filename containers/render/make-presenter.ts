/** Has a portrait speak the narration of a b-roll segment, and puts the clip in the place of the segment's media. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { keepOnce, keepTimeline } from '../../lib/actions/keep.ts'
import { ordersOf } from '../../lib/actions/keep-order.ts'
import { fetchPortrait } from '../../lib/actions/portrait.ts'
import { theAvatars } from '../../lib/actions/providers/avatars.ts'
import { settle } from '../../lib/actions/settle.ts'
import { presentBRollRequest } from '../../lib/api/requests/presenter.ts'
import { bRollView } from '../../lib/api/views.ts'
import { getObject } from '../../lib/aws/media.ts'
import { getTimelines } from '../../lib/aws/timelines.ts'
import { now } from '../../lib/clock.ts'
import { artefactKey } from '../../lib/domain/artefact.ts'
import { frameSizes } from '../../lib/domain/brief.ts'
import { presenterPrice } from '../../lib/domain/plan.ts'
import { invalidPortrait, type PlannedPresenter, planPresenter, withPresenter } from '../../lib/domain/presenter.ts'
import { Refusal } from '../../lib/domain/refusal.ts'
import { replaceTimelines } from '../../lib/domain/timelines/item.ts'
import type { Video } from '../../lib/domain/video.ts'
import { mediaUrl } from '../../lib/media-url.ts'
import { type Avatars, type AvatarWish, PortraitRefused } from '../../lib/providers/avatars/index.ts'
import type { OrderPlace } from '../../lib/providers/orders.ts'
import { parseWav, soundBetween } from '../../lib/render/wav.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import type { ActionTask } from './main.ts'
import { patiently } from './patiently.ts'

export async function makePresenter({ place, action, directory, signal }: ActionTask): Promise<void> {
  const { workspaceId, videoId, target } = place
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const owner = { workspace, videoId }
  const { bRolls } = await getTimelines(video, ['bRolls'])
  const plan = planPresenter(video, bRolls, target, v.parse(presentBRollRequest, action.input))
  if (presenterPrice(plan.durationMs) !== action.charge.credits)
    throw new Refusal('conflict', 'The segment was given another length meanwhile; ask again.')
  const [avatars, portrait] = await Promise.all([theAvatars(), fetchPortrait(plan.who.imageUrl)])
  const names = [avatars.id, createHash('sha256').update(portrait).digest('hex'), plan, video.brief.aspectRatio]
  const key = artefactKey(owner, 'visuals', names, 'mp4')
  await keepOnce(owner, key, 'video/mp4', async () => {
    const wish = await wishFor(video, plan, portrait)
    return speak(avatars, wish, { directory, orders: ordersOf(owner), key, signal })
  })
  const bytes = await getObject(key)
  await settle(place, async (current) => {
    const at = now()
    const stored = await getTimelines(current, ['bRolls'])
    const presented = withPresenter(stored.bRolls, plan, { key, bytes: bytes.byteLength }, at)
    const timeline = await keepTimeline(owner, 'bRolls', presented.bRolls)
    return {
      decision: replaceTimelines(current, { bRolls: timeline }, at),
      answer: bRollView(presented.segment, mediaUrl),
    }
  })
}

async function wishFor(video: Video, plan: PlannedPresenter, portrait: Uint8Array): Promise<AvatarWish> {
  const { startMs, durationMs } = plan
  const voice = soundBetween(parseWav(await getObject(plan.audioKey)), startMs, startMs + durationMs)
  return { portrait, voice, durationMs, ...frameSizes[video.brief.aspectRatio] }
}

async function speak(avatars: Avatars, wish: AvatarWish, place: OrderPlace): Promise<Uint8Array> {
  try {
    return (await patiently(() => avatars.speak(wish, place), place.signal)).bytes
  } catch (error) {
    if (error instanceof PortraitRefused) throw invalidPortrait(error.message)
    throw error
  }
}
