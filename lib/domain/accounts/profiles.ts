/** Profiles: groups of social accounts, one per platform. Decisions on the accounts are in `accounts.ts`. */

import { deterministicIdAt } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import type { Account } from '../records/account.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import type { Profile } from '../records/profile.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** Health as the API reports it. `expiring`: will be `expired` within a week, publishing works until then. */
export const reportedHealths = ['connected', 'expiring', 'expired'] as const
type ReportedHealth = (typeof reportedHealths)[number]

const expiringWindowSeconds = 7 * 24 * 60 * 60

export const reportedHealth = ({ health, endsAt }: Pick<Account, 'health' | 'endsAt'>, now: string): ReportedHealth =>
  health === 'connected' && endsAt && endsAt <= secondsAfter(now, expiringWindowSeconds) ? 'expiring' : health

/** OAuth tokens of an account in clear; stored sealed only. */
export interface Tokens {
  access: string
  /** Null if it does not expire. */
  accessEndsAt: string | null
  /** Null if the platform issues none: the user has to reconnect when `access` expires. */
  refresh: string | null
  refreshEndsAt: string | null
}

interface ProfileDecision extends Decision {
  profile: Profile
}

export interface NewProfile extends Pick<Profile, 'id' | 'workspaceId' | 'name'> {
  description?: string | undefined
  color?: string | undefined
}

export const profilesMax = 100
const nameLengthMax = 200
const descriptionLengthMax = 2_000
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
  if (!name.trim() || name.length > nameLengthMax)
    throw invalid('name', `must be 1 to ${nameLengthMax} characters long and not blank`)
  if (description.length > descriptionLengthMax)
    throw invalid('description', `must be at most ${descriptionLengthMax} characters long`)
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw invalid('color', `must be a colour such as ${defaultColor}`)
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
