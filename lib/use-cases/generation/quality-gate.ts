/** Where the quality gate stands: beside whoever makes something, before it is kept, so that nothing bad is ever found again. */
import { getJson, hasObject } from '../../aws/media-bucket.ts'
import type { JobErrorCode } from '../../domain/core/failures.ts'
import { requirePassed } from '../../domain/generation/quality/checks.ts'
import { type QualityCheck, qualityOf } from '../../domain/records/quality.ts'
import { log } from '../../log.ts'
import { type StorageOwner, storeJson } from '../artefacts/store-artefact.ts'

/** So many takes are made for whoever asks. Who asks again after that gets as many others. */
const takesAtOnce = 2

/** Where is noted how many takes of an artefact were refused: beside it. */
const refusedKey = (key: string) => key.replace(/\.\w+$/, '.refused.json')

const refusedTakes = async (key: string): Promise<number> =>
  (await hasObject(refusedKey(key))) ? (await getJson<{ takes: number }>(refusedKey(key))).takes : 0

/**
 * Has the artefact that will lie at `key` made, and looks at it; where it is not good enough it is made once more, as another `take`
 * (counted from 1). A take that was refused is noted and never asked for again, whatever ends on the way. Throws a `JobFailure`
 * with this code and what is wrong where the last take is no better.
 */
export async function withQualityGate<Made>(
  code: JobErrorCode,
  { owner, key }: { owner: StorageOwner; key: string },
  make: (take: number) => Promise<Made>,
  check: (made: Made) => QualityCheck[] | Promise<QualityCheck[]>,
): Promise<{ made: Made; checks: QualityCheck[] }> {
  const refused = await refusedTakes(key)
  const last = takesAtOnce * (Math.floor(refused / takesAtOnce) + 1)
  for (let take = refused + 1; ; take++) {
    const result = await make(take)
    const checks = await check(result)
    if (qualityOf(checks).passed) return { made: result, checks }
    log.warn('quality.refused', { take, checks: checks.filter(({ passed }) => !passed) })
    await storeJson(owner, refusedKey(key), { takes: take })
    if (take === last) requirePassed(checks, code)
  }
}
