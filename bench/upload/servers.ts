/**
 * The two servers of an upload of 100 MB: storage that serves zeros, and a platform that counts the bytes it receives.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { listen } from '../../local/listen.ts'

export const videoBytes = 100_000_000
const chunk = Buffer.alloc(65_536)

interface UploadServers {
  /** Bytes that storage has sent, and that the platform has read. */
  readonly counts: { sent: number; received: number }
  /** With `isHeld` the platform reads only after this call. */
  startReading(): void
  /** Runs the upload step. Its standard output is the result. */
  upload(nodeOptions: readonly string[], program: string): ChildProcess
  stop(): Promise<void>
}

export async function startUploadServers({ isHeld = false } = {}): Promise<UploadServers> {
  const counts = { sent: 0, received: 0 }
  const gate = Promise.withResolvers<void>()
  if (!isHeld) gate.resolve()
  function* zeros(bytes: number) {
    for (let remaining = bytes; remaining > 0; remaining -= chunk.byteLength) {
      const next = chunk.subarray(0, Math.min(remaining, chunk.byteLength))
      counts.sent += next.byteLength
      yield next
    }
  }
  const storage = createServer((request, response) => {
    const [, from = 0, to = 0] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []).map(Number)
    const range = `bytes ${from}-${to}/${videoBytes}`
    response.writeHead(206, { 'content-length': to - from + 1, 'content-range': range })
    Readable.from(zeros(to - from + 1)).pipe(response)
  })
  const platform = createServer((request, response) => {
    const body = request.method === 'GET' ? { status: { video_status: 'uploading' } } : { success: true }
    request.on('end', () => response.end(JSON.stringify(body)))
    const read = () =>
      request.on('data', (data: Buffer) => {
        counts.received += data.length
      })
    if (request.method === 'GET') read()
    else gate.promise.then(read)
  })
  const [from, to] = [await listen(storage, 0), await listen(platform, 0)]
  return {
    counts,
    startReading: gate.resolve,
    upload: (nodeOptions, program) =>
      spawn(process.execPath, [...nodeOptions, program, from.url, to.url], {
        env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'SILENT' },
      }),
    stop: async () => {
      await from.stop()
      await to.stop()
    },
  }
}
