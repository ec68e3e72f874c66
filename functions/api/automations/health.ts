/** What an automation still needs, when it publishes next, and the outcomes of its latest slots. */

import * as routes from '../../../lib/contract/routes/automations.ts'
import { automationHealthView } from '../../../lib/contract/views/automations.ts'
import { shownSlotsMax } from '../../../lib/domain/records/slot.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listSlotRecords } from '../../../lib/store/slot-records.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { loadBlockers } from '../../../lib/use-cases/automations/edit-automation.ts'
import { getBlueprint } from '../../../lib/use-cases/automations/load-automation.ts'

export const handler = endpoint(routes.getAutomationHealth, async ({ params, workspaceId, now }) => {
  const [workspace, blueprint, recent] = await Promise.all([
    getWorkspace(workspaceId),
    getBlueprint(workspaceId, params.id),
    listSlotRecords(workspaceId, params.id, shownSlotsMax),
  ])
  return automationHealthView(blueprint, await loadBlockers(workspace, blueprint, now), recent)
})
