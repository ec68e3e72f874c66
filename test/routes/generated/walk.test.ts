/**
 * A random walk over all operations: 200 calls here, and as many as wanted by `npm run fuzz`, which sets
 * FUZZ_SEED, FUZZ_CALLS and FUZZ_PLAN.
 */
import { expect, it } from 'vitest'
import { planIds } from '../../../lib/domain/workspaces/plan.ts'
import { type Finding, walk } from '../../support/fuzz/walk.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const calls = Number(process.env.FUZZ_CALLS ?? 200)
const planId = planIds.find((id) => id === process.env.FUZZ_PLAN) ?? 'self-hosted'

const textOf = ({ what, requests }: Finding) => [what, ...requests].join('\n  ')

/** A long walk that is interrupted has printed its findings. */
function onRound(done: number, findings: readonly Finding[]): void {
  for (const finding of findings.slice(printed)) console.log(textOf(finding))
  printed = findings.length
  if (done % 4_000 === 0) console.log(`${done} calls, ${printed} findings`)
}
let printed = 0

it(
  `answers ${calls} random calls as documented (seed ${seed}, plan ${planId})`,
  async () => {
    const { findings, answersByStatus } = await walk({ seed, calls, planId, onRound })
    if (process.env.FUZZ_CALLS) console.log(`seed ${seed}: ${JSON.stringify(answersByStatus)}`)
    expect(findings, `seed ${seed}\n\n${findings.map(textOf).join('\n\n')}\n`).toEqual([])
  },
  60_000 + calls * 1_000,
)
