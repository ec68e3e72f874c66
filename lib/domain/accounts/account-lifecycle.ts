/** Decisions on a social account: connect, refresh its identity, expire, change its settings, disconnect. */

import { hasAtMost, isWebUrl } from '../core/bounded.ts'
import type { PlatformId } from '../core/platform.ts'
import { Refusal } from '../core/refusal.ts'
import { clip } from '../core/text.ts'
import { secondsBetween } from '../core/time.ts'
import type { Account, AccountIdentity } from '../records/account.ts'
import { type Decision, newDecision, type RecordChange } from '../records/decision.ts'
import type { Profile } from '../records/profile.ts'
import type { SealedTokens } from '../records/tokens.ts'

interface AccountDecision extends Decision {
  account: Account
}

const settingsMax = 20
const settingLengthMax = 500
const settingName = /^[a-z][A-Za-z]{0,39}$/
/** Set by connecting only: a client that could change them could redirect the account's token to another host. */
const reservedSettings = ['via', 'zernioAccountId', 'pds']
export const accountNameLengthMax = 300

/**
 * The record of a connected account. Reconnecting the same external account preserves its id and the client's settings;
 * a different one replaces it under the new `id`.
 */
export function accountFromConnection(
  { workspaceId, id: profileId }: Pick<Profile, 'workspaceId' | 'id'>,
  platform: PlatformId,
  before: Account | undefined,
  connected: { identity: AccountIdentity; settings: Record<string, string>; endsAt?: string | null },
  id: string,
  now: string,
): Account {
  const same = before?.externalId === connected.identity.externalId ? before : undefined
  return {
    ...sanitizeIdentity(connected.identity),
    id: same?.id ?? id,
    workspaceId,
    profileId,
    platform,
    version: (before?.version ?? 0) + 1,
    settings: { ...connected.settings, ...same?.settings, ...hostOf(connected.settings) },
    health: 'connected',
    endsAt: connected.endsAt ?? null,
    connectedAt: now,
    updatedAt: now,
  }
}

/** The Bluesky host always comes from the newest connection: the account may have moved. */
const hostOf = ({ pds }: Record<string, string>): Record<string, string> => (pds === undefined ? {} : { pds })

/** Stores the connected account with its tokens, and removes the tokens of the account that it replaces. */
export function connectAccount(
  account: Account,
  sealedTokens: SealedTokens,
  before: { account: Account | undefined; tokens: SealedTokens | undefined },
): AccountDecision {
  const tokenChanges: RecordChange[] =
    before.tokens && before.tokens.accountId !== sealedTokens.accountId
      ? [
          { record: 'tokens', before: before.tokens, after: undefined },
          { record: 'tokens', before: undefined, after: sealedTokens },
        ]
      : [{ record: 'tokens', before: before.tokens, after: sealedTokens }]
  const change: RecordChange = { record: 'account', before: before.account, after: account }
  const automationWakeUps = [{ profileId: account.profileId, cause: `${account.id}#${account.version}` }]
  return {
    ...newDecision(account.workspaceId, [change, ...tokenChanges], account.updatedAt),
    account,
    automationWakeUps,
  }
}

const expiryToleranceSeconds = 24 * 60 * 60

/** Whether an expiry time changed by more than a day. Every token refresh moves it a little, which needs no write. */
export function hasExpiryChanged(before: string | null | undefined, after: string | null): boolean {
  if (!before || !after) return (before ?? null) !== after
  return Math.max(secondsBetween(before, after), secondsBetween(after, before)) > expiryToleranceSeconds
}

/** Updates the identity with what the platform reports now; undefined if nothing changed. */
export function refreshAccountIdentity(
  before: Account,
  identity: AccountIdentity,
  now: string,
): AccountDecision | undefined {
  // The token now belongs to another external account: its identity must not overwrite this one's.
  if (identity.externalId !== before.externalId) return undefined
  const { username, displayName, pictureUrl } = sanitizeIdentity(identity)
  const isKnown = username === before.username && displayName === before.displayName && pictureUrl === before.pictureUrl
  return isKnown ? undefined : changed(before, { username, displayName, pictureUrl }, now)
}

/**
 * The platform rejects the tokens: the account has to be connected again. The commit removes them, and fails if they were
 * replaced meanwhile.
 */
export function expireAccount(before: Account, sealedTokens: SealedTokens | undefined, now: string): AccountDecision {
  const decision = changed(before, { health: 'expired' }, now)
  return { ...decision, changes: [...decision.changes, ...tokensRemoval(sealedTokens)] }
}

/** Merges settings over the stored ones. An empty value removes one: the publisher's default applies again. */
export function updateAccountSettings(before: Account, edit: Record<string, string>, now: string): AccountDecision {
  for (const [name, value] of Object.entries(edit)) {
    if (!settingName.test(name)) throw invalid(name, 'must be a name of at most 40 letters, the first in lower case')
    if (reservedSettings.includes(name)) throw invalid(name, 'is read-only: it is set when the account is connected')
    if (!hasAtMost(value, settingLengthMax)) throw invalid(name, `must be at most ${settingLengthMax} characters long`)
  }
  const settings = Object.fromEntries(Object.entries({ ...before.settings, ...edit }).filter(([, value]) => value))
  if (Object.keys(settings).length > settingsMax) throw invalid('settings', `must have at most ${settingsMax} entries`)
  return changed(before, { settings }, now)
}

export const disconnectAccount = (account: Account, sealedTokens: SealedTokens | undefined, now: string): Decision =>
  newDecision(
    account.workspaceId,
    [{ record: 'account', before: account, after: undefined }, ...tokensRemoval(sealedTokens)],
    now,
  )

const tokensRemoval = (sealedTokens: SealedTokens | undefined): RecordChange[] =>
  sealedTokens ? [{ record: 'tokens', before: sealedTokens, after: undefined }] : []

function changed(before: Account, fields: Partial<Account>, now: string): AccountDecision {
  const account: Account = { ...before, ...fields, version: before.version + 1, updatedAt: now }
  return { ...newDecision(before.workspaceId, [{ record: 'account', before, after: account }], now), account }
}

/** Untrusted text of a platform: names are clipped to fit the record, and only http(s) picture URLs reach clients. */
function sanitizeIdentity({ externalId, username, displayName, pictureUrl }: AccountIdentity): AccountIdentity {
  return {
    externalId,
    username: clip(username, accountNameLengthMax),
    displayName: clip(displayName, accountNameLengthMax),
    pictureUrl: pictureUrl !== null && isWebUrl(pictureUrl) ? pictureUrl : null,
  }
}

const invalid = (path: string, message: string) =>
  new Refusal('invalid-request', `${path}: ${message}`, { details: [{ path, message }] })
