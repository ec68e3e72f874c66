/** Lets the scenes move, or their person speak, that were edited since they did: for a render that waits for it. */

import { getJson } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { narrationFactsKey } from '../../../lib/domain/generation/narration.ts'
import { animated, waitsForClip, withClips } from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { Soundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { ugc } from '../../../lib/domain/videos/kind.ts'
import { chosen } from '../../../lib/providers/choose/provider-choice.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { keepTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { withinPurchases } from '../../../lib/use-cases/generation/spend-limit.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import type { Task } from '../task.ts'
import { withMotion } from './scene-visuals.ts'

/** Draws no picture: that costs credits, and a render does not. */
export async function animateScenes({ run, video, directory, signal }: Task): Promise<void> {
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const { audioKey } = video.media
  if (!audioKey) throw new Error(`The ai video ${video.id} has no sound.`)
  const [{ scenes }, soundtrack] = await Promise.all([
    getTimelines(video, ['scenes']),
    getJson<Soundtrack>(narrationFactsKey(audioKey)),
  ])
  let left = isBought(video) ? scenes.filter((scene) => waitsForClip(video, scene)).length : 0
  const studio = { owner, video, runId: run.runId, directory, signal }
  const onMade = async () => {
    left = Math.max(0, left - 1)
  }
  const moving = await withinPurchases(
    run,
    'clips',
    () => left,
    () => withMotion(studio, scenes, soundtrack, onMade),
  )
  await changeVideo(run, async (current) => {
    const stored = await getTimelines(current, ['scenes'])
    const key = await keepTimeline(owner, 'scenes', withClips(stored.scenes, scenes, moving))
    return animated(current, run.runId, key, now())
  })
}

/** Whether a vendor makes the clips of this video. */
const isBought = ({ subType }: Video) => chosen()[subType === ugc ? 'avatars' : 'animator'] !== 'built-in'
