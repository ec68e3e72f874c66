/** Follows the jobs of a video and downloads its render. */
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exitCodes, Failure } from './failure.js'
import { clip, safeText } from './human-text.js'

/** @import { Client, Video } from './client/index.js' */
/** @import { Io, Output } from './types.js' */

/** The share of the generation in the progress of a video. */
const generationShare = 0.35
const barWidth = 24
/** CR and EL 2 (ECMA-48). */
const clearedLine = '\r\x1b[2K'

/** @param {{ status: string } | null | undefined} job */
const isOpen = (job) => job?.status === 'QUEUED' || job?.status === 'PROCESSING'

/** @param {Video} video */
export const isSettled = ({ process, render, publish }) => ![process, render, publish].some(isOpen)

/** Of generation and render together, in whole percent. @param {Video} video */
export const percentOf = ({ process, render }) =>
  Math.floor(generationShare * (process?.progress ?? 0) + (1 - generationShare) * (render?.progress ?? 0))

/** What is being done, in a word or two. @param {Video} video */
export function phaseOf({ status, process, render, publish }) {
  if (status === 'processing') return process?.statusText ?? 'Generating'
  if (status === 'rendering') return render?.statusText ?? 'Rendering'
  return isOpen(publish) ? 'Publishing' : { ready: 'Ready', failed: 'Failed', draft: 'Generated' }[status]
}

/**
 * Reads a video until no job is open, or until it has a render where one was requested. Draws its progress on a terminal.
 * @param {Client} client @param {string} videoId
 * @param {{ io: Io, isRendered?: boolean, timeoutSeconds?: number | undefined }} options
 * @returns {Promise<Video>} @throws ReelsmithError `video-failed`, `timeout`; Failure where the publication failed.
 */
export async function waitForJobs(client, videoId, { io, isRendered = false, timeoutSeconds = 1800 }) {
  const progress = createProgress(io.stderr)
  let publishes = false
  try {
    const video = await client.waitFor(videoId, {
      timeoutMs: timeoutSeconds * 1000,
      signal: io.signal,
      until: (video) => {
        publishes ||= isOpen(video.publish)
        progress.show(percentOf(video), phaseOf(video))
        return isRendered ? video.status === 'ready' : video.status !== 'failed' && isSettled(video)
      },
    })
    const { status, error } = video.publish ?? {}
    if (publishes && status === 'FAILED')
      throw new Failure('publish-failed', exitCodes.jobFailed, `Video ${videoId} was not published: ${error?.message}`)
    return video
  } finally {
    progress.end()
  }
}

/** A bar on the last line of a terminal; nothing elsewhere. @param {Output} output */
export function createProgress(output) {
  const isShown = output.isTTY === true
  let last = ''
  return {
    /** @param {number} percent @param {string} phase */
    show(percent, phase) {
      const full = Math.round((barWidth * Math.min(percent, 100)) / 100)
      const room = Math.max((output.columns ?? 80) - barWidth - 8, 8)
      const line = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${String(percent).padStart(3)} %  ${clip(safeText(phase), room)}`
      if (!isShown || line === last) return
      last = line
      output.write(clearedLine + line)
    },
    end() {
      if (last) output.write(clearedLine)
    },
  }
}

/**
 * Writes the file in one step, so that a broken transfer leaves none.
 * @param {string} url @param {string} file @param {Pick<Io, 'fetch' | 'signal'>} io
 */
export async function downloadFile(url, file, io) {
  const temporary = `${file}.part`
  await mkdir(dirname(file), { recursive: true })
  try {
    const response = await io.fetch(url, { signal: io.signal })
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`)
    // The streams of the DOM and of Node are the same at run time.
    const body = Readable.fromWeb(/** @type {any} */ (response.body))
    await pipeline(body, createWriteStream(temporary), { signal: io.signal })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    io.signal.throwIfAborted()
    const message = `The download to ${file} failed: ${/** @type {Error} */ (error).message}.`
    throw new Failure('download-failed', exitCodes.unavailable, message)
  }
}
