/** The thread of `s3.ts`. */

import { parentPort, workerData } from 'node:worker_threads'
import type { S3Options, S3ThreadMessage } from '../s3.ts'
import { startS3Server } from './server.ts'

const send = (message: S3ThreadMessage) => parentPort!.postMessage(message)
try {
  const { url, stop } = await startS3Server({
    ...(workerData as S3Options),
    onCreated: (bucket, key) => send({ created: { bucket, key } }),
  })
  parentPort!.once('message', stop)
  send({ url })
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  send({ failed: { message, code } })
}
