/** Generates the stills and clips of the scenes of an ai video, and stores the scenes with their keys. */

import { getJson } from '../../../lib/aws/media-bucket.ts'
import { needsClip, scenesResultKey } from '../../../lib/domain/generation/scenes/scene-media.ts'
import type { SpokenScenes } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeFirstJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { withProgress } from '../progress-writer.ts'
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
  const write = (progress: number, statusText?: string) =>
    reportProgress(video, 'process', { runId, attempt }, { progress, ...(statusText && { statusText }) })
  const withClips = await withProgress({ signal, write }, async (progress) => {
    progress.report(fromPercent, 'Drawing the scenes')
    const withStills = await addStills(context, scenes)
    const total = withStills.filter((scene) => needsClip(video, scene)).length
    let done = 0
    const reportClips = () => {
      const percent = fromPercent + Math.floor(((toPercent - fromPercent) * done) / Math.max(total, 1))
      progress.report(percent, `Generating the visuals: ${done} of ${total}`)
    }
    reportClips()
    return addClips(context, withStills, soundtrack, async () => {
      done += 1
      reportClips()
      // Clips that are being made are finished also where the run is lost, since they may have been paid for.
      progress.signal.throwIfAborted()
    })
  })
  await storeFirstJson(owner, scenesResultKey(spokenKey), withClips)
}
