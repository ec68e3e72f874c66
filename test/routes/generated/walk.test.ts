/**
 * A random walk over all operations: 200 calls here, and as many as wanted by `npm run fuzz`, which sets
 * FUZZ_SEED, FUZZ_CALLS and FUZZ_PLAN.
 */
import { expect, it } from 'vitest'
import { planIds } from '../../../lib/domain/workspaces/plan.ts'
import { walk } from '../../support/fuzz/walk.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const calls = Number(process.env.FUZZ_CALLS ?? 200)
const planId = planIds.find((id) => id === process.env.FUZZ_PLAN) ?? 'self-hosted'

it(
  `answers ${calls} random calls as documented (seed ${seed}, plan ${planId})`,
  async () => {
    const { findings, answersByStatus } = await walk({ seed, calls, planId })
    if (process.env.FUZZ_CALLS) console.log(`seed ${seed}: ${JSON.stringify(answersByStatus)}`)
    const shown = findings.map(({ what, requests }) => [what, ...requests].join('\n  ')).join('\n\n')
    expect(findings, `seed ${seed}\n\n${shown}\n`).toEqual([])
  },
  60_000 + calls * 1_000,
)
