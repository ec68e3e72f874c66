/** Requests as text, as the gateway gives them. */
import { parseRequest } from '../../lib/contract/parse-request.ts'
import type { Route } from '../../lib/contract/route.ts'
import type { RefusalExtras } from '../../lib/domain/core/refusal.ts'
import { Refusal } from '../../lib/domain/core/refusal.ts'

interface Sent {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

export const parseRow = (row: Route, { params = {}, query = {}, body }: Sent) =>
  parseRequest(row, { params, query, body: body === undefined ? '' : JSON.stringify(body) })

/** The refusal of a request, as data; undefined where it is taken. */
export function refusalOfRow(row: Route, sent: Sent): ({ code: string } & RefusalExtras) | undefined {
  try {
    parseRow(row, sent)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { code: error.code, ...error.extras }
  }
}
