/** Storage tells that a file of an upload has come, at least once. */
import * as v from 'valibot'
import { receiveUploadedFile } from '../../lib/use-cases/uploads/receive-upload.ts'

/** What EventBridge says of a new object, as far as it matters here. */
const created = v.object({ detail: v.object({ object: v.object({ key: v.string() }) }) })

export const handler = async (event: unknown): Promise<void> =>
  receiveUploadedFile(v.parse(created, event).detail.object.key)
