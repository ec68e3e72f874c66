/**
 * One post to one account: what is posted, where it stands, and how what came of a step moves it on. The rule above all others: before a
 * request that may make the post appear, it is written down that it is about to be sent; then it is sent once, and looked after.
 */

import type { JobError } from '../core/failures.ts'
import type { PlatformId } from '../core/platform.ts'

/** What is posted: fixed when publishing is accepted, so that every attempt says the same. */
export interface Post {
  /** Unique to this video, run and account; a platform that takes an id of the client's own is given it. */
  id: string
  caption: string
  /** For platforms whose posts have one. */
  title: string
  language: string
  film: PostedVideo
  /** ISO; a platform that takes the time of a post from its client is given it. */
  acceptedAt: string
}

export interface PostedVideo {
  bytes: number
  width: number
  height: number
  durationMs: number
  /** Where anybody can fetch the mp4: for platforms that pull. */
  url: string
  /** Of the thumbnail, a JPEG. */
  coverUrl: string
}

/** A connected account as its publisher sees it. */
export interface PostingAccount {
  /** What the platform calls it: a user, page or channel id, a DID. */
  externalId: string
  username: string
  /** Board, subreddit, privacy and the like, in the platform's own words; absent ones have a default in the publisher. */
  settings: Readonly<Record<string, string>>
}

/**
 * Where a post is on its way: ids, offsets, times and addresses of uploads, plain JSON, never a token. Stored after every step, and shown to
 * nobody: an address may be all that an upload asks for.
 */
export interface PostingState {
  step: string
}

export type StepOutcome<State extends PostingState = PostingState> =
  /** Worked; goes on with the next step, not before so many seconds. */
  | { kind: 'continue'; state: State; waitSeconds?: number }
  /** The post is there. `url` where the platform tells it. */
  | { kind: 'done'; externalId: string; url: string | null }
  /** Its requests surely did nothing: the same step again, not before so many seconds. */
  | { kind: 'retry'; waitSeconds: number; message: string }
  /** The token is refused, and the requests of this step did nothing. Of what an earlier one made appear it says nothing: `isOnItsWay`. */
  | { kind: 'unauthorised' }
  /** The platform will never take this post. The code is the platform's own or one of `PostRefusalCode`; both may be shown. */
  | { kind: 'refused'; code: string; message: string }
  /** The platform says that it has this post already; with its id where it names one. */
  | { kind: 'duplicate'; externalId: string | null; url: string | null }

/** What became of a step that may publish and was not answered. Finding out never publishes. */
export type PostLookup<State extends PostingState = PostingState> =
  | { kind: 'published'; externalId: string; url: string | null }
  /**
   * Not there: goes on with this state. `mayBeLate` where the request that was cut may still be carried out: it may be sent again, since
   * both make one post, but it is not said to have failed.
   */
  | { kind: 'absent'; state: State; mayBeLate?: true }
  /** Cannot be told now. `isTokenRefused` where a new token may tell. */
  | { kind: 'unsure'; waitSeconds: number; isTokenRefused?: true }

/** How posting to one account ended. */
export type PostingOutcome =
  | { status: 'COMPLETED'; externalId: string; url: string | null }
  /** With `publish-outcome-unknown` where it may have appeared, with anything else where it surely has not. */
  | { status: 'FAILED'; error: JobError }

/** The record of one post of a run to one account. */
export interface Posting {
  workspaceId: string
  videoId: string
  runId: string
  profileId: string
  accountId: string
  platform: PlatformId
  /** Counts every write: whoever decided on an older one writes nothing. */
  version: number
  post: Post
  /** Where the film lies in storage. */
  filmKey: string
  /** That of the run: behind it nothing is sent. */
  deadlineAt: string
  state: PostingState
  /** The name of the step that it began with, and how often it went back to it. */
  firstStep: string
  restarts: number
  /** `sending`: a request that may make the post appear is, or was, about to be sent, and what came of it is not written down. */
  phase: 'open' | 'sending' | 'ended'
  /** While `sending`: that what is sent is a part that is not the last, after which the post surely is not there yet. */
  isPart: boolean
  /** Whether somebody may see the post already (`lib/platforms/may-be-visible.ts`), or will without our doing any more. */
  isOnItsWay: boolean
  /** In a row that did not get on. */
  attempts: number
  /** Whether the next step needs a token that the platform has not refused. */
  wantsNewToken: boolean
  /** ISO: the next step is not taken before; null where it may be at once. */
  notBefore: string | null
  end: PostingOutcome | null
}

/** What a posting is begun with. */
type PostingInput = Pick<
  Posting,
  'workspaceId' | 'videoId' | 'runId' | 'profileId' | 'accountId' | 'platform' | 'post' | 'filmKey' | 'deadlineAt'
>

/** A posting of which nothing is sent yet; `state` is the first one of its publisher. */
export const newPosting = (wish: PostingInput, state: PostingState): Posting => ({
  ...wish,
  version: 1,
  state,
  firstStep: state.step,
  restarts: 0,
  phase: 'open',
  isPart: false,
  isOnItsWay: false,
  attempts: 0,
  wantsNewToken: false,
  notBefore: null,
  end: null,
})
