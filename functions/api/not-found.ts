/** The $default route: whatever the table does not list, and known paths with another method. */
import { fallback } from '../../lib/api/endpoint.ts'
import { methodsOf } from '../../lib/api/match.ts'
import { Refusal } from '../../lib/domain/refusal.ts'

export const handler = fallback((method, path) => {
  const allowed = methodsOf(path)
  // A known path with a known method gets here only by its spelling, such as a slash at the end.
  if (allowed.length === 0 || allowed.some((known) => known === method))
    return new Refusal('not-found', `There is no ${path}.`)
  return new Refusal('method-not-allowed', `${path} does not take ${method}.`, {
    headers: { Allow: allowed.join(', ') },
  })
})
