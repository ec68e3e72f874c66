/**
 * Finds the ffmpeg program, and says whether it must be isolated. Does not download or install anything: without one, the
 * error says what to do.
 */
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** The build of 2018 that npm installs on Linux x64: libx264 and AAC, but no xfade and no ffprobe. */
const bundled = '@ffmpeg-installer/linux-x64/ffmpeg'

/** Path of ffmpeg: $FFMPEG, otherwise the one on PATH, otherwise the bundled one. Throws an Error without any. */
export function findFfmpeg(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.FFMPEG) {
    if (isExecutable(environment.FFMPEG)) return environment.FFMPEG
    throw new Error(`FFMPEG is set to ${environment.FFMPEG}, which is not an executable file.`)
  }
  const found = findOnPath('ffmpeg', environment) ?? findBundled()
  if (found) return found
  const why =
    process.platform === 'linux' && process.arch === 'x64'
      ? 'is neither on PATH nor in node_modules: run `npm ci`, or'
      : `was not found. The packages for ${process.platform} ${process.arch} include none:`
  throw new Error(
    `ffmpeg ${why} install it (Debian: apt-get install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG to the path of an ffmpeg with libx264.`,
  )
}

/** Whether it is the build of 2018: years of fixes to its parsers are missing, so files of strangers may take it over. */
export const isBundledFfmpeg = (path: string): boolean => path === findBundled()

/** Whether ffmpeg may not start unless it is isolated, as in the image of the container. */
export const isIsolationRequired = (environment: NodeJS.ProcessEnv = process.env) =>
  environment.FFMPEG_ISOLATION === 'required'

/** Absolute path of a program on PATH, or undefined. */
export function findOnPath(program: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const directories = (environment.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
  return directories.map((directory) => join(directory, program)).find(isExecutable)
}

function findBundled(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(bundled)
  } catch {
    // The package is optional: npm skips it on other systems.
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
