// Uploaded media on disk: collected in parts, then named by their hash and probed.

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { detectDemuxer } from '../../../lib/ffmpeg/limits.ts'
import { type MediaFacts, probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { FfmpegFailure } from '../../../lib/ffmpeg/run.ts'
import { openPosters, type Posters } from './posters.ts'

/** A complete file. */
export interface StoredFile {
  /** SHA-256 in hexadecimal, which is also its name. */
  readonly sha256: string
  readonly bytes: number
  /** The probed contents; null if it is neither a video nor a picture. */
  readonly facts: MediaFacts | null
}

export interface MediaStore {
  /** Writes a part of an upload at its offset. */
  write(upload: string, at: number, bytes: Uint8Array): Promise<void>
  /** The number of bytes received: the end of the last part. */
  size(upload: string): Promise<number>
  /** Completes an upload and returns the stored file. Idempotent, as a kill may precede the record of the platform. */
  finish(upload: string): Promise<StoredFile>
  /** Stores a file that was sent in one piece. */
  store(bytes: Uint8Array): Promise<StoredFile>
  pathOf(sha256: string): string
  posterOf: Posters
  /** Fetches a URL, as platforms that pull media do: without credentials and redirects. Returns a reason on failure. */
  fetchFrom(address: string): Promise<StoredFile | { reason: string }>
}

const fetchTimeoutMs = 20_000

export async function openMediaStore(directory: string): Promise<MediaStore> {
  await mkdir(directory, { recursive: true })
  // Names of uploads are ids of platforms, which may contain any character.
  const uploadPath = (upload: string) => join(directory, `${Buffer.from(upload).toString('base64url')}.part`)
  const pathOf = (sha256: string) => join(directory, sha256)
  const known = new Map<string, StoredFile>()

  async function finish(upload: string): Promise<StoredFile> {
    const path = uploadPath(upload)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const sha256 = hash.digest('hex')
    await link(path, pathOf(sha256)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    const before = known.get(sha256)
    if (before) return before
    const { size } = await stat(pathOf(sha256))
    const file = { sha256, bytes: size, facts: await factsOf(pathOf(sha256), directory) }
    known.set(sha256, file)
    return file
  }

  async function keep(bytes: Uint8Array): Promise<StoredFile> {
    const upload = randomUUID()
    await writeFile(uploadPath(upload), bytes)
    return finish(upload).finally(() => rm(uploadPath(upload)))
  }

  return {
    async write(upload, at, bytes) {
      // A repeated upload writes another file: the first may be linked as a stored one.
      if (at === 0) await rm(uploadPath(upload), { force: true })
      const file = await open(uploadPath(upload), at === 0 ? 'w' : 'r+')
      try {
        await file.write(bytes, 0, bytes.byteLength, at)
      } finally {
        await file.close()
      }
    },
    size: async (upload) => (await stat(uploadPath(upload)).catch(() => undefined))?.size ?? 0,
    finish,
    store: keep,
    pathOf,
    posterOf: openPosters(directory),
    async fetchFrom(address) {
      try {
        const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(fetchTimeoutMs) })
        const type = answer.headers.get('content-type') ?? 'nothing'
        if (answer.status !== 200) return { reason: `The address answers ${answer.status}.` }
        if (!/^(video|image)\//.test(type)) return { reason: `The URL responds with ${type}.` }
        return await keep(await answer.bytes())
      } catch (error) {
        return { reason: `The address cannot be fetched: ${(error as Error).message}` }
      }
    },
  }
}

async function factsOf(path: string, directory: string): Promise<MediaFacts | null> {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0).finally(() => file.close())
  const demuxer = detectDemuxer(buffer.subarray(0, bytesRead))
  if (!demuxer) return null
  try {
    return await probeMedia(path, demuxer, { directory, timeoutMs: fetchTimeoutMs })
  } catch (error) {
    if (error instanceof FfmpegFailure) return null
    throw error
  }
}
