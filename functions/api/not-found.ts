/** The $default route: unknown paths, known paths with another method, and the root with a trailing slash. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { allowedMethods } from '../../lib/contract/match-path.ts'
import { basePath } from '../../lib/contract/route.ts'
import { getAccount } from '../../lib/contract/routes/workspace.ts'
import { Refusal } from '../../lib/domain/core/refusal.ts'
import { handleGetAccount } from '../../lib/http/account-handler.ts'
import { defaultEndpoint, endpoint } from '../../lib/http/endpoint.ts'

/** API Gateway has no routes with a trailing slash, so `GET <base>/` arrives here. */
const root = endpoint(getAccount, handleGetAccount)

const refused = defaultEndpoint((method, path) => {
  const allowed = allowedMethods(path)
  // A known path with a known method arrives here only in another spelling, such as with a trailing slash.
  if (allowed.length === 0 || allowed.some((known) => known === method))
    return new Refusal('not-found', `There is no ${path}.${suggestionFor(path)}`)
  const methods = allowed.join(', ')
  return new Refusal('method-not-allowed', `${path} does not take ${method}. Allowed: ${methods}.`, {
    headers: { Allow: methods },
  })
})

/** For a path that lacks the version. */
function suggestionFor(path: string): string {
  const versioned = `${basePath}${path}`
  return allowedMethods(versioned).length > 0 ? ` Did you mean ${versioned}?` : ''
}

export const handler = (event: APIGatewayProxyEventV2, context: Context) => {
  const { method } = event.requestContext.http
  return method === 'GET' && event.rawPath === `${basePath}/` ? root(event, context) : refused(event, context)
}
