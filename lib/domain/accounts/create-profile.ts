/** Creates a profile: a group of social accounts, one per platform. Decisions on the accounts are in `account-lifecycle.ts`. */

import { hasAtMost } from '../core/bounded.ts'
import { deterministicIdAt } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import type { Profile } from '../records/profile.ts'
import type { Workspace } from '../workspaces/workspace.ts'

interface ProfileDecision extends Decision {
  profile: Profile
}

export interface NewProfile extends Pick<Profile, 'id' | 'workspaceId' | 'name'> {
  description?: string | undefined
  color?: string | undefined
}

export const profilesMax = 100
export const profileNameLengthMax = 200
export const profileDescriptionLengthMax = 2_000
/** In lower case, as stored. */
export const profileColor = /^#[0-9a-f]{6}$/
const defaultColor = '#6366f1'

/** Deterministic: two concurrent requests for the first profile conflict, so that exactly one default profile exists. */
export const firstProfileId = ({ id, createdAt }: Pick<Workspace, 'id' | 'createdAt'>) =>
  deterministicIdAt('prf', createdAt, id)

/** Creates a profile. `others` are the existing ones of the workspace: the first profile becomes the default. */
export function createProfile(
  { id, workspaceId, name, description = '', color = defaultColor }: NewProfile,
  others: readonly Profile[],
  now: string,
): ProfileDecision {
  if (others.length >= profilesMax)
    throw new Refusal('limit-reached', `A workspace has at most ${profilesMax} profiles.`)
  if (!name.trim() || !hasAtMost(name, profileNameLengthMax))
    throw invalid('name', `must be 1 to ${profileNameLengthMax} characters long and not blank`)
  if (!hasAtMost(description, profileDescriptionLengthMax))
    throw invalid('description', `must be at most ${profileDescriptionLengthMax} characters long`)
  if (!profileColor.test(color.toLowerCase())) throw invalid('color', `must be a colour such as ${defaultColor}`)
  const profile: Profile = {
    id,
    workspaceId,
    version: 1,
    name,
    description,
    color: color.toLowerCase(),
    isDefault: others.length === 0,
    createdAt: now,
    updatedAt: now,
  }
  return { ...newDecision(workspaceId, [{ record: 'profile', before: undefined, after: profile }], now), profile }
}

const invalid = (path: string, message: string) =>
  new Refusal('invalid-request', `${path}: ${message}`, { details: [{ path, message }] })
