/** Plans a new still for one scene of an ai video. */
import { Refusal } from '../../core/refusal.ts'
import { isOpen } from '../../core/states.ts'
import type { Video } from '../../records/video.ts'
import { refuseNotAi, ugcSubType } from '../../videos/kind.ts'
import { requireScene, type StoredScene } from './scenes.ts'

/** Refuses a video whose scenes have no stills: scenes of a `ugc` video are clips of a person. */
function refuseImages(video: Video): void {
  if (video.subType === ugcSubType)
    throw new Refusal('warning-invalid-input', 'The scenes of a ugc video have no images to replace.')
  refuseNotAi(video)
}

/** The scene with the prompt to draw: the new one, else its own. Refuses if there is neither. */
export function planSceneImage(
  video: Video,
  scenes: readonly StoredScene[],
  sceneId: string,
  prompt: string | null,
): StoredScene {
  refuseImages(video)
  const scene = requireScene(scenes, sceneId)
  const imagePrompt = prompt?.trim() ? prompt : scene.imagePrompt
  if (!imagePrompt.trim()) {
    const detail = { path: 'body.prompt', message: 'is required, since the scene has no imagePrompt' }
    throw new Refusal('invalid-request', `${detail.path} ${detail.message}.`, { details: [detail] })
  }
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated. Create the image when that is done.')
  return { ...scene, imagePrompt }
}
