// The sandbox network as one of the services of the local run: its own directory, the port of the last time, and a pace.

import { platforms } from '../../../lib/domain/core/platform.ts'
import type { UrlsOfPlatforms } from '../../environment.ts'
import type { Door } from '../../listen.ts'
import { movableClock } from './clock.ts'
import { createSandbox } from './server.ts'

export interface SandboxOptions {
  readonly port: number
  readonly directory: string
  /** Platforms are so many times quicker than their own. */
  readonly pace: number
}

export async function startSandbox({
  port,
  directory,
  pace,
}: SandboxOptions): Promise<Door & { platformUrls: UrlsOfPlatforms }> {
  const sandbox = await createSandbox({ directory, clock: movableClock(Date.now, pace) })
  const door = await sandbox.start(port)
  return { ...door, platformUrls: Object.fromEntries(platforms.map(({ id }) => [id, sandbox.urlsOf(id)])) }
}
