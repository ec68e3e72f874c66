/**
 * A posting: one post to one account, and its state machine's data. The invariant: the intent is persisted before any request
 * that may make the post visible; that request is sent once, and an unanswered one is looked up instead of repeated.
 */

import type { JobError } from '../core/failures.ts'
import type { PlatformId } from '../core/platform.ts'

/** The content of a post: fixed when the request is accepted, so that every attempt is identical. */
export interface Post {
  /** Unique per video, run and account; sent to platforms that accept a client-generated id. */
  id: string
  caption: string
  /** For platforms whose posts have one. */
  title: string
  language: string
  film: PostedVideo
  /** ISO; sent to platforms that accept the time of a post. */
  acceptedAt: string
}

export interface PostedVideo {
  bytes: number
  width: number
  height: number
  durationMs: number
  /** Public URL of the mp4, for platforms that pull it. */
  url: string
  /** URL of the thumbnail, a JPEG. */
  coverUrl: string
}

/** The part of a connected account that its publisher needs. */
export interface PostingAccount {
  /** The platform's id: of a user, page or channel, or a DID. */
  externalId: string
  username: string
  /** Board, subreddit, privacy and the like, in the platform's terms. The publisher has a default for absent ones. */
  settings: Readonly<Record<string, string>>
}

/**
 * A publisher's state between steps: ids, offsets, times and upload URLs, plain JSON, never a token. Stored after every step,
 * never shown or logged: an upload URL may need no further authorization.
 */
export interface PostingState {
  step: string
}

export type StepOutcome<State extends PostingState = PostingState> =
  /** Succeeded; continues with the next step, after `waitSeconds`. */
  | { kind: 'continue'; state: State; waitSeconds?: number }
  /** The post is published. `url` is null if the platform reports none. */
  | { kind: 'done'; externalId: string; url: string | null }
  /** The step's requests definitely had no effect: retry it after `waitSeconds`. */
  | { kind: 'retry'; waitSeconds: number; message: string }
  /** The token is rejected and this step had no effect. An earlier step may still have made the post visible: `isOnItsWay`. */
  | { kind: 'unauthorised' }
  /** Permanent refusal. The code is the platform's or a `PostRefusalCode`; code and message may be shown. */
  | { kind: 'refused'; code: string; message: string }
  /** The platform reports that the post exists already, with its id if known. */
  | { kind: 'duplicate'; externalId: string | null; url: string | null }

/** The outcome of an unanswered request that may have published. A lookup never publishes. */
export type PostLookup<State extends PostingState = PostingState> =
  | { kind: 'published'; externalId: string; url: string | null }
  /**
   * Not found: continue with this state. `mayBeLate` if the unanswered request may still take effect: sending it again is safe,
   * since both create one post, but it must not be reported as failed.
   */
  | { kind: 'absent'; state: State; mayBeLate?: true }
  /** Unknown for now. `isTokenRefused` if a new token may help; `isDenied` if the platform refuses to show its posts. */
  | { kind: 'unsure'; waitSeconds: number; isTokenRefused?: true; isDenied?: true }

/** How posting to one account ended. */
export type PostingOutcome =
  | { status: 'COMPLETED'; externalId: string; url: string | null }
  /** `publish-outcome-unknown` if the post may be visible; any other code means that it definitely is not. */
  | { status: 'FAILED'; error: JobError }

/** The record of one post of a run to one account. */
export interface Posting {
  workspaceId: string
  videoId: string
  runId: string
  profileId: string
  accountId: string
  platform: PlatformId
  /** Optimistic lock: incremented by every write. */
  version: number
  post: Post
  /** Storage key of the render. */
  filmKey: string
  /** Deadline of the run: nothing is sent after it. */
  deadlineAt: string
  state: PostingState
  /** The first step, and how often the posting went back to it. */
  firstStep: string
  restarts: number
  /** `sending`: the intent to send a request that may publish is persisted, its outcome is not. */
  phase: 'open' | 'sending' | 'ended'
  /** While `sending`: the request uploads a part that is not the last, after which the post is definitely not visible yet. */
  isPart: boolean
  /** Whether the post may be visible (`lib/platforms/may-be-visible.ts`), or will become so without further requests. */
  isOnItsWay: boolean
  /** Attempts in a row without progress. */
  attempts: number
  /** Whether the next step needs a token that the platform has not refused. */
  wantsNewToken: boolean
  /** ISO: the next step is not taken before; null if it may be at once. */
  notBefore: string | null
  /** ISO: when `notBefore` was decided. Absent in rows of earlier versions, like `sentAt`. */
  scheduledAt?: string
  /** ISO: when the intent to send was last persisted. */
  sentAt?: string
  end: PostingOutcome | null
}

/** The input of a new posting. */
type PostingInput = Pick<
  Posting,
  'workspaceId' | 'videoId' | 'runId' | 'profileId' | 'accountId' | 'platform' | 'post' | 'filmKey' | 'deadlineAt'
>

/** A posting before its first request; `state` is the initial one of its publisher. */
export const newPosting = (input: PostingInput, state: PostingState): Posting => ({
  ...input,
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
