/** Runs seeds on all processors: threads take seed after seed. */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ServiceCode } from './bundle.ts'
import type { SeedResult } from './worker.ts'

export interface ParallelOptions {
  from: number
  count: number
  /** The bundled service. */
  code: ServiceCode
  /** Called with each result, in no order. Ends the run by returning false. */
  onResult: (result: SeedResult) => boolean
}

/** A run leaves much garbage behind: a large young generation frees most of it at once. */
const resourceLimits = { maxYoungGenerationSizeMb: 384 }
/** Its live objects are many and change little: marking them waits until the garbage is worth it. */
setFlagsFromString('--initial-old-space-size=2048')
/** Each copy of the service is too short-lived to be optimized, but all copies share one baseline code. */
setFlagsFromString('--always-sparkplug')

/** Resolves when all seeds have run, or `onResult` has ended the run. */
export async function runSeeds({ from, count, code, onResult }: ParallelOptions): Promise<void> {
  let next = from
  let isOver = false
  const runThread = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: code, resourceLimits })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveSeed = () => {
      if (isOver || next >= from + count) resolve()
      else worker.postMessage(next++)
    }
    worker.on('error', reject)
    worker.on('message', (result: SeedResult) => {
      isOver ||= !onResult(result)
      giveSeed()
    })
    giveSeed()
    await promise.finally(() => worker.terminate())
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), count) }, runThread))
}
