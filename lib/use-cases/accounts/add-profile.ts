/** Creates a profile. Called by the admin script. */
import { now } from '../../clock.ts'
import type { NewProfile } from '../../domain/accounts/create-profile.ts'
import { createProfile, firstProfileId } from '../../domain/accounts/create-profile.ts'
import { mintId } from '../../domain/core/mint-id.ts'
import type { Profile } from '../../domain/records/profile.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { listProfiles } from '../../store/profiles.ts'
import { getWorkspace } from '../../store/workspaces.ts'

/** The first profile of a workspace is its default. */
export function addProfile(workspaceId: string, input: Omit<NewProfile, 'id' | 'workspaceId'>): Promise<Profile> {
  return retryOnConflict(async () => {
    const at = now()
    const [workspace, found] = await Promise.all([getWorkspace(workspaceId), listProfiles(workspaceId)])
    const id = found.length === 0 ? firstProfileId(workspace) : mintId('prf', at)
    const others = found.map(({ profile }) => profile)
    const decision = createProfile({ ...input, id, workspaceId }, others, at)
    await commit(decision)
    return decision.profile
  })
}
