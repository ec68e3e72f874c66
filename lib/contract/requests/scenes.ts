/** Bodies of the routes under /videos/{id}/scenes. */
import * as v from 'valibot'
import { sceneSeconds } from '../../domain/generation/scenes/scenes.ts'

export const textLengthMax = 2_000
const text = v.pipe(v.string(), v.maxLength(textLengthMax, `must be at most ${textLengthMax} characters long`))
const outside = `must be ${sceneSeconds.min} to ${sceneSeconds.max} seconds`

export const addSceneRequest = v.object({ afterSceneId: v.nullish(v.string()) })

/** Gives a `SceneEdit`. Unknown keys are ignored, so that a scene that was read can be sent back with what is to be changed. */
export const editSceneRequest = v.pipe(
  v.object({
    imagePrompt: v.exactOptional(text),
    animationPrompt: v.exactOptional(text),
    narration: v.exactOptional(text),
    voiceDescription: v.exactOptional(text),
    duration: v.exactOptional(
      v.pipe(v.number(), v.minValue(sceneSeconds.min, outside), v.maxValue(sceneSeconds.max, outside)),
    ),
  }),
  v.check(
    (edit) => Object.keys(edit).length > 0,
    'needs one of imagePrompt, animationPrompt, narration, voiceDescription, duration',
  ),
)
