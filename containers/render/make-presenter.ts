/** Has a portrait speak the narration of a b-roll segment, and puts the clip in the place of the segment's media. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { keepObject, keepTimeline } from '../../lib/actions/keep.ts'
import { fetchPortrait } from '../../lib/actions/portrait.ts'
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
import { movingPortrait } from '../../lib/providers/avatars/portrait.ts'
import { ProviderRejected } from '../../lib/providers/failures.ts'
import type { Clip } from '../../lib/providers/footage/index.ts'
import { parseWav, type Sound } from '../../lib/render/wav.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import type { ActionTask } from './main.ts'

export async function makePresenter({ place, action, directory }: ActionTask): Promise<void> {
  const { workspaceId, videoId, target } = place
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const owner = { workspace, videoId }
  const { bRolls } = await getTimelines(video, ['bRolls'])
  const plan = planPresenter(video, bRolls, target, v.parse(presentBRollRequest, action.input))
  if (presenterPrice(plan.durationMs) !== action.charge.credits)
    throw new Refusal('conflict', 'The segment was given another length meanwhile; ask again.')
  const portrait = await fetchPortrait(plan.who.imageUrl)
  const names = [movingPortrait.id, createHash('sha256').update(portrait).digest('hex'), plan, video.brief.aspectRatio]
  const key = artefactKey(owner, 'visuals', names, 'mp4')
  const { bytes } = await speak(video, plan, portrait, directory)
  await keepObject(owner, key, bytes, 'video/mp4')
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

async function speak(video: Video, plan: PlannedPresenter, portrait: Uint8Array, directory: string): Promise<Clip> {
  const voice = heard(parseWav(await getObject(plan.audioKey)), plan)
  const film = frameSizes[video.brief.aspectRatio]
  try {
    return await movingPortrait.speak({ portrait, voice, durationMs: plan.durationMs, ...film }, directory)
  } catch (error) {
    if (error instanceof ProviderRejected) throw invalidPortrait(error.message)
    throw error
  }
}

/** What is heard while the segment runs. */
function heard({ samples, sampleRate }: Sound, { startMs, durationMs }: PlannedPresenter): Sound {
  const sample = (ms: number) => Math.round((ms * sampleRate) / 1000)
  return { sampleRate, samples: samples.subarray(sample(startMs), sample(startMs + durationMs)) }
}
