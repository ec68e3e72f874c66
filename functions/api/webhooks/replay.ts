/** Queues the events of a range for an endpoint again, each as a new delivery. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { replayEvents, replayEventsMax, replayRange } from '../../../lib/domain/webhooks/replay.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listEventsInRange } from '../../../lib/store/event-journal.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { refuseManyReplays } from '../../../lib/use-cases/webhooks/receiver-limits.ts'

export const handler = endpoint(routes.replayEvents, async ({ params, body, workspaceId, now, commit }) => {
  const webhook = await getWebhook(workspaceId, params.id)
  const range = replayRange(webhook, body)
  const rows = await listEventsInRange(workspaceId, range, replayEventsMax + 1, now)
  const decision = replayEvents(webhook, rows, mintId('run', now), now)
  await refuseManyReplays(workspaceId, rows.length, now)
  return commit(decision, {
    events: rows.length,
    firstSequence: rows[0]?.sequence ?? null,
    lastSequence: rows.at(-1)?.sequence ?? null,
  })
})
