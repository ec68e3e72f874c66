/** Finds a shorter story that breaks the same promise: fewer requests and fewer kinds of faults. */
import type { RunOptions, RunResult } from './simulate.ts'

export type Without = NonNullable<RunOptions['without']>
export type Story = Pick<RunResult, 'injected' | 'steps' | 'violations'>

/** `run` repeats the seed without some steps and faults. Returns what can be left out. */
export async function shrink(first: Story, run: (without: Without) => Promise<Story>): Promise<Without> {
  const broken = first.violations[0]!.invariant
  const stillBreaks = async (without: Without) =>
    (await run(without)).violations.some(({ invariant }) => invariant === broken)
  let best: Without = { steps: new Set(), faults: new Set() }
  const attempts: ((without: Without) => Without)[] = [
    ...first.steps.map((_, index) => (without: Without) => ({ ...without, steps: new Set([...without.steps, index]) })),
    ...[...first.injected.keys()].map((fault) => (without: Without) => ({
      ...without,
      faults: new Set([...without.faults, fault]),
    })),
  ]
  // Twice: what could not be left out at first may be once others are.
  for (const attempt of [...attempts, ...attempts]) {
    const next = attempt(best)
    if (await stillBreaks(next)) best = next
  }
  return best
}
