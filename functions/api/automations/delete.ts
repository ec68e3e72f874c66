/** Deletes a blueprint, its clips and all their files; irreversible. */

import * as routes from '../../../lib/contract/routes/automations.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getBlueprint } from '../../../lib/use-cases/automations/load-automation.ts'
import { removeVideo } from '../../../lib/use-cases/videos/remove-videos.ts'

export const handler = endpoint(routes.deleteAutomation, async ({ params, workspaceId }) => {
  const { id } = await getBlueprint(workspaceId, params.id)
  const figures = await removeVideo(workspaceId, id)
  return { ok: true as const, ...figures }
})
