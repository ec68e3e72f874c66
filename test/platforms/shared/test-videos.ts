/** Videos of a few KB, each encoded once in a process by ffmpeg, and a URL for platforms that pull them. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { PostedVideo } from '../../../lib/domain/publishing/posting.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import type { ReadRender } from '../../../lib/platforms/publisher.ts'
import { listen, type RunningServer } from '../../../local/listen.ts'

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

/** Videos for one test file, served until its end. */
export interface TestVideos {
  make(input: TestVideoOptions): Promise<TestVideo>
}

export const verticalVideo: TestVideoOptions = { width: 540, height: 960, seconds: 5 }

/** Call it once in a test file, outside its tests. */
export function useTestVideos(): TestVideos {
  const made = new Map<string, Promise<TestVideo>>()
  let door: Promise<RunningServer> | undefined
  const files = new Map<string, Uint8Array>()
  afterAll(async () => {
    await (await door)?.stop()
  })
  const make = async (input: TestVideoOptions, name: string): Promise<TestVideo> => {
    door ??= listen(serverOf(files), 0)
    const [{ url }, bytes, cover] = [await door, await filmBytes(input), await coverBytes(input)]
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

const encoded = new Map<string, Promise<Buffer>>()

/** The file of this name that ffmpeg writes. */
function encode(name: string, ffmpegArguments: readonly string[]): Promise<Buffer> {
  const bytes = encoded.get(name) ?? encodeFile(name, ffmpegArguments)
  encoded.set(name, bytes)
  return bytes
}

async function encodeFile(name: string, ffmpegArguments: readonly string[]): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'reelsmith-test-'))
  try {
    await runFfmpeg({ arguments: [...ffmpegArguments, name], directory, timeoutMs: 60_000 })
    return await readFile(join(directory, name))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function filmBytes({ width, height, seconds, fps = 30, paddedTo = 0 }: TestVideoOptions): Promise<Buffer> {
  const picture = ['-f', 'lavfi', '-i', `color=c=teal:s=${width}x${height}:r=${fps}:d=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `anullsrc=r=44100:cl=mono`, '-t', String(seconds)]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '16k']
  const name = `${width}x${height}-${seconds}-${fps}.mp4`
  const bytes = await encode(name, [...picture, ...sound, ...codecs, '-movflags', '+faststart'])
  if (bytes.byteLength + 8 > paddedTo) return bytes
  // A `free` box (ISO/IEC 14496-12, 8.1.2).
  const box = Buffer.alloc(paddedTo - bytes.byteLength)
  box.writeUInt32BE(box.byteLength, 0)
  box.write('free', 4)
  return Buffer.concat([bytes, box])
}

const coverBytes = ({ width, height }: TestVideoOptions): Promise<Buffer> =>
  encode(`${width}x${height}.jpg`, ['-f', 'lavfi', '-i', `color=c=teal:s=${width}x${height}:d=1`, '-frames:v', '1'])
