/** Edits the timetable, the destination and the state of an automation. */
import { decideEdit } from '../../../lib/actions/edit-automation.ts'
import { automationView } from '../../../lib/api/automation-views.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import type { Blueprint } from '../../../lib/domain/automation.ts'
import { mediaUrl } from '../../../lib/media-url.ts'

export const handler = endpoint(routes.editAutomation, async ({ params, body, workspaceId, now, commit }) => {
  const { decision, blockers } = await decideEdit(workspaceId, params.id, body, now)
  return commit(decision, automationView(decision.video as Blueprint, blockers, mediaUrl))
})
