/** Lets the scenes move, or their person speak, that were edited since they did: for a render that waits for it. */
import { changeVideo } from '../../lib/actions/change-video.ts'
import { keepTimeline } from '../../lib/actions/keep.ts'
import { getJson } from '../../lib/aws/media.ts'
import { getTimelines } from '../../lib/aws/timelines.ts'
import { now } from '../../lib/clock.ts'
import { narrationFactsKey } from '../../lib/domain/narration.ts'
import { animated, withClips } from '../../lib/domain/scene-pictures.ts'
import type { Soundtrack } from '../../lib/domain/soundtrack.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import type { Task } from './main.ts'
import { withMotion } from './scene-clips.ts'

/** Draws no picture: that costs credits, and a render does not. */
export async function animateScenes({ run, video, directory, signal }: Task): Promise<void> {
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const { audioKey } = video.media
  if (!audioKey) throw new Error(`The ai video ${video.id} has no sound.`)
  const [{ scenes }, soundtrack] = await Promise.all([
    getTimelines(video, ['scenes']),
    getJson<Soundtrack>(narrationFactsKey(audioKey)),
  ])
  const moving = await withMotion({ owner, video, directory, signal }, scenes, soundtrack)
  await changeVideo(run, async (current) => {
    const stored = await getTimelines(current, ['scenes'])
    const key = await keepTimeline(owner, 'scenes', withClips(stored.scenes, scenes, moving))
    return animated(current, run.runId, key, now())
  })
}
