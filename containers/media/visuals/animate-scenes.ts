/** Lets the scenes move, or their person speak, that were edited since they did: for a render that waits for it. */

import { getJson } from '../../../lib/aws/media-bucket.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { narrationFactsKey } from '../../../lib/domain/generation/narration.ts'
import { attachSceneClips, needsClip, withClips } from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { Soundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { ugcSubType } from '../../../lib/domain/videos/kind.ts'
import { chosenProviders } from '../../../lib/providers/choose/provider-choice.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { withSpendLimit } from '../../../lib/use-cases/generation/spend-limit.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import type { JobTask } from '../task.ts'
import { addClips } from './scene-visuals.ts'

/** Draws no picture: that costs credits, and a render does not. */
export async function animateScenes({ run, video, directory, signal }: JobTask): Promise<void> {
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const { audioKey } = video.media
  if (!audioKey) throw new Error(`The ai video ${video.id} has no sound.`)
  const [{ scenes }, soundtrack] = await Promise.all([
    getTimelines(video, ['scenes']),
    getJson<Soundtrack>(narrationFactsKey(audioKey)),
  ])
  let left = isBought(video) ? scenes.filter((scene) => needsClip(video, scene)).length : 0
  const studio = { owner, video, runId: run.runId, directory, signal }
  const onMade = async () => {
    left = Math.max(0, left - 1)
  }
  const moving = await withSpendLimit(
    run,
    'clips',
    () => left,
    () => addClips(studio, scenes, soundtrack, onMade),
  )
  await changeVideo(run, async (current) => {
    const stored = await getTimelines(current, ['scenes'])
    const key = await storeTimeline(owner, 'scenes', withClips(stored.scenes, scenes, moving))
    return attachSceneClips(current, run.runId, key, now())
  })
}

/** Whether a vendor makes the clips of this video. */
const isBought = ({ subType }: Video) =>
  chosenProviders()[subType === ugcSubType ? 'avatars' : 'animator'] !== 'built-in'
