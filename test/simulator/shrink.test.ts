import { describe, expect, it } from 'vitest'
import { type Story, shrink, type Without } from './shrink.ts'
import type { FaultName } from './world/faults.ts'

const steps = ['POST /videos', 'POST /webhooks', 'PATCH /videos/{id}', 'DELETE /videos/{id}', 'POST /keys']
const faults: FaultName[] = ['throttled', 'crashAfter', 'lostRecord']
const isFault = (name: string): name is FaultName => faults.includes(name as FaultName)

/** A run whose promises break by what was left in it. */
const runThat =
  (broken: (has: (name: string) => boolean) => string | undefined) =>
  ({ steps: skipped, faults: disabled }: Without): Story => {
    const has = (name: string) => (isFault(name) ? !disabled.has(name) : !skipped.has(steps.indexOf(name)))
    const invariant = broken(has)
    return {
      steps: steps.map((route, atMs) => ({ route, atMs, run: async () => {} })),
      injected: new Map(faults.map((name) => [name, 1])),
      violations: invariant ? [{ invariant, promise: 'A promise.', what: 'It broke.' }] : [],
    }
  }

const nothing: Without = { steps: new Set(), faults: new Set() }

async function leftAfter(broken: Parameters<typeof runThat>[0]): Promise<string[]> {
  const run = runThat(broken)
  const without = await shrink(run(nothing), async (less) => run(less))
  return [
    ...steps.filter((_, index) => !without.steps.has(index)),
    ...faults.filter((name) => !without.faults.has(name)),
  ]
}

describe('the shortest story of a broken promise', () => {
  it('keeps the requests and the faults that the promise needs to break, and no others', async () => {
    const left = await leftAfter((has) =>
      has('PATCH /videos/{id}') && has('DELETE /videos/{id}') && has('crashAfter') ? 'I5' : undefined,
    )
    expect(left).toEqual(['PATCH /videos/{id}', 'DELETE /videos/{id}', 'crashAfter'])
  })

  it('is about the promise that broke first, not about another one that a shorter story breaks', async () => {
    const left = await leftAfter((has) => (has('POST /keys') ? 'I5' : 'I9'))
    expect(left).toEqual(['POST /keys'])
  })

  it('tries again what could not be left out at first', async () => {
    // The webhook is needed only while the first video is made.
    const left = await leftAfter((has) =>
      has('lostRecord') && (!has('POST /videos') || has('POST /webhooks')) && (has('throttled') || !has('POST /videos'))
        ? 'I2'
        : undefined,
    )
    expect(left).toEqual(['lostRecord'])
  })
})
