/** Emulators that outlive their workers, and workers that are killed while they work. */
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

/** Visibility timeout after a worker is killed: shorter than in production, since a test waits for it. */
const VisibilityTimeout = '2'

/** Emulators until the test ends. */
export async function startTestEmulators(timeScale: number): Promise<Stack & { directory: string }> {
  const directory = temporaryDirectory()
  const stack = await stopAfterTest(startEmulators(directory, timeScale, { VisibilityTimeout }))
  return { ...stack, directory }
}

const script = join(import.meta.dirname, 'chaos-worker.ts')

/** A worker that loads everything and then waits for the start signal. */
function startWorker(orders: ChaosWorkerOptions) {
  const ready = Promise.withResolvers<void>()
  const lines: string[] = []
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', script, JSON.stringify(orders)]
  const child = startChild(command, {
    onLine: (line) => (line === 'ready' ? ready.resolve() : void lines.push(line)),
  })
  void child.exited.then(() => ready.reject(new Error(`A worker ended unasked: ${lines.join('\n').slice(-2_000)}`)))
  // The caller that awaits `ready` handles the rejection; this only prevents an unhandled one before that.
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

/**
 * Workers one after the other. If its orders are known, the next one loads while this one works, because starting may
 * take longer than its lifetime.
 */
export function createWorkerPool(orders: ChaosWorkerOptions) {
  const kills: number[] = []
  let next: ReturnType<typeof startWorker> | undefined
  return {
    /** Times of the kills, in milliseconds of this process's clock. */
    kills,
    /** Runs a worker until this resolves, and then kills it: the preloaded one, or else one with these orders. */
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
