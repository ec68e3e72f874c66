import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runFfmpeg, streamFfmpeg } from '../../lib/ffmpeg/run.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

const directory = temporaryDirectoryOfFile()
const place = { directory, timeoutMs: 60_000 }
/** Never ends by itself, in real time. */
const endless = ['-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc=s=64x64', '-f', 'null', '-']
const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray']

afterEach(() => vi.unstubAllEnvs())

describe('an ffmpeg run', () => {
  it('reports its progress and returns its standard output', async () => {
    const frames: number[] = []
    const { output } = await runFfmpeg({
      ...place,
      arguments: ['-v', 'error', '-f', 'lavfi', '-i', 'color=s=16x16:d=1:r=10', ...raw, 'pipe:1'],
      onProgress: ({ frame }) => frames.push(frame),
    })
    expect(output).toHaveLength(10 * 16 * 16)
    expect(frames.at(-1)).toBe(10)
  })
  it('reads a generator that reuses its buffer, in order', async () => {
    async function* counting() {
      const buffer = new Uint8Array(4)
      for (let i = 0; i < 200; i++) yield buffer.fill(i)
    }
    const source = [...raw, '-s', '2x2', '-i', 'pipe:0']
    const { output } = await runFfmpeg({ ...place, arguments: [...source, ...raw, 'pipe:1'], input: counting() })
    expect([...output].filter((_, i) => i % 4 === 0)).toEqual(Array.from({ length: 200 }, (_, i) => i))
  })
  it('ends with the error of its input', async () => {
    async function* broken() {
      yield new Uint8Array(4)
      throw new Error('no more pictures')
    }
    const run = runFfmpeg({
      ...place,
      arguments: [...raw, '-s', '2x2', '-i', 'pipe:0', '-f', 'null', '-'],
      input: broken(),
    })
    await expect(run).rejects.toThrow('no more pictures')
  })
  it('failed: has the message of ffmpeg', async () => {
    const run = runFfmpeg({ ...place, arguments: ['-v', 'error', '-i', 'missing.png', '-f', 'null', '-'] })
    await expect(run).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('No such file') })
  })
  it.skipIf(process.platform !== 'linux')(
    'failed: also if only the end of the output does not fit on the disk',
    async () => {
      const still = ['-f', 'lavfi', '-i', 'color=s=64x64', '-frames:v', '1', ...raw]
      const run = runFfmpeg({ ...place, arguments: ['-v', 'error', ...still, '-y', '/dev/full'] })
      await expect(run).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('No space left') })
    },
  )
  it('failed: reports a missing program', async () => {
    vi.stubEnv('FFMPEG', '/nowhere/ffmpeg')
    await expect(runFfmpeg({ ...place, arguments: [] })).rejects.toThrow('FFMPEG is set to /nowhere/ffmpeg')
  })
  it('timeout: is ended at its deadline', async () => {
    await expect(runFfmpeg({ ...place, arguments: endless, timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' })
  })
  it('stalled: is ended without output', async () => {
    const nothing = ['-v', 'error', '-f', 'lavfi', '-i', 'color=s=16x16,select=0', '-f', 'null', '-']
    await expect(runFfmpeg({ ...place, arguments: nothing, stallMs: 300 })).rejects.toMatchObject({ code: 'stalled' })
  })
  it('cancelled: has exited when the promise is rejected', async () => {
    const cancel = new AbortController()
    const run = runFfmpeg({ ...place, arguments: endless, signal: cancel.signal, onProgress: () => cancel.abort() })
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
    expect(childrenOfThisProcess()).not.toContain('ffmpeg')
  })
  it('cancelled: does not start if it was cancelled before', async () => {
    const run = runFfmpeg({ ...place, arguments: endless, signal: AbortSignal.abort() })
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
  })
  it('failed: a full disk is not blamed on the input files', async () => {
    const full = join(directory, 'full.sh')
    writeFileSync(full, '#!/bin/sh\necho "av_interleaved_write_frame(): No space left on device" >&2\nexit 1\n')
    chmodSync(full, 0o755)
    vi.stubEnv('FFMPEG', full)
    await expect(runFfmpeg({ ...place, arguments: [] })).rejects.toMatchObject({ code: 'failed', isPermanent: false })
  })
  it('does not inherit our environment', async () => {
    const spy = join(directory, 'spy.sh')
    writeFileSync(spy, '#!/bin/sh\n/usr/bin/env >&2\nexit 1\n')
    chmodSync(spy, 0o755)
    vi.stubEnv('FFMPEG', spy)
    vi.stubEnv('SECRET_KEY', 'hidden')
    const run = runFfmpeg({ ...place, arguments: [] })
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining('MALLOC_TRIM_THRESHOLD_') })
    await expect(run).rejects.not.toMatchObject({ message: expect.stringContaining('SECRET_KEY') })
  })
})

describe('reading from ffmpeg', () => {
  const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=640x480', ...raw, 'pipe:1']

  it('ends ffmpeg when the reader leaves early', async () => {
    for await (const chunk of streamFfmpeg({ ...place, arguments: source })) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    expect(childrenOfThisProcess()).not.toContain('ffmpeg')
  })
  it('reports why it was interrupted', async () => {
    const read = async () => {
      for await (const _ of streamFfmpeg({ ...place, arguments: source, timeoutMs: 200 }));
    }
    await expect(read()).rejects.toMatchObject({ code: 'timeout' })
  })
})

/** Names of the running children, from Linux' /proc; empty elsewhere. */
function childrenOfThisProcess(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, name, state, parent] = /\((.*)\) (\w) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        return Number(parent) === process.pid && state !== 'Z' ? [name!] : []
      } catch {
        // It has ended since.
        return []
      }
    })
}
