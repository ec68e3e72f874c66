/** Removes a blueprint, its clips and all their files; irreversible. */
import { getBlueprint } from '../../../lib/actions/automation-view.ts'
import { removeVideo } from '../../../lib/actions/remove-videos.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'

export const handler = endpoint(routes.deleteAutomation, async ({ params, workspaceId }) => {
  const { id } = await getBlueprint(workspaceId, params.id)
  const figures = await removeVideo(workspaceId, id)
  return { ok: true as const, ...figures }
})
