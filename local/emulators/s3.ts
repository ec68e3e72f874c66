// S3: s3rver 5.0.0 (@20minutes' fork) in a thread of this process, with objects as files on disk. Everything else sends it requests: in
// their thread each would take several turns of the event loop, which requests of other clients may prolong.

import { Worker } from 'node:worker_threads'
import { EMULATOR_CREDENTIALS } from '../aws-client-config.ts'
import { type RunningServer, runOnce } from '../listen.ts'

export interface S3Options {
  readonly port: number
  /** Holds `s3/<bucket>/<key>._S3rver_object` and, beside it, the object's metadata. */
  readonly directory: string
  readonly buckets: readonly string[]
}

export type S3ThreadMessage =
  | { readonly url: string }
  | { readonly created: { readonly bucket: string; readonly key: string } }
  | { readonly failed: { readonly message: string; readonly code?: string | undefined } }

interface Callbacks {
  /** Called after every PUT of an object, like the EventBridge event, without delivery guarantee. */
  readonly onCreated?: (bucket: string, key: string) => void
}

/**
 * Serves the buckets on 127.0.0.1, path style, readable without a signature and open to browsers of any origin. Rejects with the error of the
 * server and its code where the port is taken.
 */
export async function startS3({ onCreated, ...options }: S3Options & Callbacks): Promise<RunningServer> {
  const { accessKeyId, secretAccessKey } = EMULATOR_CREDENTIALS
  const thread = new Worker(new URL('s3/thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    workerData: options satisfies S3Options,
  })
  const { promise: exited, resolve: exit } = Promise.withResolvers<void>()
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  thread.once('error', reject)
  thread.once('exit', () => {
    reject(new Error('The thread of S3 ended before it listened.'))
    exit()
  })
  thread.on('message', (message: S3ThreadMessage) => {
    if ('url' in message) resolve(message.url)
    else if ('created' in message) onCreated?.(message.created.bucket, message.created.key)
    else reject(Object.assign(new Error(message.failed.message), { code: message.failed.code }))
  })
  const url = await listening
  // From here on an error ends the process, as one of this thread does.
  thread.off('error', reject)
  const stop = runOnce(async () => {
    thread.postMessage('stop')
    await exited
  })
  return { url, stop }
}
