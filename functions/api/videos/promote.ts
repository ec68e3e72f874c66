/** Makes a video the blueprint of an automation, or a plain video again. */
import { decidePromotion, findBlockers } from '../../../lib/actions/edit-automation.ts'
import { automationView } from '../../../lib/api/automation-views.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { withAutomation } from '../../../lib/domain/automation.ts'
import { mediaUrl } from '../../../lib/media-url.ts'

export const handler = endpoint(routes.promoteVideo, async ({ params, body, workspaceId, now, commit }) => {
  const { workspace, video, decision } = await decidePromotion(workspaceId, params.id, body.enabled, now)
  const after = decision?.video ?? video
  const reply = automationView(withAutomation(after), await findBlockers(workspace, after, now), mediaUrl)
  return decision ? commit(decision, reply) : reply
})
