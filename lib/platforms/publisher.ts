/**
 * How a film gets onto a platform: small steps that can be resumed after any of them. One step alone may make a post appear. Whoever
 * runs the steps writes down that it is about to be done before it is done, does it once, and looks what became of it where no answer came.
 */

import type { PostRefusalCode } from '../domain/core/failures.ts'
import type { PlatformId } from '../domain/core/platform.ts'
import type { Post, PostingAccount, PostingState, PostLookup, StepOutcome } from '../domain/publishing/posting.ts'

/** Bytes of the film, asked for as they are sent: no step ever holds all of them. */
export type ReadRender = (from: number, to: number) => AsyncIterable<Uint8Array>

export interface PlatformRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** What is streamed needs its length: hosts of uploads refuse chunked transfer. */
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
 * Sends one request, follows no redirect, reads at most 4 MB. Throws `NotSent` where surely nothing reached the platform, and
 * `NoAnswer` where it may have.
 */
export type PlatformHttp = (request: PlatformRequest) => Promise<PlatformResponse>

export interface PublishContext {
  post: Post
  account: PostingAccount
  /** A valid access token: renewing it is not the publisher's business. */
  token: string
  http: PlatformHttp
  readRender: ReadRender
  /** ISO. */
  now: string
}

export interface Publisher<State extends PostingState = PostingState> {
  platform: PlatformId
  /** Whether the platform takes such a post, by its documented limits: what can be known without asking it. */
  validate(post: Post, account: PostingAccount): { code: PostRefusalCode; message: string } | null
  initialState(post: Post): State
  /** Whether this step may make the post appear. */
  mayPublish(state: State): boolean
  /** Of a step that may publish: whether it surely does not yet, being a part of an upload that is not the last. */
  isPartialUpload?(state: State, post: Post): boolean
  /** One step: a few requests at most, no loop, no wait. What it throws is `NotSent` or `NoAnswer`, or a fault of ours. */
  step(state: State, context: PublishContext): Promise<StepOutcome<State>>
  reconcile(state: State, context: PublishContext): Promise<PostLookup<State>>
}

/** Where a platform is: data, so that a sandbox takes its place without a branch. */
export type PlatformUrls = Readonly<Record<string, string>>
