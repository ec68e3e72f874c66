/** Generates the missing clips of scenes that were edited since their last render, before the render starts. */

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

/** Generates no stills: those cost credits, and a render is free. */
export async function animateScenes({ run, video, directory, signal }: JobTask): Promise<void> {
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const { audioKey } = video.media
  if (!audioKey) throw new Error(`The ai video ${video.id} has no narration.`)
  const [{ scenes }, soundtrack] = await Promise.all([
    getTimelines(video, ['scenes']),
    getJson<Soundtrack>(narrationFactsKey(audioKey)),
  ])
  let remaining = isVendorMade(video) ? scenes.filter((scene) => needsClip(video, scene)).length : 0
  const context = { owner, video, runId: run.runId, directory, signal }
  const onClip = async () => {
    remaining = Math.max(0, remaining - 1)
  }
  const animated = await withSpendLimit(
    run,
    'clips',
    () => remaining,
    () => addClips(context, scenes, soundtrack, onClip),
  )
  await changeVideo(run, async (current) => {
    const stored = await getTimelines(current, ['scenes'])
    const key = await storeTimeline(owner, 'scenes', withClips(stored.scenes, scenes, animated))
    return attachSceneClips(current, run.runId, video.render!.attempt, key, now())
  })
}

/** Whether a paid vendor generates the clips of this video. */
const isVendorMade = ({ subType }: Video) =>
  chosenProviders()[subType === ugcSubType ? 'avatars' : 'animator'] !== 'built-in'
