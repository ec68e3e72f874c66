/** A task queue with a concurrency limit: a limited number of tasks work at a time, any number may wait. */
import { describe, expect, it } from 'vitest'
import { type ReleaseWhile, runTaskQueue } from '../../../containers/media/visuals/task-queue.ts'

describe('queued tasks', () => {
  it('have all started before any of them has waited to its end', async () => {
    const all = Promise.withResolvers<void>()
    let [working, most, begun] = [0, 0, 0]
    const task = async (meanwhile: ReleaseWhile) => {
      working += 1
      most = Math.max(most, working)
      begun += 1
      if (begun === 20) all.resolve()
      await Promise.resolve()
      working -= 1
      await meanwhile(() => all.promise)
      working += 1
      most = Math.max(most, working)
      await Promise.resolve()
      working -= 1
    }
    await runTaskQueue(
      Array.from({ length: 20 }, () => task),
      3,
    )
    expect([begun, most]).toEqual([20, 3])
  })

  it('are retried when another one has finished if there was no capacity', async () => {
    const room = 2
    let [taken, made] = [0, 0]
    const task = async (meanwhile: ReleaseWhile) => {
      if (taken === room) throw new Error('No room.')
      taken += 1
      await meanwhile(() => new Promise((resolve) => setImmediate(resolve)))
      taken -= 1
      made += 1
    }
    const tasks = Array.from({ length: 9 }, () => task)
    await runTaskQueue(tasks, 3, () => true)
    expect(made).toBe(9)
  })

  it('fail if there is no capacity although none is running', async () => {
    const task = async (meanwhile: ReleaseWhile) => {
      await meanwhile(() => new Promise((resolve) => setImmediate(resolve)))
      throw new Error('No room.')
    }
    await expect(runTaskQueue([task, task, task], 3, () => true)).rejects.toThrow('No room.')
  })

  it('do not start after one of them failed, and those that did are completed first', async () => {
    const ended: string[] = []
    const slow = Promise.withResolvers<void>()
    const tasks = [
      async (meanwhile: ReleaseWhile) => {
        await meanwhile(() => slow.promise)
        ended.push('first')
      },
      async () => {
        throw new Error('Broken.')
      },
      async () => {
        ended.push('third')
      },
    ]
    const done = runTaskQueue(tasks, 1)
    slow.resolve()
    await expect(done).rejects.toThrow('Broken.')
    expect(ended).toEqual(['first'])
  })
})
