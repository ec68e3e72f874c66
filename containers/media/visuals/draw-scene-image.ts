/** Draws a new still of a scene and puts it on the record: another picture each time, also for the same prompt. */

import * as v from 'valibot'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { drawSceneImageRequest } from '../../../lib/contract/requests/scene-image.ts'
import { sceneView } from '../../../lib/contract/views/index.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { planImage } from '../../../lib/domain/generation/scenes/scene-image.ts'
import { stillOf } from '../../../lib/domain/generation/scenes/scene-media.ts'
import { withImage, withScenes } from '../../../lib/domain/generation/scenes/scenes.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { theImages } from '../../../lib/providers/choose/images.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { keepOnce, keepTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { madeWell } from '../../../lib/use-cases/generation/quality-gate.ts'
import { settle } from '../../../lib/use-cases/sync-jobs/complete-sync-job.ts'
import { patiently } from '../retry-while-busy.ts'
import type { ActionTask } from '../task.ts'
import { lookAt } from './check-picture.ts'

export async function drawSceneImage({ place, action, directory, signal }: ActionTask): Promise<void> {
  const { workspaceId, videoId, target } = place
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const owner = { workspace, videoId }
  const { prompt } = v.parse(drawSceneImageRequest, action.input)
  const { scenes } = await getTimelines(video, ['scenes'])
  const scene = planImage(video, scenes, target, prompt)
  const images = await theImages()
  const wish = { ...stillOf(video, scene), take: action.runId }
  const imageKey = artefactKey(owner, 'visuals', [images.id, wish], 'png')
  await keepOnce(owner, imageKey, 'image/png', async () => {
    const draw = (take: number) => images.draw(take === 1 ? wish : { ...wish, take: `${wish.take}/${take}` }, signal)
    const { made } = await madeWell(
      'visuals-failed',
      { owner, key: imageKey },
      (take) => patiently(() => draw(take), signal),
      ({ bytes }) => lookAt(bytes, directory),
    )
    return made.bytes
  })
  await settle(place, async (current) => {
    const stored = await getTimelines(current, ['scenes'])
    const drawn = withImage(stored.scenes, target, scene.imagePrompt, imageKey)
    const key = await keepTimeline(owner, 'scenes', drawn.scenes)
    return { decision: withScenes(current, key, now()), answer: sceneView(drawn.scene, mediaUrl) }
  })
}
