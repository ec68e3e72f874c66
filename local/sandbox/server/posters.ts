// Poster images for the videos of the feed page: loading the videos themselves would occupy all connections of a browser.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'

/** The path of the poster of a video, drawn at the first request; undefined if the file is not a video. */
export type Posters = (sha256: string) => Promise<string | undefined>

const timeoutMs = 20_000
/** The most representative frame of the first three seconds. */
const choice = 'thumbnail=90,scale=480:-2'

export function openPosters(directory: string): Posters {
  const making = new Map<string, Promise<string | undefined>>()
  return async (sha256) => {
    if (!existsSync(join(directory, sha256))) return undefined
    const poster = making.get(sha256) ?? posterOf(sha256, directory)
    making.set(sha256, poster)
    return poster
  }
}

async function posterOf(sha256: string, directory: string): Promise<string | undefined> {
  const path = join(directory, `${sha256}.jpg`)
  if (existsSync(path)) return path
  // Renamed into place, so that no response has half a file.
  const half = `${randomUUID()}.jpg`
  try {
    const picture = ['-frames:v', '1', '-vf', choice, '-q:v', '3', half]
    await runFfmpeg({ arguments: ['-i', sha256, ...picture], directory, timeoutMs })
    await rename(join(directory, half), path)
    return path
  } catch (error) {
    if (error instanceof FfmpegFailure) return undefined
    throw error
  }
}
