/** Bodies and queries of the routes that queue work on a video or create another video from it. */
import * as v from 'valibot'
import { brief } from '../../domain/records/brief.ts'
import type { ProcessOptions } from '../../domain/records/jobs.ts'
import type { ClipOptions } from '../../domain/videos/clip.ts'
import { pageQuery } from '../schemas.ts'

/** Absent and null mean the same. */
const flag = v.nullish(v.boolean())

/** The defaults are those of `POST /videos`. */
export const processVideoRequest = v.pipe(
  v.object({ transcribe: flag, addBRolls: flag, render: flag }),
  v.transform(
    ({ transcribe, addBRolls, render }): ProcessOptions => ({
      transcribe: transcribe ?? true,
      addBRolls: addBRolls ?? true,
      render: render ?? false,
    }),
  ),
)

/** The prompt is stored as `brief.scriptPrompt`, the default of the next call. */
export const writeScriptRequest = v.object({ prompt: v.nullish(brief.entries.scriptPrompt) })

/** The prompt is stored as `brief.descriptionPrompt`, the default of the next call. */
export const describeVideoRequest = v.object({ prompt: v.nullish(brief.entries.descriptionPrompt) })

export const createClipRequest = v.pipe(
  v.object({ regenerate: flag, render: flag }),
  v.transform(({ regenerate, render }): ClipOptions => ({ regenerate: regenerate ?? false, render: render ?? false })),
)

export const listClipsQuery = v.object(pageQuery)
