import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Demuxer, detectDemuxer, restrictedInput } from '../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

const directory = temporaryDirectoryOfFile()
const place = { directory, timeoutMs: 60_000 }
const decode = (file: string, demuxer: Demuxer) =>
  runFfmpeg({ ...place, arguments: ['-v', 'error', '-xerror', ...restrictedInput(file, demuxer), '-f', 'null', '-'] })

beforeAll(async () => {
  const make = (source: string, ...rest: string[]) =>
    runFfmpeg({ ...place, arguments: ['-v', 'error', '-f', 'lavfi', '-i', source, ...rest] })
  await make('testsrc=s=64x64:d=0.2', '-pix_fmt', 'yuv420p', 'good.mp4')
  await make('testsrc=s=64x64:d=0.2', '-f', 'mpegts', 'secret.ts')
  await make('testsrc=s=64x64', '-frames:v', '1', 'good.png')
  await make('testsrc=s=64x64', '-frames:v', '1', 'good.jpg')
  await make('color=s=8000x8000', '-frames:v', '1', 'huge.png')
  await make('sine=d=0.2', 'good.wav')
  const secret = join(directory, 'secret.ts')
  writeFileSync(join(directory, 'playlist.mp4'), `#EXTM3U\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`)
  writeFileSync(join(directory, 'list.mp4'), `ffconcat version 1.0\nfile '${secret}'\n`)
  writeFileSync(join(directory, 'text.mp4'), 'hello')
})

describe('the kind of a file', () => {
  it.each([
    ['good.mp4', 'mov'],
    ['good.png', 'png_pipe'],
    ['good.jpg', 'jpeg_pipe'],
    ['good.wav', 'wav'],
    ['playlist.mp4', undefined],
    ['list.mp4', undefined],
    ['text.mp4', undefined],
  ])('%s is recognised by its first bytes: %s', (file, demuxer) => {
    expect(detectDemuxer(readFileSync(join(directory, file)))).toBe(demuxer)
  })
})

describe('an input', () => {
  it.each([
    ['good.mp4', 'mov'],
    ['good.png', 'png_pipe'],
    ['good.jpg', 'jpeg_pipe'],
    ['good.wav', 'wav'],
  ] as const)('%s is read', async (file, demuxer) => {
    await expect(decode(file, demuxer)).resolves.toBeDefined()
  })
  it.each([
    ['a playlist that names another file', 'playlist.mp4', 'mov'],
    ['a list of files', 'list.mp4', 'mov'],
    ['a picture of 64 million pixels', 'huge.png', 'png_pipe'],
    ['a film that is said to be a still', 'good.mp4', 'png_pipe'],
    ['text', 'text.mp4', 'mov'],
    ['an address', 'http://127.0.0.1:9/x.mp4', 'mov'],
    ['a protocol that joins files', 'concat:good.mp4|good.mp4', 'mov'],
  ] as const)('%s is refused', async (_, file, demuxer) => {
    await expect(decode(file, demuxer)).rejects.toMatchObject({ code: 'failed' })
  })
})
