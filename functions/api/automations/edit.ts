/** Edits the schedule, the destination and the status of an automation. */

import { automationView } from '../../../lib/bound-views/automations.ts'
import * as routes from '../../../lib/contract/routes/automations.ts'
import type { Blueprint } from '../../../lib/domain/automations/blueprint.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { decideAutomationEdit } from '../../../lib/use-cases/automations/edit-automation.ts'

export const handler = endpoint(routes.editAutomation, async ({ params, body, workspaceId, now, commit }) => {
  const { decision, blockers } = await decideAutomationEdit(workspaceId, params.id, body, now)
  return commit(decision, automationView(decision.video as Blueprint, blockers))
})
