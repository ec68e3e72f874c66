/**
 * Downloads pinned files, resumes what was interrupted, and verifies size and SHA-256. A file appears under its own name
 * only after it was verified.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { filePath, isComplete } from '../../local/models/folder.ts'
import type { ModelFile } from '../../local/models/manifest.ts'

/** A failure that needs no stack trace: the message names the cause and the next step. */
export class DownloadFailed extends Error {
  override name = 'DownloadFailed'
}

export interface DownloadOptions {
  directory: string
  /** `https://huggingface.co`, or a mirror with the same paths. */
  host: string
  /** Bytes of this file that are on disk. */
  onProgress?: (bytes: number) => void
  /** A connection without data for this long is closed. */
  stallMs?: number
  /** Until the next attempt after a broken connection; one attempt more than there are delays. */
  retryDelaysMs?: readonly number[]
}

const defaultStallMs = 60_000
const defaultRetryDelaysMs = [1_000, 5_000]

export const formatBytes = (bytes: number): string =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toFixed(2)} GB`
    : bytes >= 1e6
      ? `${Math.round(bytes / 1e6)} MB`
      : `${Math.ceil(bytes / 1e3)} kB`

const partPath = (directory: string, file: ModelFile) => `${filePath(directory, file)}.part`

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0)

/** Bytes on disk, those of an interrupted download included. */
export const bytesPresent = (directory: string, file: ModelFile): number =>
  isComplete(directory, file) ? file.bytes : Math.min(file.bytes, sizeOf(partPath(directory, file)))

/** Throws `DownloadFailed` where the disk has less space than the files still need. `directory` is created. */
export async function refuseFullDisk(directory: string, bytesMissing: number): Promise<void> {
  await mkdir(directory, { recursive: true })
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  if (free < bytesMissing)
    throw new DownloadFailed(
      `${directory} has ${formatBytes(free)} free, and ${formatBytes(bytesMissing)} are needed. Free some space, or set MODELS_DIR to a folder of another disk.`,
    )
}

/** Downloads one file, or continues its download. Throws `DownloadFailed`. */
export async function downloadFile(file: ModelFile, options: DownloadOptions): Promise<void> {
  const { directory, onProgress } = options
  if (isComplete(directory, file)) return onProgress?.(file.bytes)
  const part = partPath(directory, file)
  await mkdir(dirname(part), { recursive: true })
  if (sizeOf(part) > file.bytes) await rm(part)
  await receiveWithRetries(file, options)
  const sha256 = await checksum(part)
  if (sha256 !== file.sha256) {
    await rm(part)
    throw new DownloadFailed(
      `${file.path} has the SHA-256 ${sha256} instead of ${file.sha256}: the download was damaged, or the server has another file. It was deleted. Run the command again.`,
    )
  }
  await rename(part, filePath(directory, file))
}

async function receiveWithRetries(file: ModelFile, options: DownloadOptions): Promise<void> {
  const delays = options.retryDelaysMs ?? defaultRetryDelaysMs
  const part = partPath(options.directory, file)
  for (let attempt = 0; ; attempt++) {
    try {
      if (sizeOf(part) < file.bytes) await receive(file, options)
      return
    } catch (error) {
      const wait = delays[attempt]
      if (error instanceof DownloadFailed) throw error
      if (isDiskFull(error))
        throw new DownloadFailed(`The disk is full. Free some space and run the command again: it continues.`)
      if (wait === undefined) throw interrupted(file, options, error)
      await delay(wait)
    }
  }
}

const isDiskFull = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOSPC'

function interrupted(file: ModelFile, { directory, host }: DownloadOptions, error: unknown): DownloadFailed {
  const received = bytesPresent(directory, file)
  const { host: name } = new URL(host)
  const what =
    received === 0
      ? `${name} cannot be reached. Check the network and run the command again.`
      : `The connection to ${name} broke after ${formatBytes(received)} of ${formatBytes(file.bytes)}. Run the command again: it continues there.`
  return new DownloadFailed(what, { cause: error })
}

/** One request for what is missing. Throws for a broken connection; what has arrived stays in the part file. */
async function receive(file: ModelFile, { directory, host, onProgress, stallMs }: DownloadOptions): Promise<void> {
  const part = partPath(directory, file)
  const from = sizeOf(part)
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), stallMs ?? defaultStallMs)
  try {
    const response = await fetch(`${host}/${file.repository}/resolve/${file.revision}/${file.path}`, {
      headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
      signal: stalled.signal,
    })
    const isContinued = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${from}-`)
    if (response.status >= 500) throw new Error(`Status ${response.status}`)
    if ((!isContinued && response.status !== 200) || !response.body) {
      await response.body?.cancel()
      throw new DownloadFailed(
        `${new URL(host).host} answers ${response.status} for ${file.path}. Try again later, or set MODELS_URL to a mirror.`,
      )
    }
    // A server without support for ranges sends the whole file.
    const output = await open(part, isContinued ? 'a' : 'w')
    try {
      let received = isContinued ? from : 0
      for await (const chunk of response.body) {
        timer.refresh()
        received += chunk.length
        if (received > file.bytes) {
          await rm(part)
          throw new DownloadFailed(
            `${file.path} is longer than the pinned file. It was deleted. Run the command again.`,
          )
        }
        await output.writeFile(chunk)
        onProgress?.(received)
      }
      if (received < file.bytes) throw new Error(`The connection ended after ${received} bytes`)
    } finally {
      await output.close()
    }
  } finally {
    clearTimeout(timer)
  }
}

async function checksum(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}
