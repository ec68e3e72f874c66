/** A model process for tests: does what its input says. */
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { InputRefused, serveRequests } from '../../../local/models/child.ts'

export interface ToyInput {
  echo?: string
  sleepMs?: number
  exit?: number
  allocateMegabytes?: number
  refuse?: string
}

await serveRequests(async ({ loads, failsToLoad }: { loads: string; failsToLoad?: boolean }) => {
  appendFileSync(loads, `${process.pid}\n`)
  if (failsToLoad) throw new Error('The file is damaged.')
  return async ({ echo = '', sleepMs = 0, exit, allocateMegabytes = 0, refuse }: ToyInput) => {
    if (refuse) throw new InputRefused(refuse)
    if (exit !== undefined) process.exit(exit)
    const blocks = Array.from({ length: allocateMegabytes / 64 }, () => Buffer.alloc(64 * 2 ** 20, 1))
    await delay(sleepMs)
    return { echo, pid: process.pid, blocks: blocks.length }
  }
})
