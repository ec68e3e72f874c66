/** Orders that are stored in this process, a worker that can be killed at any step, and attempts as the state machine makes them. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type OrderContext, type OrderLog, OrderPending, type OrderRecord } from '../../lib/providers/vendor-orders.ts'

export interface InMemoryOrders extends OrderLog {
  noted: Map<string, OrderRecord>
  pass(ms: number): void
}

export function inMemoryOrders(): InMemoryOrders {
  const noted = new Map<string, OrderRecord>()
  let clock = 0
  return {
    noted,
    pass: (ms) => {
      clock += ms
    },
    now: () => clock,
    find: async (key) => noted.get(key),
    recordIntent: async (key) => {
      if (noted.has(key)) return undefined
      const intent = { token: randomUUID().replaceAll('-', ''), at: clock }
      noted.set(key, intent)
      return intent
    },
    recordPlaced: async (key, remoteId) => {
      const order = { remoteId, at: clock }
      noted.set(key, order)
      return order
    },
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

/** The dependencies of one attempt. `removeScratch` deletes the directories. */
export function orderDepsFor(orders: OrderLog = inMemoryOrders(), fate = new CrashPoint()): OrderContext {
  const directory = mkdtempSync(join(tmpdir(), 'order-'))
  directories.push(directory)
  return {
    directory,
    key: 'ws_1/vid_1/visuals/0123456789abcdef.mp4',
    signal: new AbortController().signal,
    orderLog: {
      now: orders.now,
      find: fate.step(orders.find),
      recordIntent: fate.step(orders.recordIntent),
      recordPlaced: fate.step(orders.recordPlaced),
      withdraw: fate.step(orders.withdraw),
    },
  }
}

/** Of the state machine, between two attempts. */
const waitMs = 10_000

export interface Attempts {
  /** What happens between two of them. */
  wait?: () => unknown
  /** Default: long enough for an order that is being placed to count as lost. */
  attemptsMax?: number
}

/** The attempts at a vendor itself. */
export const realAttempts: Attempts = {
  wait: () => new Promise((resolve) => setTimeout(resolve, 5_000)),
  attemptsMax: 200,
}

/** Attempts until the order is no longer pending, as the state machine does. The last failure is thrown. */
export async function whilePending<Result>(
  attempt: () => Promise<Result>,
  orders: InMemoryOrders = inMemoryOrders(),
  { wait = () => {}, attemptsMax = 11 }: Attempts = {},
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof OrderPending) || attempts === attemptsMax) throw error
      orders.pass(waitMs)
      await wait()
    }
  }
}
