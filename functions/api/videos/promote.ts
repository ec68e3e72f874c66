/** Turns a video into the blueprint of an automation, or back into a video. */

import { automationView } from '../../../lib/bound-views/automations.ts'
import * as routes from '../../../lib/contract/routes/automations.ts'
import { withDefaultAutomation } from '../../../lib/domain/automations/blueprint.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { decidePromotion, loadBlockers } from '../../../lib/use-cases/automations/edit-automation.ts'

export const handler = endpoint(routes.promoteVideo, async ({ params, body, workspaceId, now, commit }) => {
  const { workspace, video, decision } = await decidePromotion(workspaceId, params.id, body.enabled, now)
  const after = decision?.video ?? video
  const reply = automationView(withDefaultAutomation(after), await loadBlockers(workspace, after, now))
  return decision ? commit(decision, reply) : reply
})
