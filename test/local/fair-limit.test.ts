/** The order of container tasks between workspaces. */
import { describe, expect, it } from 'vitest'
import { fairLimit } from '../../local/fair-limit.ts'

/** A limit whose calls end by hand, and the order in which they started. */
function given(max: number) {
  const limited = fairLimit(max)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const send = (owner: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = `${owner}${index}`
      return limited(owner, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise(setImmediate)
  }
  return { send, started, end }
}

const settle = () => new Promise(setImmediate)

describe('a fair limit', () => {
  it('runs at most so many calls at once', async () => {
    const { send, started } = given(2)
    send('a', 5)
    await settle()
    expect(started).toEqual(['a0', 'a1'])
  })

  it('serves a neighbour next, however many calls another owner has sent before', async () => {
    const { send, started, end } = given(2)
    send('a', 40)
    send('b', 2)
    await settle()
    await end('a0')
    await end('a1')
    expect(started).toEqual(['a0', 'a1', 'b0', 'a2'])
  })

  it('lets owners take turns, and keeps the order of each', async () => {
    const { send, started, end } = given(1)
    send('a', 3)
    send('b', 3)
    send('c', 1)
    await settle()
    for (const name of ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'b2']) await end(name)
    expect(started).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'b2'])
  })

  it('goes on after a call that fails', async () => {
    const limited = fairLimit(1)
    await expect(limited('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await limited('a', async () => 'done')).toBe('done')
  })
})
