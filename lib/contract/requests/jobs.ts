/** Bodies and queries of the routes that queue work on a video, or make another one from it. */
import * as v from 'valibot'
import { brief } from '../../domain/records/brief.ts'
import type { ProcessOptions } from '../../domain/records/jobs.ts'
import type { ClipOptions } from '../../domain/videos/clip.ts'
import { pageQuery } from '../schemas.ts'

/** Absent and null mean the same. */
const flag = v.nullish(v.boolean())

/** Defaults as on creation. */
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

/** The prompt is kept as `brief.scriptPrompt` and used again. */
export const writeScriptRequest = v.object({ prompt: v.nullish(brief.entries.scriptPrompt) })

export const createClipRequest = v.pipe(
  v.object({ regenerate: flag, render: flag }),
  v.transform(({ regenerate, render }): ClipOptions => ({ regenerate: regenerate ?? false, render: render ?? false })),
)

export const listClipsQuery = v.object(pageQuery)
