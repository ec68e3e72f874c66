/**
 * A random walk over all operations: 200 calls here, and as many as wanted by `npm run fuzz`, which sets
 * FUZZ_SEED, FUZZ_CALLS, FUZZ_WALKS and FUZZ_PLAN.
 */
import { expect, it } from 'vitest'
import { planIds } from '../../../lib/domain/workspaces/plan.ts'
import { type Finding, walk } from '../../support/fuzz/walk.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const calls = Number(process.env.FUZZ_CALLS ?? 200)
/** Walks at once. Each one waits for most of its time: for jobs that nothing runs here. */
const walks = Number(process.env.FUZZ_WALKS ?? 1)
const planId = planIds.find((id) => id === process.env.FUZZ_PLAN) ?? 'self-hosted'

/** One walk. What it finds is printed after each round, in case that it is interrupted. */
async function walkOnce(seed: number, calls: number) {
  const textOf = ({ what, requests }: Finding) => [`seed ${seed}, ${calls} calls: ${what}`, ...requests].join('\n  ')
  let printed = 0
  const onRound = (done: number, findings: readonly Finding[]) => {
    for (const finding of findings.slice(printed)) console.log(textOf(finding))
    printed = findings.length
    if (done % 4_000 === 0) console.log(`seed ${seed}: ${done} calls`)
  }
  const { findings, answersByStatus } = await walk({ seed, calls, planId, onRound })
  return { findings: findings.map(textOf), answersByStatus }
}

it(
  `answers ${calls} random calls as documented (seed ${seed}, plan ${planId})`,
  async () => {
    const results = await Promise.all(
      // The floors sum up to the calls.
      Array.from({ length: walks }, (_, index) => walkOnce(seed + index, Math.floor((calls + index) / walks))),
    )
    const answers: Record<string, number> = {}
    for (const { answersByStatus } of results)
      for (const [status, count] of Object.entries(answersByStatus)) answers[status] = (answers[status] ?? 0) + count
    if (process.env.FUZZ_CALLS) console.log(`seed ${seed}: ${JSON.stringify(answers)}`)
    const findings = results.flatMap((result) => result.findings)
    expect(findings, `seed ${seed}\n\n${findings.join('\n\n')}\n`).toEqual([])
  },
  60_000 + calls * 1_000,
)
