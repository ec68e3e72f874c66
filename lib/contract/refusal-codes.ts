/** Every code that a route may refuse with: those that follow from its row, and those that its handler adds. */
import type { RefusalCode } from '../domain/core/refusal.ts'
import { isPaid, isRevisedEdit, pathParameterNames, type Route } from './route.ts'

/** In the order of the OpenAPI document. */
export const refusalCodesOf = (row: Route): RefusalCode[] => [
  ...(row.query || row.body || row.idempotent || isRevisedEdit(row) ? (['invalid-request'] as const) : []),
  'unauthorized',
  ...(row.scope ? (['missing-scope'] as const) : []),
  ...(pathParameterNames(row).length > 0 ? (['not-found'] as const) : []),
  // The body or the response is too large.
  ...(row.body || row.query ? (['payload-too-large'] as const) : []),
  ...(row.refuses ?? []),
  ...(isPaid(row) ? (['quote-expired'] as const) : []),
  ...(isRevisedEdit(row) ? (['precondition-failed'] as const) : []),
  ...(row.isPublic ? [] : (['rate-limited'] as const)),
  'unavailable',
]
