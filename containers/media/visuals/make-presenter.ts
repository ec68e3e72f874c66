/** Has a portrait speak the narration of a b-roll segment, and puts the clip in the place of the segment's media. */
import * as v from 'valibot'
import { getObject } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { presentBRollRequest } from '../../../lib/contract/requests/presenter.ts'
import { bRollView } from '../../../lib/contract/views/index.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import {
  invalidPortrait,
  type PlannedPresenter,
  planPresenter,
  withPresenter,
} from '../../../lib/domain/generation/presenter/presenter.ts'
import { frameSizes } from '../../../lib/domain/records/brief.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { replaceTimelines } from '../../../lib/domain/videos/edits.ts'
import { presenterPrice } from '../../../lib/domain/workspaces/plan.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { type Avatars, type AvatarWish, PortraitRefused } from '../../../lib/providers/avatars/index.ts'
import { theAvatars } from '../../../lib/providers/choose/avatars.ts'
import type { OrderPlace } from '../../../lib/providers/vendor-orders.ts'
import { parseWav, soundBetween } from '../../../lib/render/sound/wav.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { keepOnce, keepTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { ordersOf } from '../../../lib/use-cases/generation/order-log.ts'
import { madeWell } from '../../../lib/use-cases/generation/quality-gate.ts'
import { settle } from '../../../lib/use-cases/sync-jobs/complete-sync-job.ts'
import { patiently } from '../retry-while-busy.ts'
import type { ActionTask } from '../task.ts'
import { lookAt } from './check-picture.ts'
import { keepPortrait } from './store-portrait.ts'

/** A little less than the task of a synchronous action has. */
const waitMs = 3 * 60_000

export async function makePresenter({ place, action, directory, signal }: ActionTask): Promise<void> {
  const { workspaceId, videoId, target } = place
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const owner = { workspace, videoId }
  const { bRolls } = await getTimelines(video, ['bRolls'])
  const plan = planPresenter(video, bRolls, target, v.parse(presentBRollRequest, action.input))
  if (presenterPrice(plan.durationMs) !== action.charge.credits)
    throw new Refusal('conflict', 'The segment was given another length meanwhile; ask again.')
  const [avatars, portraitKey] = await Promise.all([
    theAvatars(),
    keepPortrait(owner, action.runId, plan.who.imageUrl, signal),
  ])
  const names = [avatars.id, portraitKey, plan, video.brief.aspectRatio]
  // Another take is another order.
  const keyOf = (take: number) => artefactKey(owner, 'visuals', take === 1 ? names : [...names, take], 'mp4')
  const key = keyOf(1)
  await keepOnce(owner, key, 'video/mp4', async () => {
    const wish = await wishFor(video, plan, await getObject(portraitKey))
    const { made } = await madeWell(
      'visuals-failed',
      { owner, key },
      (take) => speak(avatars, wish, { directory, orders: ordersOf(owner), key: keyOf(take), signal, waitMs }),
      (bytes) => lookAt(bytes, directory),
    )
    return made
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
