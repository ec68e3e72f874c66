/** Emulators that outlive their workers, and workers that are killed in the middle of their work. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startChild } from '../../../local/processes.ts'
import type { Stack } from '../../../local/stack.ts'
import { stopAfterTest } from '../../local/support/fixtures.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import type { ChaosWorkerOptions } from './chaos-worker.ts'
import { startEmulators } from './emulators.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32, public domain). */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What a worker that was killed had received comes again after so long: sooner than in the product, for a test that waits for it. */
const VisibilityTimeout = '2'

/** Emulators until the test is over. */
export async function startTestEmulators(timeScale: number): Promise<Stack & { directory: string }> {
  const directory = temporaryDirectory()
  const stack = await stopAfterTest(startEmulators(directory, timeScale, { VisibilityTimeout }))
  return { ...stack, directory }
}

const script = join(import.meta.dirname, 'chaos-worker.ts')

/** A worker that loads everything and then waits until it may begin. */
function startWorker(orders: ChaosWorkerOptions) {
  const ready = Promise.withResolvers<void>()
  const lines: string[] = []
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', script, JSON.stringify(orders)]
  const child = startChild(command, {
    onLine: (line) => (line === 'ready' ? ready.resolve() : void lines.push(line)),
  })
  void child.exited.then(() => ready.reject(new Error(`A worker ended unasked: ${lines.join('\n').slice(-2_000)}`)))
  // Whoever lets it begin hears of it.
  ready.promise.catch(() => {})
  onTestFinished(() => child.stop(0))
  return {
    begin: async () => {
      await ready.promise
      process.kill(child.pid, 'SIGUSR2')
    },
    kill: async () => {
      process.kill(child.pid, 'SIGKILL')
      await child.exited
    },
  }
}

/** Workers one after the other. Where it is known, the next one loads while this one works: a machine that starts takes longer than it may live. */
export function createWorkerPool(orders: ChaosWorkerOptions) {
  const kills: number[] = []
  let next: ReturnType<typeof startWorker> | undefined
  return {
    /** When they were killed, in milliseconds of this process's clock. */
    kills,
    /** Lets one work until this is done, and kills it then: the one that was loaded, or else one with these orders. */
    async during(
      done: () => Promise<unknown>,
      own: Partial<ChaosWorkerOptions>,
      after?: Partial<ChaosWorkerOptions>,
    ): Promise<void> {
      const worker = next ?? startWorker({ ...orders, ...own })
      await worker.begin()
      next = after && startWorker({ ...orders, ...after })
      await done()
      kills.push(performance.now())
      await worker.kill()
    },
  }
}
