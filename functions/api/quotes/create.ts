/** Quotes a paid action. */
import * as routes from '../../../lib/contract/routes/quotes.ts'
import { vendorUsd } from '../../../lib/domain/generation/vendor-prices.ts'
import { createQuote } from '../../../lib/domain/workspaces/quote.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { chosenProviders } from '../../../lib/providers/choose/provider-choice.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { priceAction } from '../../../lib/use-cases/quotes/price-action.ts'

export const handler = endpoint(routes.createQuote, async ({ body, workspaceId, now }) => {
  const workspace = await getWorkspace(workspaceId)
  const { request, work, seconds, ...cost } = await priceAction(body, workspace, now)
  const quote = createQuote(workspace.mediaSecret, request, cost, now)
  return { ...quote, action: body.action, ...cost, seconds, vendorUsd: vendorUsd(chosenProviders(), work) }
})
