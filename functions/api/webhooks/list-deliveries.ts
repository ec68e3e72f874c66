/** A page of the delivery log of all endpoints of the workspace, including deleted ones. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { deliveryView } from '../../../lib/contract/views/webhooks.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listDeliveries } from '../../../lib/store/deliveries.ts'

export const handler = endpoint(routes.listDeliveries, async ({ query, workspaceId, now }) => {
  const { limit, offset, ...filters } = query
  const { deliveries, total } = await listDeliveries(workspaceId, filters, { limit, offset }, now)
  return { data: deliveries.map(deliveryView), paging: { limit, offset, total } }
})
