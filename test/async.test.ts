/** Limits, polling and retries. Sleep, clock and chance are injected: no test waits. */
import { describe, expect, it } from 'vitest'
import { backoffMs, limit, parallelLimit, poll, retry, settleAll } from '../lib/async.ts'

describe('limit', () => {
  it('runs at most so many calls at once, in the order of the calls', async () => {
    const limited = limit(2)
    const started: number[] = []
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    let running = 0
    let most = 0
    const calls = ends.map(({ promise }, index) =>
      limited(async () => {
        started.push(index)
        most = Math.max(most, ++running)
        await promise
        running--
        return index
      }),
    )
    expect(started).toEqual([0, 1])
    for (const { resolve } of ends) resolve()
    expect(await Promise.all(calls)).toEqual([0, 1, 2, 3, 4])
    expect(started).toEqual([0, 1, 2, 3, 4])
    expect(most).toBe(2)
  })

  it('frees the slot of a call that fails', async () => {
    const limited = limit(1)
    const failed = limited(async () => {
      throw new Error('first')
    })
    const next = limited(async () => 'second')
    await expect(failed).rejects.toThrow('first')
    expect(await next).toBe('second')
  })
})

describe('parallelLimit', () => {
  it('starts no task after the signal and throws its reason', async () => {
    const cancel = new AbortController()
    const started: number[] = []
    const tasks = Array.from({ length: 10 }, (_, index) => async () => {
      started.push(index)
      if (index === 2) cancel.abort(new Error('aborted'))
    })
    await expect(parallelLimit(tasks, 1, cancel.signal)).rejects.toThrow('aborted')
    expect(started).toEqual([0, 1, 2])
  })

  it('starts no task after a failure and throws the first one when all running tasks have ended', async () => {
    const ended: string[] = []
    const slow = Promise.withResolvers<void>()
    const tasks = [
      async () => {
        await slow.promise
        ended.push('slow')
      },
      async () => {
        setImmediate(slow.resolve)
        throw new Error('first')
      },
      async () => void ended.push('never started'),
    ]
    await expect(parallelLimit(tasks, 2)).rejects.toThrow('first')
    expect(ended).toEqual(['slow'])
  })

  it('runs all tasks at once under an infinite limit', async () => {
    const started: number[] = []
    const tasks = [0, 1, 2].map((index) => async () => void started.push(index))
    const running = parallelLimit(tasks, Infinity)
    expect(started).toEqual([0, 1, 2])
    await running
  })
})

describe('settleAll', () => {
  it('throws only when every promise has settled', async () => {
    const slow = Promise.withResolvers<string>()
    let hasEnded = false
    const other = slow.promise.then(() => (hasEnded = true))
    setImmediate(() => slow.resolve('done'))
    await expect(settleAll([Promise.reject(new Error('first')), other])).rejects.toThrow('first')
    expect(hasEnded).toBe(true)
  })
})

/** A clock that only sleeping moves. */
function fakeTime() {
  let time = 0
  const pauses: number[] = []
  const sleep = async (ms: number) => {
    pauses.push(ms)
    time += ms
  }
  return { now: () => time, sleep, pauses }
}

describe('poll', () => {
  const pauseMs = { first: 10, growth: 2, last: 50 }

  it('reads until the value is accepted, with growing pauses up to the last', async () => {
    const { pauses, ...time } = fakeTime()
    let reads = 0
    const value = await poll(
      async () => ++reads,
      (count) => count === 6,
      { pauseMs, until: Infinity, ...time },
    )
    expect(value).toBe(6)
    expect(pauses).toEqual([10, 20, 40, 50, 50])
  })

  it('reads a last time at the deadline and returns that value', async () => {
    const { pauses, ...time } = fakeTime()
    let reads = 0
    const value = await poll(
      async () => ++reads,
      () => false,
      { pauseMs, until: 25, ...time },
    )
    expect(value).toBe(3)
    expect(pauses).toEqual([10, 15])
  })

  it('reads once where the deadline has passed', async () => {
    const { pauses, ...time } = fakeTime()
    expect(
      await poll(
        async () => 'value',
        () => false,
        { pauseMs, until: -1, ...time },
      ),
    ).toBe('value')
    expect(pauses).toEqual([])
  })

  it('throws what the read throws', async () => {
    const read = async () => {
      throw new Error('unreadable')
    }
    await expect(poll(read, () => true, { pauseMs, until: 0 })).rejects.toThrow('unreadable')
  })
})

describe('retry', () => {
  /** Fails so many times, then returns the number of the attempt. */
  const failing = (times: number) => {
    let attempts = 0
    return async () => {
      if (++attempts <= times) throw new Error(`attempt ${attempts}`)
      return attempts
    }
  }

  it('repeats after each pause until an attempt succeeds', async () => {
    const { sleep, pauses } = fakeTime()
    expect(await retry(failing(2), { pausesMs: [1, 2, 3], sleep })).toBe(3)
    expect(pauses).toEqual([1, 2])
  })

  it('throws the error of the last attempt', async () => {
    const { sleep, pauses } = fakeTime()
    await expect(retry(failing(9), { pausesMs: [1, 2], sleep })).rejects.toThrow('attempt 3')
    expect(pauses).toEqual([1, 2])
  })

  it('throws an error that is not retryable at once', async () => {
    const { sleep, pauses } = fakeTime()
    const isRetryable = (error: unknown) => (error as Error).message === 'attempt 1'
    await expect(retry(failing(9), { pausesMs: [1, 2, 3], isRetryable, sleep })).rejects.toThrow('attempt 2')
    expect(pauses).toEqual([1])
  })

  it('reports each error before its pause, not the last one', async () => {
    const { sleep } = fakeTime()
    const reported: string[] = []
    const beforeRetry = (error: unknown) => reported.push((error as Error).message)
    await expect(retry(failing(9), { pausesMs: [1, 2], beforeRetry, sleep })).rejects.toThrow('attempt 3')
    expect(reported).toEqual(['attempt 1', 'attempt 2'])
  })

  it('sleeps a random part of each pause with jitter', async () => {
    const { sleep, pauses } = fakeTime()
    const chances = [0, 0.5]
    await retry(failing(2), { pausesMs: [100, 100], jitter: true, random: () => chances.shift()!, sleep })
    expect(pauses).toEqual([0, 50])
  })
})

describe('backoffMs', () => {
  it('doubles up to the last pause', () => {
    expect(backoffMs(7, { first: 50, last: 400 })).toEqual([50, 100, 200, 400, 400, 400, 400])
  })
})
