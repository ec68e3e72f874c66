/** Videos of a few KB, each encoded once by ffmpeg, and a URL for platforms that pull them. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { PostedVideo } from '../../../lib/domain/publishing/posting.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import type { ReadRender } from '../../../lib/platforms/publisher.ts'
import { listen, type RunningServer } from '../../../local/listen.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'

export interface TestVideoOptions {
  width: number
  height: number
  seconds: number
  /** 30 by default. */
  fps?: number
  /** Zeros after the video, which players skip: for uploads of more than one part. */
  paddedTo?: number
}

export interface TestVideo {
  film: PostedVideo
  read: ReadRender
  sha256: string
}

/** Videos for one test file, deleted at its end. */
export interface TestVideos {
  make(input: TestVideoOptions): Promise<TestVideo>
}

export const verticalVideo: TestVideoOptions = { width: 540, height: 960, seconds: 5 }

/** Call it once in a test file, outside its tests. */
export function useTestVideos(): TestVideos {
  const directory = temporaryDirectoryOfFile()
  const made = new Map<string, Promise<TestVideo>>()
  let door: Promise<RunningServer> | undefined
  const files = new Map<string, Uint8Array>()
  afterAll(async () => {
    await (await door)?.stop()
  })
  const make = async (input: TestVideoOptions, name: string): Promise<TestVideo> => {
    door ??= listen(serverOf(files), 0)
    const [{ url }, bytes, cover] = [await door, await filmBytes(input, directory), await coverBytes(input, directory)]
    files.set(`/${name}.mp4`, bytes).set(`/${name}.jpg`, cover)
    const film = { bytes: bytes.byteLength, width: input.width, height: input.height, durationMs: input.seconds * 1000 }
    return {
      film: { ...film, url: `${url}/${name}.mp4`, coverUrl: `${url}/${name}.jpg` },
      read: (from, to) => inPieces(bytes.subarray(from, to)),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
  }
  return {
    make(input) {
      const name = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 12)
      const before = made.get(name)
      if (before) return before
      const film = make(input, name)
      made.set(name, film)
      return film
    },
  }
}

const pieceBytes = 65_536

/** Asynchronously and in chunks, as from storage. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

const serverOf = (files: ReadonlyMap<string, Uint8Array>) =>
  createServer((request, response) => {
    const file = files.get(request.url ?? '')
    const type = request.url?.endsWith('.jpg') ? 'image/jpeg' : 'video/mp4'
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': type, 'content-length': file.byteLength }).end(file)
  })

async function filmBytes({ width, height, seconds, fps = 30, paddedTo = 0 }: TestVideoOptions, directory: string) {
  const name = `${width}x${height}-${seconds}-${fps}.mp4`
  const picture = ['-f', 'lavfi', '-i', `color=c=teal:s=${width}x${height}:r=${fps}:d=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `anullsrc=r=44100:cl=mono`, '-t', String(seconds)]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '16k']
  const arguments_ = ['-y', ...picture, ...sound, ...codecs, '-movflags', '+faststart', name]
  await runFfmpeg({ arguments: arguments_, directory, timeoutMs: 60_000 })
  const bytes = await readFile(join(directory, name))
  if (bytes.byteLength + 8 > paddedTo) return bytes
  // A `free` box (ISO/IEC 14496-12, 8.1.2).
  const box = Buffer.alloc(paddedTo - bytes.byteLength)
  box.writeUInt32BE(box.byteLength, 0)
  box.write('free', 4)
  return Buffer.concat([bytes, box])
}

async function coverBytes({ width, height }: TestVideoOptions, directory: string) {
  const name = `${width}x${height}.jpg`
  const picture = ['-f', 'lavfi', '-i', `color=c=teal:s=${width}x${height}:d=1`, '-frames:v', '1', name]
  await runFfmpeg({ arguments: ['-y', ...picture], directory, timeoutMs: 60_000 })
  return readFile(join(directory, name))
}
