/** The body of POST /uploads. */
import * as v from 'valibot'
import { nameLengthMax, nonBlankText } from '../../domain/core/bounded.ts'
import { plainObject } from '../../domain/core/plain-object.ts'
import { titleLengthMax } from '../../domain/records/brief.ts'
import { uploadTypes } from '../../domain/records/upload.ts'
import type { UploadInput } from '../../domain/uploads/upload-lifecycle.ts'
import { uploadBytesMax } from '../../domain/uploads/upload-lifecycle.ts'
import { formatBytes } from '../schemas.ts'
import { processVideoRequest } from './jobs.ts'

/** The file to upload, and how to process it. Ignores unknown keys; gives an `UploadInput`. */
export const createUploadRequest = v.pipe(
  v.object({
    fileName: nonBlankText(nameLengthMax),
    contentType: v.picklist(uploadTypes),
    bytes: v.pipe(
      v.number(),
      v.safeInteger('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(uploadBytesMax, `must be at most ${uploadBytesMax} (${formatBytes(uploadBytesMax)})`),
    ),
    title: v.nullish(nonBlankText(titleLengthMax)),
    process: v.nullish(plainObject(processVideoRequest), {}),
  }),
  v.transform(({ title, process, ...file }): UploadInput => ({ ...file, title: title ?? null, wishes: process })),
)
