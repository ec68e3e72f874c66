/** The body of POST /videos/{id}/scenes/{sceneId}/image. */
import * as v from 'valibot'
import { sceneTextLengthMax } from './scenes.ts'

/** A prompt of nothing but space is none: the stored one counts then. */
export const drawSceneImageRequest = v.object({
  prompt: v.nullish(
    v.pipe(v.string(), v.maxLength(sceneTextLengthMax, `must be at most ${sceneTextLengthMax} characters long`)),
    null,
  ),
})
