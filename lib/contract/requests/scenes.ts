/** Bodies of the routes under /videos/{id}/scenes. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { sceneSeconds } from '../../domain/generation/scenes/scenes.ts'
import { freeTextLengthMax } from '../../domain/records/brief.ts'
import { hasField } from '../schemas.ts'

const text = boundedText(freeTextLengthMax)
const durationMessage = `must be ${sceneSeconds.min} to ${sceneSeconds.max} seconds`

export const addSceneRequest = v.object({ afterSceneId: v.nullish(boundedText(64)) })

const editable = {
  imagePrompt: v.exactOptional(text),
  animationPrompt: v.exactOptional(text),
  narration: v.exactOptional(text),
  voiceDescription: v.exactOptional(text),
  duration: v.exactOptional(
    v.pipe(v.number(), v.minValue(sceneSeconds.min, durationMessage), v.maxValue(sceneSeconds.max, durationMessage)),
  ),
}

/** Gives a `SceneEdit`. Ignores unknown keys, so that a scene from a response can be edited and sent back. */
export const editSceneRequest = v.pipe(v.object(editable), hasField(Object.keys(editable)))

/** A blank prompt counts as absent: the stored prompt is used. */
export const drawSceneImageRequest = v.object({ prompt: v.nullish(text, null) })
