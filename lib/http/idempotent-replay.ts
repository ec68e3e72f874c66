/** The `Idempotency-Key` header: its validation, and the stored response of an earlier request. */
import { headerLengthsMax } from '../contract/header-lengths.ts'
import { Refusal } from '../domain/core/refusal.ts'
import type { IdempotencyScope } from '../domain/records/idempotency-scope.ts'
import { findStoredResponse } from '../store/idempotency.ts'

/** Marks the response to an earlier request with another body. */
export const mismatchHeader = 'Idempotency-Mismatch'

/** The key of a request, if any. @throws Refusal `invalid-request` where it is empty or too long. */
export function idempotencyKey(headers: Record<string, string | undefined>): string | undefined {
  const key = headers['idempotency-key']
  if (key !== undefined && (key.length === 0 || key.length > headerLengthsMax.idempotencyKey)) {
    const detail = {
      path: 'headers.Idempotency-Key',
      message: `must be 1 to ${headerLengthsMax.idempotencyKey} characters long`,
    }
    throw new Refusal('invalid-request', `${detail.path} ${detail.message}.`, { details: [detail] })
  }
  return key
}

export interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** The response of the first request with this key within 24 hours; `mismatchHeader` marks a different body. */
export async function findReplay(
  workspaceId: string,
  scope: IdempotencyScope,
  now: string,
): Promise<StoredResponse | undefined> {
  const first = await findStoredResponse(workspaceId, scope, now)
  if (!first) return undefined
  const mismatch: Record<string, string> = first.bodyHash === scope.bodyHash ? {} : { [mismatchHeader]: 'true' }
  return { status: first.status, headers: { 'Idempotent-Replayed': 'true', ...mismatch }, body: first.body }
}
