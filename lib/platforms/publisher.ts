/**
 * The interface of publishers: small steps, resumable after each one. Only one of them may make the post appear. The
 * engine (`lib/use-cases/publishing/advance-posting.ts`) persists the intent before that step, runs it at most once,
 * and calls `lookUp` if no response arrived.
 *
 * Every `<platform>/publish.ts` has the same order of parts: state; limits and other constants; response schemas; the
 * publisher with its requests, its steps in order, `lookUp` and the interface; then validation, request bodies,
 * references and failures.
 */

import type { PostRefusalCode } from '../domain/core/failures.ts'
import type { PlatformId } from '../domain/core/platform.ts'
import type { Post, PostingAccount, PostingState, PostLookup, StepOutcome } from '../domain/publishing/posting.ts'

/** Streams the bytes `from` (included) to `to` (excluded) of the mp4; no step holds all of them. */
export type ReadRender = (from: number, to: number) => AsyncIterable<Uint8Array>

export interface PlatformRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** A stream needs its length, because upload hosts reject chunked transfer encoding. */
  body?: Uint8Array | { bytes: number; read: () => AsyncIterable<Uint8Array> }
  deadlineMs?: number
}

export interface PlatformResponse {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Sends one request, follows no redirects, reads at most 4 MB. Throws `NotSent` if the platform cannot have acted,
 * `NoResponse` if it may have.
 */
export type PlatformHttp = (request: PlatformRequest) => Promise<PlatformResponse>

export interface PublishContext {
  post: Post
  account: PostingAccount
  /** A valid access token; publishers never refresh it. */
  token: string
  http: PlatformHttp
  readRender: ReadRender
  /** ISO. */
  now: string
  /**
   * In a lookup: whether the platform was restarted since the request, so that its lists and states show all that the
   * request did. Only emulated platforms are (`PLATFORMS_STARTED_AT`).
   */
  isSettled?: boolean
}

export interface Publisher<State extends PostingState = PostingState> {
  platform: PlatformId
  /** Checks the post against the documented limits of the platform, without a request. */
  validate(post: Post, account: PostingAccount): { code: PostRefusalCode; message: string } | null
  initialState(post: Post): State
  /** Whether this step may make the post appear. */
  mayPublish(state: State): boolean
  /** For a step that may publish: whether it is guaranteed not to, as a part of an upload that is not the last. */
  isPartialUpload?(state: State, post: Post): boolean
  /** One step: a few requests, no loop, no wait. Throws `NotSent` or `NoResponse`, or an unexpected error. */
  step(state: State, context: PublishContext): Promise<StepOutcome<State>>
  /** Queries the platform for the outcome of a step that may have published. */
  lookUp(state: State, context: PublishContext): Promise<PostLookup<State>>
}

/** The URLs of a platform by role: data, so that a sandbox can replace the platform. */
export type PlatformUrls = Readonly<Record<string, string>>
