import { describe, expect, it } from 'vitest'
import { parallelLimit, settleAll } from '../lib/async.ts'

describe('tasks in parallel', () => {
  it('are not begun after the signal, and its reason is thrown', async () => {
    const cancel = new AbortController()
    const begun: number[] = []
    const tasks = Array.from({ length: 10 }, (_, index) => async () => {
      begun.push(index)
      if (index === 2) cancel.abort(new Error('told to stop'))
    })
    await expect(parallelLimit(tasks, 1, cancel.signal)).rejects.toThrow('told to stop')
    expect(begun).toEqual([0, 1, 2])
  })

  it('throw the first failure when all that ran have ended, and begin none after it', async () => {
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
      async () => void ended.push('never begun'),
    ]
    await expect(parallelLimit(tasks, 2)).rejects.toThrow('first')
    expect(ended).toEqual(['slow'])
  })
})

describe('work that is done together', () => {
  it('fails when all of it has ended', async () => {
    const slow = Promise.withResolvers<string>()
    let hasEnded = false
    const other = slow.promise.then(() => (hasEnded = true))
    setImmediate(() => slow.resolve('done'))
    await expect(settleAll([Promise.reject(new Error('at once')), other])).rejects.toThrow('at once')
    expect(hasEnded).toBe(true)
  })
})
