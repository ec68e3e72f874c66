/** The simulator keeps its own promises: every route takes part, a seed decides everything, and 500 seeds hold. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { actions } from './actions.ts'
import { faultNames } from './world/faults.ts'

const run = promisify(execFile)

async function simulate(env: Record<string, string>): Promise<string> {
  const file = join(import.meta.dirname, 'main.ts')
  const { stdout } = await run(process.execPath, [file], { env: { ...process.env, ...env } }).catch(
    (failure) => failure,
  )
  return stdout
}

const traceOf = (output: string) => /trace (\w+)$/m.exec(output)?.[1]

describe('the simulator', () => {
  it('has an action for every route that changes something', () => {
    const changing = Object.values<Route>(routes).flatMap(({ signature }) =>
      signature.startsWith('GET ') ? [] : [signature],
    )
    expect(Object.keys(actions).toSorted()).toEqual(changing.toSorted())
  })

  it('gives the same trace for the same seeds, in whatever order and beside whatever other seeds they run', async () => {
    const [together, alone] = await Promise.all([simulate({ SEEDS: '6' }), simulate({ SEEDS: '6' })])
    expect(traceOf(together)).toBeDefined()
    expect(traceOf(together)).toBe(traceOf(alone))
  })

  it('finds no broken promise in 500 seeds, in which every route succeeds and every kind of fault happens', async () => {
    const output = await simulate({ SEEDS: '500' })
    expect(output).toContain('500 seeds, 0 with a broken promise')
    expect(output).toContain('Routes that never succeeded: none')
    const [, injected = ''] = /^Faults injected: (.*)$/m.exec(output) ?? []
    // Nearly all reads are consistent: their mutants meet this fault.
    const expected = faultNames.filter((name) => name !== 'staleRead')
    expect([...injected.matchAll(/(\w+) \d+/g)].map(([, name]) => name)).toEqual(expect.arrayContaining(expected))
  }, 300_000)
})
