/** Downloads from a storage that goes quiet in the middle: whoever waits for them can stop at once. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

it('a download that is told to stop ends, and does not wait for the rest of the file', async () => {
  const stop = new AbortController()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    response.write(Buffer.alloc(1_000), () => stop.abort())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const directory = mkdtempSync(join(tmpdir(), 'media-'))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(directory, { recursive: true })
  })
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.resetModules()
  const { downloadFile } = await import('../../lib/aws/media.ts')
  const path = join(directory, 'film.mp4')
  await expect(downloadFile('wsp_1/vid_1/film.mp4', path, stop.signal)).rejects.toThrow(/abort/i)
  await expect(downloadFile('wsp_1/vid_1/other.mp4', join(directory, 'other'), AbortSignal.abort())).rejects.toThrow(
    /abort/i,
  )
  expect(existsSync(join(directory, 'other'))).toBe(false)
})
