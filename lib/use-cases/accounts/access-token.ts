/**
 * The access token of an account, renewed where it ends soon or was refused: by one asker, while the others wait. Many platforms take a
 * refresh token once and end the whole connection when it comes a second time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { now as clock } from '../../clock.ts'
import { expireAccount, hasMoved } from '../../domain/accounts/accounts.ts'
import type { Tokens } from '../../domain/accounts/profiles.ts'
import { endOf, holds, isDue, isLeased, leaseSeconds, restSeconds } from '../../domain/accounts/tokens.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { Account } from '../../domain/records/account.ts'
import type { SealedTokens } from '../../domain/records/tokens.ts'
import { log } from '../../log.ts'
import { measure } from '../../metrics.ts'
import type { Renewal } from '../../platforms/connector.ts'
import { isSilence } from '../../platforms/failures.ts'
import { connectorOf } from '../../platforms/index.ts'
import { commit } from '../../store/core/commit.ts'
import { racing } from '../../store/core/conflict-retry.ts'
import { findAccount, moveEnd } from '../../store/profiles.ts'
import { findTokens, leaseTokens, moveLease, replaceTokens } from '../../store/tokens.ts'
import { connectionPlace } from './connector-deps.ts'
import { hurriedWay } from './platform-client.ts'
import { openTokens, sealTokens } from './sealed-tokens.ts'

export type Access =
  | { kind: 'token'; token: string }
  /** The user has to connect the account anew; it is marked so. */
  | { kind: 'expired' }
  /** The platform, or whoever renews the token, did not answer in time. */
  | { kind: 'later'; waitSeconds: number }

/** What renewing needs of the world outside. */
export interface RenewalDoors {
  renew: (account: Account, tokens: Tokens) => Promise<Renewal>
  now: () => string
  wait: (ms: number) => Promise<unknown>
  /** How long an asker waits for somebody else's renewal. */
  patienceMs: () => number
}

/** With the twelve seconds that the client's secret may take at worst (`lib/aws/secrets.ts`), a renewal is over before its lease. */
const requestMsMax = 15_000

export const renewalDoors: RenewalDoors = {
  renew: async ({ platform, settings }, tokens) =>
    connectorOf(platform).renew(await connectionPlace(platform, hurriedWay(requestMsMax)), tokens, settings),
  now: clock,
  wait: delay,
  patienceMs: () => 8_000,
}

const pollMs = { first: 50, growth: 1.5, last: 1_000 }

/**
 * A token that holds as far as one knows. `isNew` is for whoever was refused with the one that it was given before: the token is renewed,
 * unless it is less than a minute old, for then it is another one already. Where that one is refused, too, see `noteExpired`.
 */
export async function accessToken(
  account: Account,
  wants: { isNew: boolean },
  doors: RenewalDoors = renewalDoors,
): Promise<Access> {
  if (account.health === 'expired') return { kind: 'expired' }
  const until = Date.parse(doors.now()) + doors.patienceMs()
  for (let pause: number = pollMs.first; ; pause = Math.min(pause * pollMs.growth, pollMs.last)) {
    const at = doors.now()
    const pair = await findTokens(account)
    // Whoever removed them marked the account, or put another one in its place.
    if (!pair) return { kind: 'expired' }
    if (!isDue(pair, wants, at)) return tokenOf(await openTokens(account, pair))
    const access = isLeased(pair, at) ? undefined : await renewed(account, pair, wants, doors)
    if (access) return access
    if (Date.parse(doors.now()) >= until) return inTheMeantime(account, pair, wants, doors)
    await doors.wait(pause)
  }
}

/**
 * Marks an account whose newest token the platform refused; not one that was connected anew since it was read, nor one of which `refused` was a
 * token, and is none any more: many platforms end a token when its successor is given out. Without `refused` whatever its token is.
 */
export async function noteExpired(account: Account, refused?: string): Promise<void> {
  const pair = refused === undefined ? undefined : await findTokens(account)
  if (pair && (await openTokens(account, pair)).access !== refused) return
  await expire(account, pair)
}

const tokenOf = ({ access }: Tokens): Access => ({ kind: 'token', token: access })

/** Renews a pair, or undefined where another pair, or another asker who renews, is there by now. */
async function renewed(
  account: Account,
  pair: SealedTokens,
  wants: { isNew: boolean },
  doors: RenewalDoors,
): Promise<Access | undefined> {
  const at = doors.now()
  const tokens = await openTokens(account, pair)
  if (tokens.refresh === null) {
    if (!wants.isNew && holds(pair, at)) return tokenOf(tokens)
    return (await expire(account, pair)) ? { kind: 'expired' } : undefined
  }
  const leased = await leaseTokens(pair, secondsAfter(at, leaseSeconds), at)
  if (!leased) return undefined
  const renewal = await asked(account, tokens, leased, doors)
  if (renewal instanceof Error) {
    const access = await inTheMeantime(account, pair, wants, doors)
    // A deployment that its platform refuses has no patience to ask for; but a token that holds, holds.
    if (access.kind === 'token' || isSilence(renewal)) return access
    throw renewal
  }
  // Where the pair is another one by now, somebody else renewed it, and was not refused.
  if (renewal.kind === 'refused') return (await expire(account, leased)) ? { kind: 'expired' } : undefined
  const kept = await keep(account, leased, renewal.tokens, doors)
  if (!kept) return undefined
  await tellEnd(account, renewal.tokens)
  return tokenOf(renewal.tokens)
}

/** Whoever has stored a pair has done what matters: that the account tells an older end is mended by the next renewal. */
async function tellEnd(account: Account, tokens: Tokens): Promise<void> {
  const endsAt = endOf(tokens)
  if (!hasMoved(account.endsAt, endsAt)) return
  await moveEnd(account, endsAt).catch((error) => log.warn('account.end-not-told', { ...namesOf(account), error }))
}

/** The platform's answer, or why there is none: then the next asker lets it rest. */
async function asked(
  account: Account,
  tokens: Tokens,
  leased: SealedTokens,
  doors: RenewalDoors,
): Promise<Renewal | Error> {
  try {
    return await doors.renew(account, tokens)
  } catch (reason) {
    const error = reason as Error
    const isFault = !isSilence(error)
    log[isFault ? 'error' : 'warn']('tokens.not-renewed', { ...namesOf(account), error })
    if (isFault) measure({ name: 'Faults', value: 1, by: { what: 'tokens' } })
    await moveLease(leased, secondsAfter(doors.now(), restSeconds))
    return error
  }
}

export const namesOf = ({ id: accountId, platform }: Account) => ({ accountId, platform })

const keepPausesMs = [100, 500, 2_000]
/** A platform that took its time may have left less of the lease than it takes to seal and store a pair. */
const keepingSeconds = 15

/**
 * Stores a pair. It is the only one there is, the old one having been used up: a store that is busy is asked again, and until then nobody is
 * let in who would show the old one once more.
 */
async function keep(account: Account, leased: SealedTokens, tokens: Tokens, doors: RenewalDoors) {
  let held = leased
  if (!isLeased(held, secondsAfter(doors.now(), keepingSeconds))) held = await heldOn()
  for (const pause of keepPausesMs) {
    try {
      return await stored()
    } catch (error) {
      log.warn('tokens.not-kept', { ...namesOf(account), error: error as Error })
      held = await heldOn()
      await doors.wait(pause)
    }
  }
  return stored()

  async function heldOn() {
    return (await moveLease(held, secondsAfter(doors.now(), leaseSeconds)).catch(() => undefined)) ?? held
  }

  async function stored() {
    return replaceTokens(leased, await sealTokens(account, tokens, leased, doors.now()))
  }
}

/** Without a renewal: the token that is there, as long as it holds and was not refused. */
async function inTheMeantime(
  account: Account,
  pair: SealedTokens,
  { isNew }: { isNew: boolean },
  doors: RenewalDoors,
): Promise<Access> {
  const at = doors.now()
  if (!isNew && holds(pair, at)) return tokenOf(await openTokens(account, pair))
  const { leaseUntil } = (await findTokens(account)) ?? pair
  const leftSeconds = leaseUntil === null ? 1 : Math.ceil((Date.parse(leaseUntil) - Date.parse(at)) / 1000)
  return { kind: 'later', waitSeconds: Math.min(Math.max(leftSeconds, 1), leaseSeconds) }
}

/**
 * Marks the account as the one that has to be connected anew, and removes its tokens; with `refused` only as long as they are these. False
 * where they are not, or the account is another one by now.
 */
function expire(account: Account, refused?: SealedTokens): Promise<boolean> {
  return racing(async () => {
    const [current, pair] = await Promise.all([
      findAccount(account.workspaceId, account.profileId, account.platform),
      findTokens(account),
    ])
    if (current?.id !== account.id || current.connectedAt !== account.connectedAt) return false
    if (refused && pair?.version !== refused.version) return false
    if (current.health === 'expired') return true
    await commit(expireAccount(current, pair, clock()))
    return true
  })
}
