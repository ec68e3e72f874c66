/** A thread that runs one seed for each message. */
import './environment.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { evaluateService, type ServiceCode } from './bundle.ts'
import type { Violation } from './invariants.ts'
import { simulate } from './simulate.ts'

export interface SeedResult {
  seed: number
  violations: Violation[]
  hash: string
  injected: [fault: string, times: number][]
  statistics: Record<string, number>
}

// Nobody reads the stacks of injected faults here; a replay has them.
Error.stackTraceLimit = 0

const newService = await evaluateService(workerData as ServiceCode)

parentPort!.on('message', async (seed: number) => {
  const { violations, hash, injected, statistics } = await simulate(seed, { newService })
  parentPort!.postMessage({ seed, violations, hash, injected: [...injected], statistics } satisfies SeedResult)
})
