/** A new still for one scene of an ai video. */
import { Refusal } from '../../core/refusal.ts'
import { isOpen } from '../../core/states.ts'
import type { Video } from '../../records/video.ts'
import { refuseNotAi } from '../../videos/kind.ts'
import { requireScene, type StoredScene } from './scenes.ts'

/** Refuses a video whose scenes get no stills of their own: those of `ugc` are filmed. */
function refuseImages(video: Video): void {
  if (video.subType === 'ugc')
    throw new Refusal('warning-invalid-input', 'The scenes of a ugc video have no images that could be drawn anew.')
  refuseNotAi(video)
}

/** The scene as it is to be drawn: with the new prompt, or else with the one it has. Refuses where there is neither. */
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
    const detail = { path: 'body.prompt', message: 'is needed, since the scene has no imagePrompt' }
    throw new Refusal('invalid-request', `${detail.path} ${detail.message}.`, { details: [detail] })
  }
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated anew; draw an image when that is done.')
  return { ...scene, imagePrompt }
}
