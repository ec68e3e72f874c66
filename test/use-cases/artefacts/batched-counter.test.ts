/** The objects of one worker are counted in batches: how many transactions that takes, and what does not wait. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import { storageFull } from '../../../lib/domain/workspaces/price.ts'
import { countObjects } from '../../../lib/store/storage-usage.ts'
import { batchedCounter } from '../../../lib/use-cases/artefacts/batched-counter.ts'
import { workspaceOn } from '../../domain/support/videos.ts'

vi.mock(import('../../../lib/store/storage-usage.ts'), async (original) => ({
  ...(await original()),
  countObjects: vi.fn(),
}))

const owner = { workspace: workspaceOn('starter'), videoId: 'vid_1' }
const { signal } = new AbortController()

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(countObjects).mockReset().mockResolvedValue({ counted: [], refused: new Map() })
})
afterEach(() => void vi.useRealTimers())

const counter = () => batchedCounter(owner, 0.8)
/** The names in each transaction. */
const batches = () => vi.mocked(countObjects).mock.calls.map(([, objects]) => objects.map(({ name }) => name))
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index}.mp4`)

describe('objects of a worker', () => {
  it('are counted at most every two seconds: six transactions for thirty that are made in ten seconds', async () => {
    const { count, flush } = counter()
    const counted: Promise<void>[] = []
    for (const name of numbered(30)) {
      counted.push(count(name, 10, signal))
      await vi.advanceTimersByTimeAsync(333)
    }
    flush()
    await Promise.all(counted)
    expect(batches().map(({ length }) => length)).toEqual([1, 6, 6, 6, 6, 5])
    expect(batches().flat()).toEqual(numbered(30))
  })

  it('wait for nothing when the last one was made', async () => {
    const { count, flush } = counter()
    const counted = numbered(3).map((name) => count(name, 10, signal))
    flush()
    counted.push(count('sound.m4a', 10, signal))
    await Promise.all(counted)
    expect(batches()).toEqual([['0.mp4'], ['1.mp4', '2.mp4', 'sound.m4a']])
    await count('late.jpg', 10, signal)
    expect(batches()).toHaveLength(3)
  })

  it('that came while others were counted are counted next, also where that took long', async () => {
    const first = Promise.withResolvers<Awaited<ReturnType<typeof countObjects>>>()
    vi.mocked(countObjects).mockReturnValueOnce(first.promise)
    const { count } = counter()
    const counted = numbered(3).map((name) => count(name, 10, signal))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(batches()).toEqual([['0.mp4']])
    first.resolve({ counted: ['0.mp4'], refused: new Map() })
    await Promise.all(counted)
    expect(batches()).toEqual([['0.mp4'], ['1.mp4', '2.mp4']])
  })

  it('of the same name are one, and more than fit into a transaction are several', async () => {
    const { count, flush } = counter()
    const counted = ['first.mp4', ...numbered(150), ...numbered(150)].map((name) => count(name, 10, signal))
    flush()
    await Promise.all(counted)
    expect(batches().map(({ length }) => length)).toEqual([1, 98, 52])
    expect(new Set(batches().flat()).size).toBe(151)
  })

  it('that do not fit are refused, each by itself', async () => {
    vi.mocked(countObjects).mockResolvedValue({ counted: [], refused: new Map([['1.mp4', storageFull(100)]]) })
    const { count, flush } = counter()
    const counted = numbered(3).map((name) => count(name, 10, signal))
    flush()
    const outcomes = await Promise.allSettled(counted)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { code: 'warning-plan-storage' } })
  })

  it('of a deleted video end all that wait with them, and a fault ends only its own batch', async () => {
    vi.mocked(countObjects).mockRejectedValueOnce(new Superseded('The video was deleted.'))
    const { count, flush } = counter()
    await expect(count('0.mp4', 10, signal)).rejects.toMatchObject({ name: 'Superseded' })
    flush()
    await expect(count('1.mp4', 10, signal)).resolves.toBeUndefined()
  })

  it('are not counted where the work is aborted while they wait', async () => {
    const stop = new AbortController()
    const { count, flush } = counter()
    await count('0.mp4', 10, stop.signal)
    const waiting = count('1.mp4', 10, stop.signal)
    stop.abort(new Error('The task received SIGTERM.'))
    await expect(waiting).rejects.toThrow('SIGTERM')
    flush()
    expect(batches()).toEqual([['0.mp4']])
  })
})
