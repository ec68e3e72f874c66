/**
 * Backpressure of uploads: no more of a video is in memory than is in transit. `npm run bench:upload` measures the
 * memory of the process.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { startUploadServers, videoBytes } from '../../../bench/upload/servers.ts'

/** Buffers of both sockets and both streams while one end does not read. */
const onItsWayMax = 24_000_000

it('a video of 100 MB is read from storage at the pace of the platform', async () => {
  const sides = await startUploadServers({ isHeld: true })
  onTestFinished(sides.stop)
  const child = sides.upload([], join(import.meta.dirname, '../../../bench/upload/upload-step.ts'))
  // The platform reads nothing, so reading from storage must stop.
  const seen = [0]
  const isAtRest = () => {
    seen.push(sides.counts.sent)
    return seen.at(-1)! > 0 && seen.at(-1) === seen.at(-2)
  }
  await expect.poll(isAtRest, { interval: 500 }).toBe(true)
  expect(sides.counts.sent).toBeLessThan(onItsWayMax)
  sides.startReading()
  const [output] = await Promise.all([text(child.stdout!), once(child, 'close')])
  expect([sides.counts.received, JSON.parse(output).step]).toEqual([videoBytes, 'finish'])
})
