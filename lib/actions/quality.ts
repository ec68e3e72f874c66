/** Where the quality gate stands: beside whoever makes something, before it is kept, so that nothing bad is ever found again. */
import type { JobErrorCode } from '../domain/job.ts'
import { type QualityCheck, qualityOf, requirePassed } from '../domain/quality.ts'
import { log } from '../log.ts'

const takesMax = 2

/**
 * Has something made and looks at it; where it is not good enough it is made once more, as another `take` (counted from 1). Throws
 * a `JobFailure` with this code and what is wrong where the last take is no better.
 */
export async function madeWell<Made>(
  code: JobErrorCode,
  make: (take: number) => Promise<Made>,
  look: (made: Made) => QualityCheck[] | Promise<QualityCheck[]>,
): Promise<{ made: Made; checks: QualityCheck[] }> {
  for (let take = 1; ; take++) {
    const made = await make(take)
    const checks = await look(made)
    if (qualityOf(checks).passed) return { made, checks }
    log.warn('quality.refused', { take, checks: checks.filter(({ passed }) => !passed) })
    if (take === takesMax) requirePassed(checks, code)
  }
}
