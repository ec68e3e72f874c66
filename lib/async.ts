/** Concurrency limits, polling and retries. Independent of any service; sleep, clock and random numbers can be injected. */
import { setTimeout as delay } from 'node:timers/promises'

export type Sleep = (ms: number) => Promise<unknown>

/** A semaphore: the returned function runs at most `max` calls at once; the others wait in the order of their calls. */
export function limit(max: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let free = max
  const waiting: (() => void)[] = []
  return async (run) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/**
 * Runs the tasks in their order, at most `max` at once. After a failure, or an abort, no further task is started; the
 * first failure (else the reason of the signal) is thrown once the running tasks have ended.
 */
export async function parallelLimit(
  tasks: readonly (() => Promise<unknown>)[],
  max: number,
  signal?: AbortSignal,
): Promise<void> {
  const limited = limit(max)
  const failures: unknown[] = []
  const runTask = async (task: () => Promise<unknown>) => {
    if (failures.length > 0 || signal?.aborted) return
    await task().catch((failure) => failures.push(failure))
  }
  await Promise.all(tasks.map((task) => limited(() => runTask(task))))
  if (failures.length > 0) throw failures[0]
  signal?.throwIfAborted()
}

/** `Promise.all` that throws the first failure only once every promise has settled. */
export async function settleAll<const Promises extends readonly unknown[]>(promises: Promises) {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** The result of `work`, or after so many milliseconds the error of `late`; `work` goes on without a reader. */
export async function withDeadline<Result>(work: Promise<Result>, ms: number, late: () => Error): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

interface PollOptions {
  /** Milliseconds between two calls: `first`, multiplied by `growth` each time, at most `last`. */
  pauseMs: { first: number; growth: number; last: number }
  /** When to give up, in the milliseconds of `now`. */
  until: number
  now?: () => number
  sleep?: Sleep
}

/**
 * Repeats `read` until `isDone` accepts its value, or until the deadline, where it reads once more; returns the last
 * value.
 */
export async function poll<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
  { pauseMs, until, now = Date.now, sleep = delay }: PollOptions,
): Promise<Value> {
  for (let pause = pauseMs.first; ; pause = Math.min(pause * pauseMs.growth, pauseMs.last)) {
    const value = await read()
    const remainingMs = until - now()
    if (isDone(value) || remainingMs <= 0) return value
    await sleep(Math.min(pause, remainingMs))
  }
}

interface RetryOptions {
  /** Milliseconds before each retry: as many retries as pauses. */
  pausesMs: readonly number[]
  /** Full jitter: each pause is a random part of its value, so that callers that collided do not collide again. */
  jitter?: boolean
  /** Any other error is thrown at once. Default: every error is retried. */
  isRetryable?: (error: unknown) => boolean
  /** Called with the error before each pause, to log it or to extend a lease. */
  beforeRetry?: (error: unknown) => unknown
  sleep?: Sleep
  random?: () => number
}

/** Repeats `attempt` after a failure; the error of the last attempt is thrown. */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  {
    pausesMs,
    jitter = false,
    isRetryable = () => true,
    beforeRetry,
    sleep = delay,
    random = Math.random,
  }: RetryOptions,
): Promise<Result> {
  for (const pause of pausesMs) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error)) throw error
      await beforeRetry?.(error)
      await sleep(jitter ? random() * pause : pause)
    }
  }
  return attempt()
}

/** Exponential backoff: so many pauses, doubling from `first` up to `last`. */
export const backoffMs = (retries: number, { first, last }: { first: number; last: number }): number[] =>
  Array.from({ length: retries }, (_, index) => Math.min(first * 2 ** index, last))
