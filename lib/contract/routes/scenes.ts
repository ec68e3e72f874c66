/** Routes: the scenes of an `ai` video. Each edit invalidates the render. */
import { scene } from '../../domain/generation/scenes/scenes.ts'
import { addSceneRequest, drawSceneImageRequest, editSceneRequest } from '../requests/scenes.ts'
import { removal } from '../resources/index.ts'
import { route } from '../route.ts'
import { requiresOneOf } from '../schemas.ts'

export const addScene = route({
  signature: 'POST /videos/{id}/scenes',
  handler: 'videos/add-scene',
  summary: 'Add an empty scene to an ai video; clears the render',
  description: 'The scene has no image and no narration yet. A video has at most 50 scenes.',
  status: 201,
  body: addSceneRequest,
  bodyExample: { afterSceneId: 'scn_01kbexample1' },
  revised: true,
  returns: scene,
  permissions: ['write', 'timelines', 'storeTimelines'],
  refuses: ['wrong-video-type', 'limit-reached', 'warning-plan-storage', 'job-in-progress'],
})

export const editScene = route({
  signature: 'PATCH /videos/{id}/scenes/{sceneId}',
  handler: 'videos/edit-scene',
  summary: "Edit a scene of an ai video; clears the scene's clip and the render",
  description:
    'At least one field is required. Other keys are ignored, so that a scene from a response can be edited and sent back.',
  body: editSceneRequest,
  bodySchema: requiresOneOf('imagePrompt', 'animationPrompt', 'narration', 'voiceDescription', 'duration'),
  bodyExample: { narration: 'Then open the window for a minute.', duration: 7.5 },
  revised: true,
  returns: scene,
  permissions: ['write', 'timelines', 'storeTimelines'],
  refuses: ['wrong-video-type', 'warning-plan-storage', 'job-in-progress'],
})

export const removeScene = route({
  signature: 'DELETE /videos/{id}/scenes/{sceneId}',
  handler: 'videos/remove-scene',
  summary: 'Remove a scene of an ai video; clears the render',
  description: 'The other scenes stay as they are.',
  revised: true,
  returns: removal,
  permissions: ['write', 'timelines', 'storeTimelines'],
  refuses: ['wrong-video-type', 'warning-plan-storage', 'job-in-progress'],
})

export const drawSceneImage = route({
  signature: 'POST /videos/{id}/scenes/{sceneId}/image',
  handler: 'videos/draw-scene-image',
  summary: "Draw a new image for a scene; clears the scene's clip and the render",
  description: 'Without a `prompt`, the `imagePrompt` of the scene is used. Costs credits.',
  waitSeconds: 25,
  body: drawSceneImageRequest,
  bodyExample: { prompt: 'A kettle on a quiet stove; calm mood' },
  returns: scene,
  permissions: ['write', 'timelines', 'startPipeline'],
  refuses: [
    'wrong-video-type',
    'warning-invalid-input',
    'warning-no-credits',
    'warning-plan-storage',
    'job-in-progress',
  ],
})
