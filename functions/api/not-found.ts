/** The $default route: whatever the table does not list, known paths with another method, and the root with its slash. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { allowedMethods } from '../../lib/contract/match-path.ts'
import { basePath } from '../../lib/contract/route.ts'
import { getAccount } from '../../lib/contract/routes/workspace.ts'
import { Refusal } from '../../lib/domain/core/refusal.ts'
import { handleGetAccount } from '../../lib/http/account-handler.ts'
import { defaultEndpoint, endpoint } from '../../lib/http/endpoint.ts'

/** API Gateway makes no route that ends in a slash, so `GET <base>/` comes here. */
const root = endpoint(getAccount, handleGetAccount)

const refused = defaultEndpoint((method, path) => {
  const allowed = allowedMethods(path)
  // A known path with a known method gets here only by its spelling, such as a slash at the end.
  if (allowed.length === 0 || allowed.some((known) => known === method))
    return new Refusal('not-found', `There is no ${path}.`)
  return new Refusal('method-not-allowed', `${path} does not take ${method}.`, {
    headers: { Allow: allowed.join(', ') },
  })
})

export const handler = (event: APIGatewayProxyEventV2, context: Context) => {
  const { method } = event.requestContext.http
  return method === 'GET' && event.rawPath === `${basePath}/` ? root(event, context) : refused(event, context)
}
