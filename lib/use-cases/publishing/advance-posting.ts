/**
 * One step of a posting: read where it is, do the next thing once, write down what came of it. A process that dies anywhere in here
 * leaves a posting from which the next call goes on, and what may have appeared is looked for, never sent again.
 */
import { readRange } from '../../aws/media-bucket.ts'
import { now } from '../../clock.ts'
import { Superseded } from '../../domain/core/failures.ts'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { Posting, StepOutcome } from '../../domain/publishing/posting.ts'
import {
  afterFound,
  afterNoAnswer,
  afterNotSent,
  afterOutcome,
  atDeadline,
  postponed,
  secondsToWait,
  toBeSent,
  withoutToken,
} from '../../domain/publishing/posting-transitions.ts'
import type { Account } from '../../domain/records/account.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import { isSilence, NoAnswer, NotSent } from '../../platforms/failures.ts'
import { isOnItsWay } from '../../platforms/may-be-visible.ts'
import type { PlatformHttp, Publisher, PostingPlace as PublisherPlace, ReadFilm } from '../../platforms/publisher.ts'
import type { PostingPlace } from '../../store/postings.ts'
import { findPosting, writePosting } from '../../store/postings.ts'
import { findAccount } from '../../store/profiles.ts'
import { accessToken, noteExpired } from '../accounts/access-token.ts'
import { theWayToPlatforms } from '../accounts/platform-client.ts'
import { publisherOf } from './publishers.ts'
import { idsOf, logEnd, tellEnd } from './report-posting.ts'

/** What a step reaches. Tests put a sandbox, a clock and deaths in their places. */
export interface PostingDoors {
  find(place: PostingPlace): Promise<Posting | undefined>
  write(posting: Posting): Promise<Posting>
  accountOf(posting: Posting): Promise<Account | undefined>
  accessToken(account: Account, wants: { isNew: boolean }): ReturnType<typeof accessToken>
  noteExpired(account: Account, refused: string): Promise<unknown>
  publisherOf(platform: PlatformId, settings: Account['settings']): Publisher
  tellEnd(posting: Posting): Promise<void>
  http: PlatformHttp
  readFilm(key: string): ReadFilm
  now(): string
  timeScale: number
}

/** A request ends before the function does, which then writes down that it was not answered. */
const requestMsMax = 220_000

const theDoors = (): PostingDoors => ({
  find: findPosting,
  write: writePosting,
  accountOf: ({ workspaceId, profileId, platform }) => findAccount(workspaceId, profileId, platform),
  accessToken: (account, wants) => accessToken(account, wants),
  noteExpired,
  publisherOf,
  tellEnd,
  http: theWayToPlatforms(),
  readFilm: (key) => (from, to) => readRange(key, from, to, requestMsMax),
  now,
  timeScale: env.timeScale(),
})

/** `waitSeconds`: whole ones, until the next call has something to do. */
export interface StepTaken {
  ended: boolean
  waitSeconds: number
}

/** `Superseded` where the posting is gone with its video. What else it throws is a fault, after which it is called again. */
export async function takeStep(place: PostingPlace, doors: PostingDoors = theDoors()): Promise<StepTaken> {
  const posting = await doors.find(place)
  if (!posting) throw new Superseded(`The posting to ${place.accountId} is gone.`)
  const isDue = posting.phase !== 'ended' && secondsToWait(posting, doors.now()) === 0
  const after = isDue ? await doors.write(await moved(posting, doors)) : posting
  const taken = { ended: after.phase === 'ended', waitSeconds: secondsToWait(after, doors.now()) }
  if (isDue) log.info('posting.step', { ...idsOf(after), ...taken, step: posting.state.step, phase: posting.phase })
  if (isDue && taken.ended) logEnd(after)
  if (taken.ended) await doors.tellEnd(after)
  return taken
}

async function moved(posting: Posting, doors: PostingDoors): Promise<Posting> {
  if (doors.now() >= posting.deadlineAt) return atDeadline(posting)
  const account = await doors.accountOf(posting)
  // Connected anew as somebody else, it is another account.
  if (account?.id !== posting.accountId) return withoutToken(posting)
  const access = await doors.accessToken(account, { isNew: posting.wantsNewToken })
  if (access.kind === 'expired') return withoutToken(posting)
  if (access.kind === 'later') return postponed(posting, access.waitSeconds, paceOf(doors))
  // A token may have taken its time.
  if (doors.now() >= posting.deadlineAt) return atDeadline(posting)
  const goOn = posting.phase === 'sending' ? look : send
  return goOn(posting, account, access.token, doors)
}

/** Does the next step; one that may publish only after the intent is written. */
async function send(before: Posting, account: Account, token: string, doors: PostingDoors): Promise<Posting> {
  const publisher = doors.publisherOf(before.platform, account.settings)
  const isPart = publisher.isPart?.(before.state, before.post) ?? false
  const posting = publisher.mayPublish(before.state) ? await doors.write(toBeSent(before, isPart)) : before
  try {
    const outcome = await publisher.step(posting.state, publisherPlace(posting, account, token, doors))
    if (outcome.kind === 'unauthorised' && posting.wantsNewToken) await doors.noteExpired(account, token)
    return afterOutcome(posting, outcome, onItsWayAfter(publisher, posting, outcome), paceOf(doors))
  } catch (error) {
    if (error instanceof NoAnswer) return afterNoAnswer(posting, error.message, paceOf(doors))
    if (error instanceof NotSent) return afterNotSent(posting, error.message, paceOf(doors))
    throw error
  }
}

const onItsWayAfter = (publisher: Publisher, { post, state: from, isOnItsWay: was }: Posting, outcome: StepOutcome) =>
  outcome.kind === 'continue' ? isOnItsWay(publisher, post, { from, to: outcome.state, was }) : was

/** Reads what became of a step that may have published. */
async function look(posting: Posting, account: Account, token: string, doors: PostingDoors): Promise<Posting> {
  try {
    const publisher = doors.publisherOf(posting.platform, account.settings)
    const found = await publisher.reconcile(posting.state, publisherPlace(posting, account, token, doors))
    if (found.kind === 'unsure' && found.isTokenRefused && posting.wantsNewToken)
      await doors.noteExpired(account, token)
    return afterFound(posting, found, paceOf(doors))
  } catch (error) {
    if (!isSilence(error)) throw error
    return afterNoAnswer(posting, error.message, paceOf(doors))
  }
}

function publisherPlace(posting: Posting, account: Account, token: string, doors: PostingDoors): PublisherPlace {
  return {
    post: posting.post,
    account,
    token,
    http: (request) =>
      doors.http({ ...request, ...(request.deadlineMs && { deadlineMs: Math.min(request.deadlineMs, requestMsMax) }) }),
    readFilm: doors.readFilm(posting.filmKey),
    now: doors.now(),
  }
}

const paceOf = (doors: PostingDoors) => ({ now: doors.now(), timeScale: doors.timeScale })
