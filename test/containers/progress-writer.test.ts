/** How often the progress of a job is written, and what a lost run ends. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { progressWriter, withProgress } from '../../containers/media/progress-writer.ts'
import { Superseded } from '../../lib/domain/core/failures.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A writer, and the values that it wrote. */
function newWriter(write: (percent: number) => Promise<void> = async () => {}) {
  const written: number[] = []
  const onLost = vi.fn()
  const writer = progressWriter(async (percent) => {
    written.push(percent)
    await write(percent)
  }, onLost)
  return { ...writer, written, onLost }
}

describe('progress', () => {
  it('writes the first value and the last at once, others every two seconds', async () => {
    const { report, flush, written } = newWriter()
    for (const percent of [0, 1, 2, 3]) report(percent)
    await vi.advanceTimersByTimeAsync(1_999)
    expect(written).toEqual([1])
    await vi.advanceTimersByTimeAsync(1)
    expect(written).toEqual([1, 3])
    report(4)
    report(5)
    await flush()
    expect(written).toEqual([1, 3, 5])
  })

  it('writes a value that is ten percent higher at once', async () => {
    const { report, written } = newWriter()
    for (const percent of [1, 10, 11, 20, 97]) {
      report(percent)
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(written).toEqual([1, 11, 97])
  })

  it('writes at most one value every two seconds while a long render creeps', async () => {
    const { report, written } = newWriter()
    for (let second = 0; second < 60; second += 0.5) {
      report(Math.floor(second / 2))
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(written.length).toBeLessThanOrEqual(31)
    expect(written.toSorted((a, b) => a - b)).toEqual(written)
  })

  it('writes one value at a time, and then only the newest', async () => {
    const slow = Promise.withResolvers<void>()
    const { report, flush, written } = newWriter(() => slow.promise)
    for (const percent of [1, 30, 60, 90]) report(percent)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(written).toEqual([1])
    slow.resolve()
    await flush()
    expect(written).toEqual([1, 90])
  })

  it('goes on after a failed write, and ends with a lost run', async () => {
    const failures = [new Error('the table is away'), new Superseded('The run has ended.')]
    const { report, flush, written, onLost } = newWriter(async () => Promise.reject(failures.shift()))
    for (const percent of [20, 40, 60]) {
      report(percent)
      await flush()
    }
    expect(written).toEqual([20, 40])
    expect(onLost).toHaveBeenCalledExactlyOnceWith(expect.any(Superseded))
  })
})

describe('work that reports progress', () => {
  const signal = new AbortController().signal
  const lose = async () => {
    throw new Superseded('The run has ended.')
  }

  it('is aborted within one write of a lost run', async () => {
    const work = withProgress({ signal, write: lose }, async ({ report, signal: aborted }) => {
      report(1)
      await new Promise((_, reject) => aborted.addEventListener('abort', () => reject(new Error('stopped'))))
    })
    await expect(work).rejects.toMatchObject({ name: 'Superseded' })
  })

  it('is superseded also where it ends before that write', async () => {
    const work = withProgress({ signal, write: lose }, async ({ report }) => report(1))
    await expect(work).rejects.toMatchObject({ name: 'Superseded' })
  })

  it('writes nothing more after a failure', async () => {
    const write = vi.fn(async () => {})
    const work = withProgress({ signal, write }, async ({ report }) => {
      report(1)
      report(2)
      throw new Error('broken')
    })
    await expect(work).rejects.toThrow('broken')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(write).toHaveBeenCalledOnce()
  })
})
