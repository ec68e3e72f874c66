/** Finds the ffmpeg to run. Nothing is downloaded or installed here: where there is none, the error says what to do. */
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** The 2018 build that npm installs on Linux x64: libx264 and AAC, but no xfade and no ffprobe. */
const bundled = '@ffmpeg-installer/linux-x64/ffmpeg'

/** Path of the ffmpeg program: $FFMPEG, else the one on PATH, else the bundled one. Throws an Error when there is none. */
export function findFfmpeg(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.FFMPEG) {
    if (isExecutable(environment.FFMPEG)) return environment.FFMPEG
    throw new Error(`FFMPEG names ${environment.FFMPEG}, which is no program that can be run.`)
  }
  const found = findOnPath('ffmpeg', environment) ?? findBundled()
  if (found) return found
  throw new Error(
    `ffmpeg was not found. No ffmpeg comes with the packages for ${process.platform} ${process.arch}: install it ` +
      '(Debian: apt-get install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG to the path of an ffmpeg with libx264.',
  )
}

/** Absolute path of a program on PATH, or undefined. */
export function findOnPath(program: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const directories = (environment.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
  return directories.map((directory) => join(directory, program)).find(isExecutable)
}

function findBundled(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(bundled)
  } catch {
    // The package is optional: npm leaves it out on other systems.
    return undefined
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
