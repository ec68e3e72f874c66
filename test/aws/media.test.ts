/** Storage that stalls, and storage that is slower than a disk. */
import { once } from 'node:events'
import { existsSync, type ReadStream, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { startTestReceiver } from '../support/receiver.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

afterEach(() => vi.unstubAllEnvs())

it('an aborted download ends without waiting for the rest of the file', async () => {
  const stop = new AbortController()
  const storage = await startTestReceiver()
  onTestFinished(storage.stop)
  storage.answering = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    response.write(Buffer.alloc(1_000), () => stop.abort())
  }
  const directory = temporaryDirectory()
  vi.stubEnv('AWS_ENDPOINT_URL_S3', storage.url)
  vi.resetModules()
  const { downloadFile } = await import('../../lib/aws/media-bucket.ts')
  const path = join(directory, 'film.mp4')
  await expect(downloadFile('wsp_1/vid_1/film.mp4', path, stop.signal)).rejects.toThrow(/abort/i)
  await expect(downloadFile('wsp_1/vid_1/other.mp4', join(directory, 'other'), AbortSignal.abort())).rejects.toThrow(
    /abort/i,
  )
  expect(existsSync(join(directory, 'other'))).toBe(false)
})

it('the timeout of an upload depends on its size at the speed of S3, and has an upper limit', async () => {
  const directory = temporaryDirectory()
  vi.stubEnv('BUCKET_NAME', 'media')
  vi.resetModules()
  const send = vi.spyOn(S3Client.prototype, 'send').mockResolvedValue(undefined as never)
  onTestFinished(() => send.mockRestore())
  const { uploadFile } = await import('../../lib/aws/media-bucket.ts')
  const secondsFor = async (bytes: number) => {
    const path = join(directory, 'film.mp4')
    writeFileSync(path, '')
    // The file is never read, so a sparse file can have any size.
    truncateSync(path, bytes)
    await uploadFile('wsp_1/vid_1/film.mp4', path, 'video/mp4')
    const { Body } = send.mock.lastCall![0].input as { Body: ReadStream }
    await once(Body.destroy(), 'close')
    return (send.mock.lastCall![1] as { requestTimeout: number }).requestTimeout / 1000
  }
  expect(await secondsFor(1_000)).toBeLessThan(31)
  // One S3 request transfers 85 to 90 MB a second at best: 4 GB, the maximum that ffmpeg may write, exceed the usual 30 s.
  const largest = await secondsFor(4 * 1024 ** 3)
  expect(largest).toBeGreaterThan((4 * 4 * 1024 ** 3) / 90e6)
  expect(largest).toBeLessThan(600)
})
