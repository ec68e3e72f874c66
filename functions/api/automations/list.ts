/** A page of automations, newest first; the total comes from the workspace counters. */

import * as routes from '../../../lib/contract/routes/automations.ts'
import { automationItemView } from '../../../lib/contract/views/automations.ts'
import { blockersOf } from '../../../lib/domain/automations/blockers.ts'
import { isBlueprint } from '../../../lib/domain/automations/blueprint.ts'
import { workspaceNow } from '../../../lib/domain/workspaces/workspace.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listProfiles } from '../../../lib/store/profiles.ts'
import { listAutomations } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.listAutomations, async ({ query, workspaceId, now }) => {
  const [workspace, blueprints, profiles] = await Promise.all([
    getWorkspace(workspaceId),
    listAutomations(workspaceId, query),
    listProfiles(workspaceId),
  ])
  const data = blueprints.filter(isBlueprint).map((blueprint) => {
    const found = profiles.find(({ profile }) => profile.id === blueprint.destination?.profileId)
    return automationItemView(
      blueprint,
      blockersOf(workspace, blueprint, found?.accounts ?? [], workspaceNow(workspace, now)),
    )
  })
  return { data, paging: { ...query, total: workspace.automationsUsed } }
})
