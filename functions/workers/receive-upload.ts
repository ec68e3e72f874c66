/** Triggered by S3 when the file of an upload was stored; at-least-once. */
import * as v from 'valibot'
import { receiveUploadedFile } from '../../lib/use-cases/uploads/receive-upload.ts'

/** The used part of EventBridge's `Object Created` event. */
const created = v.object({ detail: v.object({ object: v.object({ key: v.string() }) }) })

export const handler = async (event: unknown): Promise<void> =>
  receiveUploadedFile(v.parse(created, event).detail.object.key)
