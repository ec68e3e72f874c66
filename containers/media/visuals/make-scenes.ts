/** Draws the scenes of a generation and lets them move, and writes down which pictures each one has. */

import { getJson } from '../../../lib/aws/media-bucket.ts'
import { needsClip, scenesResultKey } from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { SpokenScenes } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { reportProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import type { JobTask } from '../task.ts'
import { addClips, addStills } from './scene-visuals.ts'

/** The share of a generation's progress that this task tells. */
const [fromPercent, toPercent] = [45, 95]

export async function makeScenes({ run, video, rest: [spokenKey], directory, signal }: JobTask): Promise<void> {
  if (!spokenKey) throw new Error('make-scenes needs the key of spoken scenes.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const { scenes, soundtrack } = await getJson<SpokenScenes>(spokenKey)
  const { runId, attempt } = video.process!
  const studio = { owner, video, runId, directory, signal }
  const tell = (progress: number, statusText: string) =>
    reportProgress(video, 'process', { runId, attempt }, { progress: Math.floor(progress), statusText })
  await tell(fromPercent, 'Drawing the scenes')
  const drawn = await addStills(studio, scenes)
  const wanted = drawn.filter((scene) => needsClip(video, scene)).length
  let made = 0
  const tellMade = () =>
    tell(
      fromPercent + ((toPercent - fromPercent) * made) / Math.max(wanted, 1),
      `Making the visuals: ${made} of ${wanted}`,
    )
  await tellMade()
  const moving = await addClips(studio, drawn, soundtrack, async () => {
    made += 1
    await tellMade()
  })
  await storeJson(owner, scenesResultKey(spokenKey), moving)
}
