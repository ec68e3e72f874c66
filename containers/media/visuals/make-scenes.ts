/** Generates the stills and clips of the scenes of an ai video, and stores the scenes with their keys. */

import { getJson } from '../../../lib/aws/media-bucket.ts'
import { needsClip, scenesResultKey } from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { SpokenScenes } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { reportProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import type { JobTask } from '../task.ts'
import { addClips, addStills } from './scene-visuals.ts'

/** The range of the generation's progress that this task reports. */
const [fromPercent, toPercent] = [45, 95]

export async function makeScenes({ run, video, rest: [spokenKey], directory, signal }: JobTask): Promise<void> {
  if (!spokenKey) throw new Error('make-scenes needs the key of spoken scenes.')
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: video.id }
  const { scenes, soundtrack } = await getJson<SpokenScenes>(spokenKey)
  const { runId, attempt } = video.process!
  const context = { owner, video, runId, directory, signal }
  const report = (progress: number, statusText: string) =>
    reportProgress(video, 'process', { runId, attempt }, { progress: Math.floor(progress), statusText })
  await report(fromPercent, 'Drawing the scenes')
  const withStills = await addStills(context, scenes)
  const total = withStills.filter((scene) => needsClip(video, scene)).length
  let done = 0
  const reportClips = () =>
    report(
      fromPercent + ((toPercent - fromPercent) * done) / Math.max(total, 1),
      `Generating the visuals: ${done} of ${total}`,
    )
  await reportClips()
  const withClips = await addClips(context, withStills, soundtrack, async () => {
    done += 1
    await reportClips()
  })
  await storeJson(owner, scenesResultKey(spokenKey), withClips)
}
