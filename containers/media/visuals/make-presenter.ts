/**
 * Generates a talking-head clip of a portrait for the narration of a b-roll segment, and replaces the segment's media
 * with it.
 */
import * as v from 'valibot'
import { getObject } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { bRollView } from '../../../lib/bound-views/index.ts'
import { now } from '../../../lib/clock.ts'
import { makePresenterRequest } from '../../../lib/contract/requests/timelines.ts'
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
import { type AvatarInput, type Avatars, PortraitRefused } from '../../../lib/providers/avatars/index.ts'
import { chooseAvatars } from '../../../lib/providers/choose/avatars.ts'
import type { OrderContext } from '../../../lib/providers/vendor-orders.ts'
import { parseWav, sliceSound } from '../../../lib/render/sound/wav.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeOnce, storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { orderLogFor } from '../../../lib/use-cases/generation/order-log.ts'
import { withQualityGate } from '../../../lib/use-cases/generation/quality-gate.ts'
import { completeSyncJob } from '../../../lib/use-cases/sync-jobs/complete-sync-job.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'
import type { SyncJobTask } from '../task.ts'
import { checkPicture } from './check-picture.ts'
import { storePortrait } from './store-portrait.ts'

export async function makePresenter({ job, directory, signal }: SyncJobTask): Promise<void> {
  const { workspaceId, videoId, target } = job
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const owner = { workspace, videoId }
  const { bRolls } = await getTimelines(video, ['bRolls'])
  const plan = planPresenter(video, bRolls, target, v.parse(makePresenterRequest, job.input))
  if (presenterPrice(plan.durationMs) !== job.charge.credits)
    throw new Refusal('conflict', 'The length of the segment changed since the request. Send it again.')
  const [avatars, portraitKey] = await Promise.all([
    chooseAvatars(),
    storePortrait(owner, job.runId, plan.who.imageUrl, signal),
  ])
  const names = [avatars.id, portraitKey, plan, video.brief.aspectRatio]
  // Each take is a separate vendor order.
  const keyOf = (take: number) => artefactKey(owner, 'visuals', take === 1 ? names : [...names, take], 'mp4')
  const key = keyOf(1)
  await storeOnce(owner, key, 'video/mp4', async () => {
    const input = await avatarInput(video, plan, await getObject(portraitKey))
    const { result } = await withQualityGate(
      'visuals-failed',
      { owner, key },
      (take) => speak(avatars, input, { directory, orderLog: orderLogFor(owner), key: keyOf(take), signal }),
      (bytes) => checkPicture(bytes, directory),
    )
    return result
  })
  const bytes = await getObject(key)
  await completeSyncJob(job, async (current) => {
    const at = now()
    const stored = await getTimelines(current, ['bRolls'])
    const presented = withPresenter(stored.bRolls, plan, { key, bytes: bytes.byteLength }, at)
    const timeline = await storeTimeline(owner, 'bRolls', presented.bRolls)
    return {
      decision: replaceTimelines(current, { bRolls: timeline }, at),
      answer: bRollView(presented.segment),
    }
  })
}

async function avatarInput(video: Video, plan: PlannedPresenter, portrait: Uint8Array): Promise<AvatarInput> {
  const { startMs, durationMs } = plan
  const voice = sliceSound(parseWav(await getObject(plan.audioKey)), startMs, startMs + durationMs)
  return { portrait, voice, durationMs, ...frameSizes[video.brief.aspectRatio] }
}

async function speak(avatars: Avatars, input: AvatarInput, context: OrderContext): Promise<Uint8Array> {
  try {
    return (await retryWhileBusy(() => avatars.speak(input, context), context.signal)).bytes
  } catch (error) {
    if (error instanceof PortraitRefused) throw invalidPortrait(error.message)
    throw error
  }
}
