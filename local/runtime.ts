// `runtime.json`: how other programs on this machine find the local run. Written last, when everything answers.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoints, PlatformUrlsById } from './environment.ts'
import { isLocked } from './lock.ts'

export interface Runtime {
  baseUrl: string
  apiKey: string
  workspaceId: string
  profileId: string
  pid: number
  startedAt: string
  endpoints: Endpoints
  /** Where each platform of the sandbox is. */
  platformUrls: PlatformUrlsById
}

/** Where the local run keeps everything that lasts. */
export const dataDirectory = () => process.env.DATA_DIR || '.local'

const fileIn = (directory: string) => join(directory, 'runtime.json')

/** Renamed into place, so that nobody reads half of it. */
export function writeRuntime(directory: string, runtime: Runtime): void {
  const file = fileIn(directory)
  writeFileSync(`${file}.new`, JSON.stringify(runtime, null, 2), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const removeRuntime = (directory: string) => rmSync(fileIn(directory), { force: true })

/** The run that is up in this directory, or undefined: a file whose process is gone is left over from a kill. */
export function findRuntime(directory: string): Runtime | undefined {
  if (!existsSync(fileIn(directory)) || !isLocked(directory)) return undefined
  return JSON.parse(readFileSync(fileIn(directory), 'utf8'))
}
