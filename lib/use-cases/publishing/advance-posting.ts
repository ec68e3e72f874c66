/**
 * Takes one step of a posting: reads its state, performs the next action once, stores the outcome. Called by the
 * publish pipeline until the posting ends. After a crash the next call continues from the stored state; a post that may
 * have appeared is reconciled with the platform, never sent again.
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
  endUnknown,
  failAtDeadline,
  failUnauthorised,
  isSettledByRestart,
  isStepDue,
  markSending,
  postponePosting,
  secondsUntilStep,
} from '../../domain/publishing/posting-transitions.ts'
import type { Account } from '../../domain/records/account.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import { isUnanswered, NoResponse, NotSent } from '../../platforms/failures.ts'
import { mayBeVisible } from '../../platforms/may-be-visible.ts'
import type { PlatformHttp, PublishContext, Publisher, ReadRender } from '../../platforms/publisher.ts'
import { publisherOf } from '../../platforms/publishers.ts'
import type { PostingKey } from '../../store/postings.ts'
import { findPosting, writePosting } from '../../store/postings.ts'
import { findAccount } from '../../store/profiles.ts'
import { loadAccessToken, markAccountExpired } from '../accounts/access-token.ts'
import { platformClient } from '../accounts/platform-client.ts'
import { logPostingEnd, postingIds, reportPostingEnd } from './report-posting.ts'

/** Injected by tests: a sandbox, a clock, crashes. */
export interface PostingDeps {
  find(key: PostingKey): Promise<Posting | undefined>
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
  /** When the emulated platforms of a local run started; absent where platforms are real. */
  platformsStartedAt?: string
}

/**
 * The cap of every request deadline, `uploadDeadlineMs` included: requests time out before the function, so that the
 * function can store that there was no response.
 */
const requestMsMax = 220_000

const defaultDeps = (): PostingDeps => ({
  ...restartOfPlatforms(),
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

function restartOfPlatforms(): Pick<PostingDeps, 'platformsStartedAt'> {
  const platformsStartedAt = env.platformsStartedAt()
  return platformsStartedAt === undefined ? {} : { platformsStartedAt }
}

/** `waitSeconds`: whole seconds until the next step. */
export interface PostingStepResult {
  ended: boolean
  waitSeconds: number
}

/** @throws Superseded where the posting was deleted with its video. Any other error is a fault and is retried. */
export async function advancePosting(key: PostingKey, deps: PostingDeps = defaultDeps()): Promise<PostingStepResult> {
  const posting = await deps.find(key)
  if (!posting) throw new Superseded(`The posting to ${key.accountId} was deleted.`)
  const isDue = isStepDue(posting, deps.now(), deps.platformsStartedAt)
  const after = isDue ? await deps.write(await nextPosting(posting, deps)) : posting
  const result = { ended: after.phase === 'ended', waitSeconds: secondsUntilStep(after, deps.now()) }
  if (isDue)
    log.info('posting.step', { ...postingIds(after), ...result, step: posting.state.step, phase: posting.phase })
  if (isDue && result.ended) logPostingEnd(after)
  if (result.ended) await deps.reportPostingEnd(after)
  return result
}

async function nextPosting(posting: Posting, deps: PostingDeps): Promise<Posting> {
  if (deps.now() >= posting.deadlineAt) return failAtDeadline(posting)
  const account = await deps.findAccount(posting)
  // Reconnected as another external account.
  if (account?.id !== posting.accountId) return failUnauthorised(posting)
  const access = await deps.accessToken(account, { isNew: posting.wantsNewToken })
  if (access.kind === 'expired') return failUnauthorised(posting)
  if (access.kind === 'later') return postponePosting(posting, access.waitSeconds, stepClockOf(deps))
  // A token refresh may have taken long.
  if (deps.now() >= posting.deadlineAt) return failAtDeadline(posting)
  const advance = posting.phase === 'sending' ? lookUpSent : send
  return advance(posting, account, access.token, deps)
}

/** Does the next step. Before a step that may publish, the intent is persisted. */
async function send(before: Posting, account: Account, token: string, deps: PostingDeps): Promise<Posting> {
  const publisher = deps.publisherOf(before.platform, account.settings)
  const isPart = publisher.isPartialUpload?.(before.state, before.post) ?? false
  const posting = publisher.mayPublish(before.state)
    ? await deps.write({ ...markSending(before, isPart), sentAt: deps.now() })
    : before
  try {
    const outcome = await publisher.step(posting.state, publishContext(posting, account, token, deps))
    if (outcome.kind === 'unauthorised' && posting.wantsNewToken) await deps.markAccountExpired(account, token)
    return applyStepOutcome(posting, outcome, mayBeVisibleAfter(publisher, posting, outcome), stepClockOf(deps))
  } catch (error) {
    if (error instanceof NoResponse) return applyNoResponse(posting, error.message, stepClockOf(deps))
    if (error instanceof NotSent) return applyNotSent(posting, error.message, stepClockOf(deps))
    throw error
  }
}

const mayBeVisibleAfter = (
  publisher: Publisher,
  { post, state: from, isOnItsWay: was }: Posting,
  outcome: StepOutcome,
) => (outcome.kind === 'continue' ? mayBeVisible(publisher, post, { from, to: outcome.state, was }) : was)

/** Looks up the outcome of a step that may have published. */
async function lookUpSent(posting: Posting, account: Account, token: string, deps: PostingDeps): Promise<Posting> {
  try {
    const publisher = deps.publisherOf(posting.platform, account.settings)
    const isSettled = isSettledByRestart(posting, deps.platformsStartedAt)
    const found = await publisher.lookUp(posting.state, {
      ...publishContext(posting, account, token, deps),
      isSettled,
    })
    if (found.kind === 'unsure' && found.isTokenRefused && posting.wantsNewToken)
      await deps.markAccountExpired(account, token)
    if (found.kind === 'unsure' && found.isDenied && isSettled) return endUnknown(posting)
    return applyLookup(posting, found, stepClockOf(deps))
  } catch (error) {
    if (!isUnanswered(error)) throw error
    return applyNoResponse(posting, error.message, stepClockOf(deps))
  }
}

function publishContext(posting: Posting, account: Account, token: string, deps: PostingDeps): PublishContext {
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

const stepClockOf = (deps: PostingDeps) => ({ now: deps.now(), timeScale: deps.timeScale })
