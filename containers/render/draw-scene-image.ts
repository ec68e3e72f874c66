/** Draws a new still of a scene and puts it on the record: another picture each time, also for the same prompt. */

import * as v from 'valibot'
import { keepObject, keepTimeline } from '../../lib/actions/keep.ts'
import { settle } from '../../lib/actions/settle.ts'
import { drawSceneImageRequest } from '../../lib/api/requests/scene-image.ts'
import { sceneView } from '../../lib/api/views.ts'
import { getTimelines } from '../../lib/aws/timelines.ts'
import { now } from '../../lib/clock.ts'
import { artefactKey } from '../../lib/domain/artefact.ts'
import { planImage } from '../../lib/domain/scene-image.ts'
import { stillOf } from '../../lib/domain/scene-script.ts'
import { withImage, withScenes } from '../../lib/domain/timelines/scenes.ts'
import { mediaUrl } from '../../lib/media-url.ts'
import { drawnImages } from '../../lib/providers/images/drawn.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import type { ActionTask } from './main.ts'

export async function drawSceneImage({ place, action }: ActionTask): Promise<void> {
  const { workspaceId, videoId, target } = place
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const owner = { workspace, videoId }
  const { prompt } = v.parse(drawSceneImageRequest, action.input)
  const { scenes } = await getTimelines(video, ['scenes'])
  const scene = planImage(video, scenes, target, prompt)
  const wish = { ...stillOf(video, scene, video.id), take: action.runId }
  const imageKey = artefactKey(owner, 'visuals', [drawnImages.id, wish], 'png')
  const { bytes, contentType } = await drawnImages.draw(wish)
  await keepObject(owner, imageKey, bytes, contentType)
  await settle(place, async (current) => {
    const stored = await getTimelines(current, ['scenes'])
    const drawn = withImage(stored.scenes, target, scene.imagePrompt, imageKey)
    const key = await keepTimeline(owner, 'scenes', drawn.scenes)
    return { decision: withScenes(current, key, now()), answer: sceneView(drawn.scene, mediaUrl) }
  })
}
