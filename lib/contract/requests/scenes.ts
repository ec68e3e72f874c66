/** Bodies of the routes under /videos/{id}/scenes. */
import * as v from 'valibot'
import { sceneSeconds } from '../../domain/generation/scenes/scenes.ts'

export const sceneTextLengthMax = 2_000
const text = v.pipe(
  v.string(),
  v.maxLength(sceneTextLengthMax, `must be at most ${sceneTextLengthMax} characters long`),
)
const durationMessage = `must be ${sceneSeconds.min} to ${sceneSeconds.max} seconds`

export const addSceneRequest = v.object({ afterSceneId: v.nullish(v.string()) })

/** Gives a `SceneEdit`. Unknown keys are ignored, so that a scene that was read can be sent back with what is to be changed. */
export const editSceneRequest = v.pipe(
  v.object({
    imagePrompt: v.exactOptional(text),
    animationPrompt: v.exactOptional(text),
    narration: v.exactOptional(text),
    voiceDescription: v.exactOptional(text),
    duration: v.exactOptional(
      v.pipe(v.number(), v.minValue(sceneSeconds.min, durationMessage), v.maxValue(sceneSeconds.max, durationMessage)),
    ),
  }),
  v.check(
    (edit) => Object.keys(edit).length > 0,
    'needs one of imagePrompt, animationPrompt, narration, voiceDescription, duration',
  ),
)
