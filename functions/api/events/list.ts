/** The events of the workspace after a cursor; waits for the next one where there is none. */

import * as routes from '../../../lib/contract/routes/events.ts'
import { journalEventView } from '../../../lib/contract/views/events.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { readEvents } from '../../../lib/use-cases/webhooks/read-events.ts'

export const handler = endpoint(routes.listEvents, async ({ query, workspaceId }) => {
  const { after, limit, wait, types } = query
  const { entries, ...position } = await readEvents(workspaceId, { after, limit, types }, wait)
  return { data: entries.map(journalEventView), paging: { limit, ...position } }
})
