// A picture for each film on the walls: a browser that had to open the films for one would keep all its connections to the sandbox busy.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'

/** The path of the picture of a film in the directory, which is made when it is first asked for; none of what is no film. */
export type Posters = (sha256: string) => Promise<string | undefined>

const timeoutMs = 20_000
/** Of the first three seconds the frame that is most like the others. */
const choice = 'thumbnail=90,scale=480:-2'

export function openPosters(directory: string): Posters {
  const making = new Map<string, Promise<string | undefined>>()
  return async (sha256) => {
    if (!existsSync(join(directory, sha256))) return undefined
    const made = making.get(sha256) ?? posterOf(sha256, directory)
    making.set(sha256, made)
    return made
  }
}

async function posterOf(sha256: string, directory: string): Promise<string | undefined> {
  const path = join(directory, `${sha256}.jpg`)
  if (existsSync(path)) return path
  // Renamed into place: nobody is sent half of it.
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
