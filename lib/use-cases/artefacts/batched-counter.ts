/**
 * Counts the objects of one worker in batches: one transaction at most every two seconds, for all objects that came
 * meanwhile. Parallel workers of a workspace share its counter, whose transactions would otherwise conflict.
 */
import type { Refusal } from '../../domain/core/refusal.ts'
import {
  type CountedObject,
  countObjects,
  objectsPerTransaction,
  type StorageOwner,
} from '../../store/storage-usage.ts'

const intervalMs = 2_000

export interface BatchedCounter {
  /** Resolves when the object is counted, and may be stored. Rejects as `countObject`, and on abort. */
  count: (name: string, bytes: number, signal: AbortSignal) => Promise<void>
  /** Counts at once what waits, and from now on everything. */
  flush: () => void
}

interface Waiting extends CountedObject {
  settle: (outcome: { refused?: Refusal | undefined } | { failure: unknown }) => void
}

/** `share`: see `countObjects`. */
export function batchedCounter(owner: StorageOwner, share: number): BatchedCounter {
  const waiting = new Set<Waiting>()
  let isCounting = false
  let isFlushed = false
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  /** With all that have the same name: a transaction may not write a row twice. */
  const takeBatch = (): Waiting[] => {
    const names = new Set<string>()
    const batch: Waiting[] = []
    for (const object of waiting) {
      if (names.size === objectsPerTransaction && !names.has(object.name)) continue
      names.add(object.name)
      batch.push(object)
      waiting.delete(object)
    }
    return batch
  }

  const countBatch = async () => {
    const batch = takeBatch()
    const objects = [...new Map(batch.map(({ name, bytes }) => [name, { name, bytes }])).values()]
    isCounting = true
    lastAt = performance.now()
    try {
      const { refused } = await countObjects(owner, objects, { share })
      for (const { name, settle } of batch) settle({ refused: refused.get(name) })
    } catch (failure) {
      for (const { settle } of batch) settle({ failure })
    }
    isCounting = false
    countWhenDue()
  }

  const countWhenDue = () => {
    clearTimeout(timer)
    if (isCounting || waiting.size === 0) return
    const waitMs = isFlushed ? 0 : lastAt + intervalMs - performance.now()
    if (waitMs > 0) timer = setTimeout(countWhenDue, waitMs)
    else void countBatch()
  }

  const count: BatchedCounter['count'] = (name, bytes, signal) => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      waiting.delete(object)
      reject(signal.reason)
    }
    const object: Waiting = {
      name,
      bytes,
      settle: (outcome) => {
        signal.removeEventListener('abort', onAbort)
        if ('failure' in outcome) reject(outcome.failure)
        else if (outcome.refused) reject(outcome.refused)
        else resolve()
      },
    }
    signal.addEventListener('abort', onAbort, { once: true })
    waiting.add(object)
    countWhenDue()
    return promise
  }

  const flush = () => {
    isFlushed = true
    countWhenDue()
  }
  return { count, flush }
}
