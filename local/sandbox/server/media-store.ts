// The films that the platforms were given, on disk: collected in parts, then named by their contents and looked into.

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { detectDemuxer } from '../../../lib/ffmpeg/limits.ts'
import { type MediaFacts, probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { FfmpegFailure } from '../../../lib/ffmpeg/run.ts'
import { openPosters, type Posters } from './posters.ts'

/** A file that is whole. */
export interface StoredFile {
  /** In hexadecimal: its name from now on. */
  readonly sha256: string
  readonly bytes: number
  /** What is in it; null where it is neither film nor picture. */
  readonly facts: MediaFacts | null
}

export interface MediaStore {
  /** Writes a part of an upload at its place. */
  write(upload: string, at: number, bytes: Uint8Array): Promise<void>
  /** How many bytes of an upload have arrived: where its last part ends. */
  size(upload: string): Promise<number>
  /** Ends an upload, and says what it was. */
  finish(upload: string): Promise<StoredFile>
  /** Keeps a file that came at once. */
  store(bytes: Uint8Array): Promise<StoredFile>
  pathOf(sha256: string): string
  posterOf: Posters
  /** Fetches as platforms do that pull: without credentials and redirects. Says why where it does not get a file. */
  fetchFrom(address: string): Promise<StoredFile | { reason: string }>
}

const fetchTimeoutMs = 20_000

export async function openMediaStore(directory: string): Promise<MediaStore> {
  await mkdir(directory, { recursive: true })
  // Names of uploads are the platforms' ids, which may hold anything.
  const uploadPath = (upload: string) => join(directory, `${Buffer.from(upload).toString('base64url')}.part`)
  const pathOf = (sha256: string) => join(directory, sha256)
  const known = new Map<string, StoredFile>()

  async function finish(upload: string): Promise<StoredFile> {
    const path = uploadPath(upload)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const sha256 = hash.digest('hex')
    await rename(path, pathOf(sha256))
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
    return finish(upload)
  }

  return {
    async write(upload, at, bytes) {
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
        if (!/^(video|image)\//.test(type)) return { reason: `The address answers with ${type}.` }
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
