/** Orders that are stored in this process, and a worker that can be killed at any step. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OrderContext, OrderLog, OrderRecord, PollPolicy } from '../../lib/providers/vendor-orders.ts'

export function inMemoryOrders(): OrderLog & { noted: Map<string, OrderRecord> } {
  const noted = new Map<string, OrderRecord>()
  return {
    noted,
    find: async (key) => noted.get(key),
    recordIntent: async (key, at) => {
      if (noted.has(key)) return undefined
      const intent = { token: randomUUID().replaceAll('-', ''), at }
      noted.set(key, intent)
      return intent
    },
    recordPlaced: async (key, remoteId) => void noted.set(key, { remoteId }),
    withdraw: async (key, note) => {
      if (isDeepStrictEqual(noted.get(key), note)) noted.delete(key)
    },
  }
}

export class SimulatedCrash extends Error {
  override name = 'Killed'
}

/** Counts every external step of a worker, and ends it at one of them: before it is done or just after. */
export class CrashPoint {
  steps = 0
  private readonly at: number
  private readonly isAfter: boolean

  constructor(at = Number.POSITIVE_INFINITY, when: 'before' | 'after' = 'before') {
    this.at = at
    this.isAfter = when === 'after'
  }

  step<Asked extends unknown[], Answer>(work: (...asked: Asked) => Promise<Answer>) {
    return async (...asked: Asked): Promise<Answer> => {
      const isLast = this.steps++ === this.at
      if (isLast && !this.isAfter) throw new SimulatedCrash()
      const answer = await work(...asked)
      if (isLast) throw new SimulatedCrash()
      return answer
    }
  }
}

const directories: string[] = []
export function removeScratch(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
}

const pollMs = 10_000

/** The dependencies of one call. `removeScratch` deletes the directories. */
export function orderDepsFor(orders: OrderLog = inMemoryOrders(), fate = new CrashPoint()): OrderContext {
  const directory = mkdtempSync(join(tmpdir(), 'order-'))
  directories.push(directory)
  return {
    directory,
    key: 'ws_1/vid_1/visuals/0123456789abcdef.mp4',
    signal: new AbortController().signal,
    // Ten polls, and long enough for an order that is being placed to count as lost.
    waitMs: 10 * pollMs,
    orderLog: {
      find: fate.step(orders.find),
      recordIntent: fate.step(orders.recordIntent),
      recordPlaced: fate.step(orders.recordPlaced),
      withdraw: fate.step(orders.withdraw),
    },
  }
}

/** Never waits; its clock advances by the requested time. */
export const testPollPolicy = (fate = new CrashPoint()): PollPolicy => {
  let now = 0
  const wait = async (ms: number) => {
    now += ms
  }
  return { wait: fate.step(wait), now: () => now, pollMs }
}
