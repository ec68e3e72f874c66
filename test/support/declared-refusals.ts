/** Checks each error response of the tests against the codes that its route declares. */
import type { ErrorBody } from '../../lib/contract/errors.ts'
import { findRoute } from '../../lib/contract/match-path.ts'
import { refusalCodesOf } from '../../lib/contract/refusal-codes.ts'
import type { Route } from '../../lib/contract/route.ts'
import { basePath } from '../../lib/contract/route.ts'

/** Fails the call where the handler refused with a code that its row does not declare. `path` starts after `/v1`. */
export function assertDeclaredRefusal(method: string, path: string, body: unknown): void {
  const code = (body as Partial<ErrorBody> | undefined)?.error?.code
  const { pathname } = new URL(`http://test${basePath}${path}`)
  // The gateway has no route for a path with an empty segment.
  const row = pathname.slice(1).split('/').includes('') ? undefined : findRoute(method, pathname)
  if (code && row && !isDeclared(row, code))
    throw new Error(
      `${row.signature} refused with "${code}": add the code to \`refuses\` of its row in lib/contract/routes.`,
    )
}

/** A fault is reported by its own test. */
export const isDeclared = (row: Route, code: ErrorBody['error']['code']): boolean =>
  code === 'internal-error' || refusalCodesOf(row).includes(code)
