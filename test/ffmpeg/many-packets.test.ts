/** Tests the bounds of listing the packets of a file with very many tiny ones. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { normaliseSource } from '../../containers/media/source/normalise-source.ts'
import { listVideoPackets } from '../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'

const loops = 10_000
const packets = loops * 30
let directory: string
const context = () => ({ directory, timeoutMs: 60_000, signal: new AbortController().signal })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'packets-'))
  const second = ['-f', 'lavfi', '-i', 'color=size=32x32:rate=30:duration=1', '-c:v', 'libx264', '-bf', '0', 'one.mp4']
  await runFfmpeg({ ...context(), arguments: second })
  const repeated = ['-stream_loop', String(loops - 1), '-i', 'one.mp4', '-c', 'copy', 'many.mp4']
  await runFfmpeg({ ...context(), arguments: repeated })
}, 90_000)

afterAll(() => rm(directory, { recursive: true, force: true }))

it('stops after the given number of packets', async () => {
  const { pts, dts, timescale } = await listVideoPackets(join(directory, 'many.mp4'), 'mov', context(), 61 * 30)
  expect(pts).toHaveLength(61 * 30)
  expect(dts).toHaveLength(61 * 30)
  expect(timescale).toBeGreaterThan(0)
}, 60_000)

it('holds numbers only, not the output of ffmpeg, when it lists all packets', async () => {
  const before = process.memoryUsage().rss
  const { pts } = await listVideoPackets(join(directory, 'many.mp4'), 'mov', context())
  expect(pts).toHaveLength(packets)
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
}, 60_000)

it('refuses a source by the packets it has listed, no further than the limit', async () => {
  const refused: number[] = []
  const source = { path: join(directory, 'many.mp4'), demuxer: 'mov' as const, bytes: 1 }
  await normaliseSource(source, context(), {
    secondsMax: 61,
    refuse: (seconds) => refused.push(seconds),
    onProgress: () => {},
  })
  expect(refused).toEqual([loops, 61])
}, 60_000)
