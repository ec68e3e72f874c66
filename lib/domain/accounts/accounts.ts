/** What happens to an account of a profile: it is connected, looked up again, refused by its platform, set up, disconnected. */

import type { PlatformId } from '../core/platform.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsBetween } from '../core/time.ts'
import type { Account, AccountIdentity } from '../records/account.ts'
import type { Decision, RecordChange } from '../records/decision.ts'
import type { Profile } from '../records/profile.ts'
import type { SealedTokens } from '../records/tokens.ts'

export interface AccountDecision extends Decision {
  account: Account
}

const settingsMax = 20
const settingLengthMax = 500
const settingName = /^[a-z][A-Za-z]{0,39}$/
/** What connecting tells, and nothing else: a token is shown to whom it was got from. */
const reservedSettings = ['via', 'zernioAccountId', 'pds']
const wordLengthMax = 300
const addressLengthMax = 2_048

/**
 * The account that was connected, whatever was there before. The same one keeps its id and the settings that its owner chose; another one
 * takes its place. `id` is for the latter.
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
    settings: { ...connected.settings, ...same?.settings, ...placeOf(connected.settings) },
    health: 'connected',
    endsAt: connected.endsAt ?? null,
    connectedAt: now,
    updatedAt: now,
  }
}

/** Where an account lives is nobody's choice: it may have moved since it was connected last. */
const placeOf = ({ pds }: Record<string, string>): Record<string, string> => (pds === undefined ? {} : { pds })

/** Connects with the pair that was got; a pair of before goes, with the account that it belonged to or in its place. */
export function connectAccount(
  account: Account,
  sealedTokens: SealedTokens,
  before: { account: Account | undefined; pair: SealedTokens | undefined },
): AccountDecision {
  const tokens: RecordChange[] =
    before.pair && before.pair.accountId !== sealedTokens.accountId
      ? [
          { record: 'tokens', before: before.pair, after: undefined },
          { record: 'tokens', before: undefined, after: sealedTokens },
        ]
      : [{ record: 'tokens', before: before.pair, after: sealedTokens }]
  const change: RecordChange = { record: 'account', before: before.account, after: account }
  const nudges = [{ profileId: account.profileId, cause: `${account.id}#${account.version}` }]
  return { ...decided(account, [change, ...tokens], account.updatedAt), account, wakeUps: nudges }
}

const noticedSeconds = 24 * 60 * 60

/** Whether an end is another one than it was, by more than a day: many renewals put it off, and none of them is news. */
export function hasExpiryChanged(before: string | null | undefined, after: string | null): boolean {
  if (!before || !after) return (before ?? null) !== after
  return Math.max(secondsBetween(before, after), secondsBetween(after, before)) > noticedSeconds
}

/** What the platform tells of the account now; undefined where that changes nothing. */
export function refreshAccountIdentity(
  before: Account,
  identity: AccountIdentity,
  now: string,
): AccountDecision | undefined {
  // Another account's words: a token that changed hands says nothing of this one.
  if (identity.externalId !== before.externalId) return undefined
  const { username, displayName, pictureUrl } = sanitizeIdentity(identity)
  const isKnown = username === before.username && displayName === before.displayName && pictureUrl === before.pictureUrl
  return isKnown ? undefined : changed(before, { username, displayName, pictureUrl }, now)
}

/**
 * The platform refuses us until the account is connected anew. What is refused need not be kept: the pair goes in the same commit, which fails
 * where it is not this pair any more.
 */
export function expireAccount(before: Account, sealedTokens: SealedTokens | undefined, now: string): AccountDecision {
  const decision = changed(before, { health: 'expired' }, now)
  return { ...decision, changes: [...decision.changes, ...tokensRemoval(sealedTokens)] }
}

/** Settings are laid over the stored ones; an empty value takes one away, so that the default of its publisher holds again. */
export function updateAccountSettings(before: Account, edit: Record<string, string>, now: string): AccountDecision {
  for (const [name, value] of Object.entries(edit)) {
    if (!settingName.test(name))
      throw invalid(name, 'must be a name of at most 40 letters that begins with a small one')
    if (reservedSettings.includes(name)) throw invalid(name, 'is told by connecting the account')
    if (value.length > settingLengthMax) throw invalid(name, `must be at most ${settingLengthMax} characters long`)
  }
  const settings = Object.fromEntries(Object.entries({ ...before.settings, ...edit }).filter(([, value]) => value))
  if (Object.keys(settings).length > settingsMax) throw invalid('settings', `must be at most ${settingsMax}`)
  return changed(before, { settings }, now)
}

export const disconnectAccount = (account: Account, sealedTokens: SealedTokens | undefined, now: string): Decision =>
  decided(account, [{ record: 'account', before: account, after: undefined }, ...tokensRemoval(sealedTokens)], now)

const tokensRemoval = (sealedTokens: SealedTokens | undefined): RecordChange[] =>
  sealedTokens ? [{ record: 'tokens', before: sealedTokens, after: undefined }] : []

function changed(before: Account, fields: Partial<Account>, now: string): AccountDecision {
  const account: Account = { ...before, ...fields, version: before.version + 1, updatedAt: now }
  return { ...decided(before, [{ record: 'account', before, after: account }], now), account }
}

const decided = ({ workspaceId }: Pick<Account, 'workspaceId'>, changes: RecordChange[], now: string): Decision => ({
  workspaceId,
  at: now,
  changes,
  charges: [],
  events: [],
  starts: [],
})

/** Words of others: a record has room for names, not for pages, and clients are given addresses of pictures only. */
function sanitizeIdentity({ externalId, username, displayName, pictureUrl }: AccountIdentity): AccountIdentity {
  const isAddress = pictureUrl !== null && pictureUrl.length <= addressLengthMax && URL.canParse(pictureUrl)
  return {
    externalId,
    username: cut(username),
    displayName: cut(displayName),
    pictureUrl: isAddress && /^https?:$/.test(new URL(pictureUrl).protocol) ? pictureUrl : null,
  }
}

const cut = (text: string) => text.slice(0, wordLengthMax).replace(/[\uD800-\uDBFF]$/, '')

const invalid = (path: string, message: string) =>
  new Refusal('invalid-request', `${path}: ${message}`, { details: [{ path, message }] })
