// `runtime.json` describes the running service to other programs on this machine. It is written last, once every service responds. It holds
// the API key and the key pair of the emulators: only its user may read it, and it is removed at the stop.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoints, PlatformUrlsById } from './environment.ts'
import { isLocked } from './lock.ts'

export interface Runtime {
  baseUrl: string
  /** Opens the studio. The API key is in its fragment, which browsers do not send. */
  consoleUrl: string
  /** Of the MCP server. */
  mcpUrl: string
  apiKey: string
  workspaceId: string
  profileId: string
  pid: number
  startedAt: string
  endpoints: Endpoints
  /** URLs of the sandbox by platform. */
  platformUrls: PlatformUrlsById
}

/** The data directory of the local run. */
export const dataDirectory = () => process.env.DATA_DIR || '.local'

const fileIn = (directory: string) => join(directory, 'runtime.json')

/** Renamed into place, so that readers never see half a file. */
export function writeRuntime(directory: string, runtime: Runtime): void {
  const file = fileIn(directory)
  writeFileSync(`${file}.new`, JSON.stringify(runtime, null, 2), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const removeRuntime = (directory: string) => rmSync(fileIn(directory), { force: true })

/** The service that runs in this directory, or undefined. A file without a running process is left over from a kill. */
export function findRuntime(directory: string): Runtime | undefined {
  if (!existsSync(fileIn(directory)) || !isLocked(directory)) return undefined
  return JSON.parse(readFileSync(fileIn(directory), 'utf8'))
}
