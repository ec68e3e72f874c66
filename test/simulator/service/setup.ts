/** What an operator and a user do before the first request: workspaces with keys, profiles and accounts. */

import { mintId } from '../../../lib/domain/core/mint-id.ts'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { hashApiKey, mintApiKey } from '../../../lib/domain/workspaces/api-key.ts'
import type { PlanId } from '../../../lib/domain/workspaces/plan.ts'
import { createWorkspace } from '../../../lib/domain/workspaces/workspace.ts'
import { createApiKey } from '../../../lib/store/api-keys.ts'
import { putWorkspace } from '../../../lib/store/workspaces.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { storeConnectedAccount } from '../../../lib/use-cases/accounts/store-connected-account.ts'
import { now } from './clock.ts'
import { directConnector } from './platforms.ts'

/** Credits for presenters, which an operator grants. */
const avatarCreditsAtStart = 3

export interface Workspace {
  id: string
  apiKey: string
  profileId: string
  planId: PlanId
  creditsAtStart: number
  avatarCreditsAtStart: number
}

/** `creditsLeft`: of the plan. */
export async function setUpWorkspace(
  planId: PlanId,
  platforms: readonly PlatformId[],
  creditsLeft = Number.POSITIVE_INFINITY,
): Promise<Workspace> {
  const id = mintId('wsp', now())
  const mediaSecret = Buffer.from(simulator.randomBytes(16)).toString('hex')
  const workspace = createWorkspace({ id, name: 'Simulated', planId, organizationId: null, mediaSecret }, now())
  const creditsAtStart = Math.min(workspace.creditsBalance, creditsLeft)
  await putWorkspace({ ...workspace, creditsBalance: creditsAtStart, avatarCreditsBalance: avatarCreditsAtStart })
  const apiKey = mintApiKey()
  const key = {
    id: mintId('key', now()),
    workspaceId: id,
    name: 'test',
    scope: 'admin' as const,
    hash: hashApiKey(apiKey),
    lastFour: apiKey.slice(-4),
  }
  await createApiKey({ ...key, createdAt: now(), revokedAt: null })
  const profile = await addProfile(id, { name: 'Simulated' })
  for (const platform of platforms) {
    const [connection] = await directConnector(platform).exchange(
      undefined as never,
      undefined as never,
      `${platform}-${id}`,
    )
    await storeConnectedAccount(id, profile.id, platform, connection!)
  }
  return { id, apiKey, profileId: profile.id, planId, creditsAtStart, avatarCreditsAtStart }
}
