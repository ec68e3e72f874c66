/** docs/proof.md is what `npm run proof` writes, and says what failed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ProofResults, proofPage, readProofResults } from '../../scripts/proof.ts'

const written = { command: 'npm run x', date: '2026-11-23', machine: '2 x CPU', node: 'v24' }

it('is the page of the stored results', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/proof.md'), 'utf8')
  expect(page, 'run `npm run proof`').toBe(proofPage(readProofResults()))
})

it('lists instruments without a result as not run', () => {
  expect(proofPage({}).match(/\| not run \|/g)).toHaveLength(10)
})

it('shows broken promises and survivors', () => {
  const simulator = { from: 1, seeds: 10, broken: 2, calls: 1_000, crashes: 3, faults: { throttle: 7 }, seconds: 1 }
  const mutants = [{ file: 'lib/async.ts', breaks: 'no backoff' }]
  const results: ProofResults = {
    simulator: { ...written, figures: simulator },
    mutants: { ...written, figures: mutants },
  }
  const page = proofPage(results)
  for (const line of [
    '**2 with a broken promise**',
    '0 of 1 mutants killed, **1 survivors**',
    '**survived**',
    '| `throttle` | 7 |',
  ])
    expect(page).toContain(line)
})
