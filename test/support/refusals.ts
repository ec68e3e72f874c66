/** What a refusal looks like: thrown by a rule, thrown by the parser of a request, and as the body of an answer. */
import { parseRequest } from '../../lib/contract/parse-request.ts'
import type { Route } from '../../lib/contract/route.ts'
import { Refusal, type RefusalExtras } from '../../lib/domain/core/refusal.ts'

/** The body of an error answer, for `toMatchObject`. */
export const expectedError = (status: number, code: string, fields: object = {}) => ({
  status,
  body: { error: { status, code, ...fields } },
})

/** The refusal that an attempt throws, or undefined. Other errors are thrown on. */
export function refusalOf(attempt: () => unknown): Refusal | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error
  }
}

export const refusalCodeOf = (attempt: () => unknown) => refusalOf(attempt)?.code

export interface RequestText {
  params?: Record<string, string>
  query?: Record<string, string>
  /** As it is sent, not parsed. */
  body?: string
}

/** The refusal of a request by the schema of its row, as data; undefined where the row accepts it. */
export function parseRefusal(
  row: Route,
  { params = {}, query = {}, body = '' }: RequestText,
): ({ code: Refusal['code'] } & RefusalExtras) | undefined {
  const refusal = refusalOf(() => parseRequest(row, { params, query, body }))
  return refusal && { code: refusal.code, ...refusal.extras }
}
