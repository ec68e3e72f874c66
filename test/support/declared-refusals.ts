/** Checks each response of the tests against what the row of its route declares: refusal codes, and the bounds of a result. */
import * as v from 'valibot'
import type { ErrorBody } from '../../lib/contract/errors.ts'
import { findRoute } from '../../lib/contract/match-path.ts'
import { refusalCodesOf } from '../../lib/contract/refusal-codes.ts'
import type { Route } from '../../lib/contract/route.ts'
import { basePath } from '../../lib/contract/route.ts'

/** Fails the call where the handler refused with a code that its row does not declare. `path` starts after `/v1`. */
export function assertDeclaredRefusal(method: string, path: string, body: unknown): void {
  const code = (body as Partial<ErrorBody> | undefined)?.error?.code
  const row = rowOf(method, path)
  if (code && row && !isDeclared(row, code))
    throw new Error(
      `${row.signature} refused with "${code}": add the code to \`refuses\` of its row in lib/contract/routes.`,
    )
}

/** Fails the call where the result is not what its row returns: a field of another kind, or beyond its bound. */
export function assertDeclaredResult(method: string, path: string, body: unknown): void {
  const data = (body as { data?: unknown } | undefined)?.data
  const row = rowOf(method, path)
  const issues = row && data !== undefined ? v.safeParse(row.returns, data).issues : undefined
  if (issues) throw new Error(`${row!.signature} returned ${v.getDotPath(issues[0])}: ${issues[0].message}`)
}

function rowOf(method: string, path: string): Route | undefined {
  const { pathname } = new URL(`http://test${basePath}${path}`)
  // The gateway has no route for a path with an empty segment.
  return pathname.slice(1).split('/').includes('') ? undefined : findRoute(method, pathname)
}

/** A fault is reported by its own test. */
export const isDeclared = (row: Route, code: ErrorBody['error']['code']): boolean =>
  code === 'internal-error' || refusalCodesOf(row).includes(code)
