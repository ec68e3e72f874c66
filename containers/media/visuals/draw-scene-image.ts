/**
 * Generates a new still for a scene and attaches it to the record: a different picture each time, also for the same
 * prompt.
 */

import * as v from 'valibot'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { sceneView } from '../../../lib/bound-views/index.ts'
import { now } from '../../../lib/clock.ts'
import { drawSceneImageRequest } from '../../../lib/contract/requests/scenes.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { planSceneImage } from '../../../lib/domain/generation/scenes/scene-image.ts'
import { sceneStillRequest } from '../../../lib/domain/generation/scenes/scene-media.ts'
import { changeScenes, withSceneImage } from '../../../lib/domain/generation/scenes/scenes.ts'
import { chooseSceneImages } from '../../../lib/providers/choose/images.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeOnce, storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { withQualityGate } from '../../../lib/use-cases/generation/quality-gate.ts'
import { completeSyncJob } from '../../../lib/use-cases/sync-jobs/complete-sync-job.ts'
import { retryWhileBusy } from '../retry-while-busy.ts'
import type { SyncJobTask } from '../task.ts'
import { checkPicture } from './check-picture.ts'

export async function drawSceneImage({ job, directory, signal }: SyncJobTask): Promise<void> {
  const { workspaceId, videoId, target } = job
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const owner = { workspace, videoId }
  const { prompt } = v.parse(drawSceneImageRequest, job.input)
  const { scenes } = await getTimelines(video, ['scenes'])
  const scene = planSceneImage(video, scenes, target, prompt)
  const images = await chooseSceneImages()
  const request = { ...sceneStillRequest(video, scene), take: job.runId }
  const imageKey = artefactKey(owner, 'visuals', [images.id, request], 'png')
  await storeOnce(owner, imageKey, 'image/png', async () => {
    const draw = (take: number) =>
      images.draw(take === 1 ? request : { ...request, take: `${request.take}/${take}` }, signal)
    const { result } = await withQualityGate(
      'visuals-failed',
      { owner, key: imageKey },
      (take) => retryWhileBusy(() => draw(take), signal),
      ({ bytes }) => checkPicture(bytes, directory),
    )
    return result.bytes
  })
  await completeSyncJob(job, async (current) => {
    const stored = await getTimelines(current, ['scenes'])
    const updated = withSceneImage(stored.scenes, target, scene.imagePrompt, imageKey)
    const key = await storeTimeline(owner, 'scenes', updated.scenes)
    return { decision: changeScenes(current, key, now()), answer: sceneView(updated.scene) }
  })
}
