// Starts the sandbox as a service of the local run: with its own directory, a stable port and a time scale.

import { platforms } from '../../../lib/domain/core/platform.ts'
import type { PlatformUrlsById } from '../../environment.ts'
import type { RunningServer } from '../../listen.ts'
import { adjustableClock } from './clock.ts'
import { createSandbox } from './server.ts'

interface SandboxOptions {
  readonly port: number
  readonly directory: string
  /** Divides the processing times of platforms. */
  readonly timeScale: number
}

export async function startSandbox({
  port,
  directory,
  timeScale: pace,
}: SandboxOptions): Promise<RunningServer & { platformUrls: PlatformUrlsById }> {
  const sandbox = await createSandbox({ directory, clock: adjustableClock(Date.now, pace) })
  const running = await sandbox.start(port)
  const urlsOf = ({ id }: (typeof platforms)[number]) =>
    [id, { ...sandbox.urlsOf(id), posts: `${running.url}/posts/${id}` }] as const
  return { ...running, platformUrls: Object.fromEntries(platforms.map(urlsOf)) }
}
