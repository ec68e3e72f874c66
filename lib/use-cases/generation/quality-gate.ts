/**
 * The quality gate: checks a result before it is stored, so that a bad one is never reused. Called wherever visuals and
 * narrations are made.
 */
import { getJson, hasObject } from '../../aws/media-bucket.ts'
import type { JobErrorCode } from '../../domain/core/failures.ts'
import { requirePassed } from '../../domain/generation/quality/checks.ts'
import { type QualityCheck, qualityOf } from '../../domain/records/quality.ts'
import { log } from '../../log.ts'
import type { StorageOwner } from '../../store/storage-usage.ts'
import { storeJson } from '../artefacts/store-artefact.ts'

/** Takes per call; another call gets as many new ones. */
const takesPerCall = 2

/** The number of refused takes, stored beside the artefact. */
const refusedKey = (key: string) => key.replace(/\.\w+$/, '.refused.json')

const refusedTakes = async (key: string): Promise<number> =>
  (await hasObject(refusedKey(key))) ? (await getJson<{ takes: number }>(refusedKey(key))).takes : 0

/**
 * Makes the artefact for `key` and checks it; after a failed check makes it once more, as the next `take` (counted from
 * 1). Refused takes are recorded and never made again, also across crashes.
 * @throws JobFailure with `code` and the failed checks where the last take fails as well.
 */
export async function withQualityGate<Result>(
  code: JobErrorCode,
  { owner, key }: { owner: StorageOwner; key: string },
  make: (take: number) => Promise<Result>,
  check: (result: Result) => QualityCheck[] | Promise<QualityCheck[]>,
): Promise<{ result: Result; checks: QualityCheck[] }> {
  const refused = await refusedTakes(key)
  const last = takesPerCall * (Math.floor(refused / takesPerCall) + 1)
  for (let take = refused + 1; ; take++) {
    const result = await make(take)
    const checks = await check(result)
    if (qualityOf(checks).passed) return { result, checks }
    log.warn('quality.refused', { take, checks: checks.filter(({ passed }) => !passed) })
    await storeJson(owner, refusedKey(key), { takes: take })
    if (take === last) requirePassed(checks, code)
  }
}
