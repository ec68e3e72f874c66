/** Profiles: groups of accounts on social platforms, one account on each. What happens to an account is in `account.ts`. */

import { deterministicIdAt } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import type { Account } from '../records/account.ts'
import type { Decision } from '../records/decision.ts'
import type { Profile } from '../records/profile.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** What is told of it: `expiring` is one that will be `expired` within a week, and can be posted to until then. */
export const reportedHealths = ['connected', 'expiring', 'expired'] as const
export type ReportedHealth = (typeof reportedHealths)[number]

const expiringWindowSeconds = 7 * 24 * 60 * 60

export const reportedHealth = ({ health, endsAt }: Pick<Account, 'health' | 'endsAt'>, now: string): ReportedHealth =>
  health === 'connected' && endsAt && endsAt <= secondsAfter(now, expiringWindowSeconds) ? 'expiring' : health

/** What an account is reached with. At rest it is sealed. */
export interface Tokens {
  access: string
  /** Null for one that does not end by itself. */
  accessEndsAt: string | null
  /** Null where the platform gives none: then the user has to come back when `access` ends. */
  refresh: string | null
  refreshEndsAt: string | null
}

export interface ProfileDecision extends Decision {
  profile: Profile
}

export interface NewProfile extends Pick<Profile, 'id' | 'workspaceId' | 'name'> {
  description?: string | undefined
  color?: string | undefined
}

export const profilesMax = 100
const nameLengthMax = 200
const descriptionLengthMax = 2_000
const colorUsual = '#6366f1'

/** The id of a workspace's first profile is computed: of two that are made at the same time one meets the other, so that one is the default. */
export const firstProfileId = ({ id, createdAt }: Pick<Workspace, 'id' | 'createdAt'>) =>
  deterministicIdAt('prf', createdAt, id)

/** A new profile beside the others of its workspace. */
export function createProfile(
  { id, workspaceId, name, description = '', color = colorUsual }: NewProfile,
  others: readonly Profile[],
  now: string,
): ProfileDecision {
  if (others.length >= profilesMax)
    throw new Refusal('limit-reached', `A workspace has at most ${profilesMax} profiles.`)
  if (!name.trim() || name.length > nameLengthMax)
    throw invalid('name', `must be 1 to ${nameLengthMax} characters long, and not only blanks`)
  if (description.length > descriptionLengthMax)
    throw invalid('description', `must be at most ${descriptionLengthMax} characters long`)
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw invalid('color', `must be a colour such as ${colorUsual}`)
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
  const changes = [{ record: 'profile' as const, before: undefined, after: profile }]
  return { workspaceId, at: now, changes, charges: [], events: [], starts: [], profile }
}

const invalid = (path: string, message: string) =>
  new Refusal('invalid-request', `${path}: ${message}`, { details: [{ path, message }] })
