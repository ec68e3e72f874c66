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
  applyLookup,
  applyNoResponse,
  applyNotSent,
  applyStepOutcome,
  failAtDeadline,
  failUnauthorised,
  markSending,
  postponePosting,
  secondsUntilStep,
} from '../../domain/publishing/posting-transitions.ts'
import type { Account } from '../../domain/records/account.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import { isUnanswered, NoResponse, NotSent } from '../../platforms/failures.ts'
import { mayBeVisible } from '../../platforms/may-be-visible.ts'
import type {
  PlatformHttp,
  Publisher,
  PublishContext as PublisherPlace,
  ReadRender,
} from '../../platforms/publisher.ts'
import { publisherOf } from '../../platforms/publishers.ts'
import type { PostingKey } from '../../store/postings.ts'
import { findPosting, writePosting } from '../../store/postings.ts'
import { findAccount } from '../../store/profiles.ts'
import { loadAccessToken, markAccountExpired } from '../accounts/access-token.ts'
import { platformClient } from '../accounts/platform-client.ts'
import { logPostingEnd, postingIds, reportPostingEnd } from './report-posting.ts'

/** What a step reaches. Tests put a sandbox, a clock and deaths in their places. */
export interface PostingDeps {
  find(place: PostingKey): Promise<Posting | undefined>
  write(posting: Posting): Promise<Posting>
  findAccount(posting: Posting): Promise<Account | undefined>
  accessToken(account: Account, wants: { isNew: boolean }): ReturnType<typeof loadAccessToken>
  markAccountExpired(account: Account, refused: string): Promise<unknown>
  publisherOf(platform: PlatformId, settings: Account['settings']): Publisher
  reportPostingEnd(posting: Posting): Promise<void>
  http: PlatformHttp
  readRender(key: string): ReadRender
  now(): string
  timeScale: number
}

/** A request ends before the function does, which then writes down that it was not answered. */
const requestMsMax = 220_000

const defaultDeps = (): PostingDeps => ({
  find: findPosting,
  write: writePosting,
  findAccount: ({ workspaceId, profileId, platform }) => findAccount(workspaceId, profileId, platform),
  accessToken: (account, wants) => loadAccessToken(account, wants),
  markAccountExpired,
  publisherOf,
  reportPostingEnd,
  http: platformClient(),
  readRender: (key) => (from, to) => readRange(key, from, to, requestMsMax),
  now,
  timeScale: env.timeScale(),
})

/** `waitSeconds`: whole ones, until the next call has something to do. */
export interface PostingStepResult {
  ended: boolean
  waitSeconds: number
}

/** `Superseded` where the posting is gone with its video. What else it throws is a fault, after which it is called again. */
export async function advancePosting(place: PostingKey, deps: PostingDeps = defaultDeps()): Promise<PostingStepResult> {
  const posting = await deps.find(place)
  if (!posting) throw new Superseded(`The posting to ${place.accountId} is gone.`)
  const isDue = posting.phase !== 'ended' && secondsUntilStep(posting, deps.now()) === 0
  const after = isDue ? await deps.write(await nextPosting(posting, deps)) : posting
  const taken = { ended: after.phase === 'ended', waitSeconds: secondsUntilStep(after, deps.now()) }
  if (isDue)
    log.info('posting.step', { ...postingIds(after), ...taken, step: posting.state.step, phase: posting.phase })
  if (isDue && taken.ended) logPostingEnd(after)
  if (taken.ended) await deps.reportPostingEnd(after)
  return taken
}

async function nextPosting(posting: Posting, deps: PostingDeps): Promise<Posting> {
  if (deps.now() >= posting.deadlineAt) return failAtDeadline(posting)
  const account = await deps.findAccount(posting)
  // Connected anew as somebody else, it is another account.
  if (account?.id !== posting.accountId) return failUnauthorised(posting)
  const access = await deps.accessToken(account, { isNew: posting.wantsNewToken })
  if (access.kind === 'expired') return failUnauthorised(posting)
  if (access.kind === 'later') return postponePosting(posting, access.waitSeconds, paceOf(deps))
  // A token may have taken its time.
  if (deps.now() >= posting.deadlineAt) return failAtDeadline(posting)
  const goOn = posting.phase === 'sending' ? reconcileSent : send
  return goOn(posting, account, access.token, deps)
}

/** Does the next step; one that may publish only after the intent is written. */
async function send(before: Posting, account: Account, token: string, deps: PostingDeps): Promise<Posting> {
  const publisher = deps.publisherOf(before.platform, account.settings)
  const isPart = publisher.isPartialUpload?.(before.state, before.post) ?? false
  const posting = publisher.mayPublish(before.state) ? await deps.write(markSending(before, isPart)) : before
  try {
    const outcome = await publisher.step(posting.state, publisherPlace(posting, account, token, deps))
    if (outcome.kind === 'unauthorised' && posting.wantsNewToken) await deps.markAccountExpired(account, token)
    return applyStepOutcome(posting, outcome, mayBeVisibleAfter(publisher, posting, outcome), paceOf(deps))
  } catch (error) {
    if (error instanceof NoResponse) return applyNoResponse(posting, error.message, paceOf(deps))
    if (error instanceof NotSent) return applyNotSent(posting, error.message, paceOf(deps))
    throw error
  }
}

const mayBeVisibleAfter = (
  publisher: Publisher,
  { post, state: from, isOnItsWay: was }: Posting,
  outcome: StepOutcome,
) => (outcome.kind === 'continue' ? mayBeVisible(publisher, post, { from, to: outcome.state, was }) : was)

/** Reads what became of a step that may have published. */
async function reconcileSent(posting: Posting, account: Account, token: string, deps: PostingDeps): Promise<Posting> {
  try {
    const publisher = deps.publisherOf(posting.platform, account.settings)
    const found = await publisher.reconcile(posting.state, publisherPlace(posting, account, token, deps))
    if (found.kind === 'unsure' && found.isTokenRefused && posting.wantsNewToken)
      await deps.markAccountExpired(account, token)
    return applyLookup(posting, found, paceOf(deps))
  } catch (error) {
    if (!isUnanswered(error)) throw error
    return applyNoResponse(posting, error.message, paceOf(deps))
  }
}

function publisherPlace(posting: Posting, account: Account, token: string, deps: PostingDeps): PublisherPlace {
  return {
    post: posting.post,
    account,
    token,
    http: (request) =>
      deps.http({ ...request, ...(request.deadlineMs && { deadlineMs: Math.min(request.deadlineMs, requestMsMax) }) }),
    readRender: deps.readRender(posting.filmKey),
    now: deps.now(),
  }
}

const paceOf = (deps: PostingDeps) => ({ now: deps.now(), timeScale: deps.timeScale })
