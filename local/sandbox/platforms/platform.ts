// What a platform of the sandbox is made of: where its hosts are, its calls, and its way of saying no. Each is written from the
// platform's own documents; what the documents do not name is refused, so that an adapter that drifts is found out.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { PlatformUrls } from '../../../lib/platforms/publisher.ts'
import type { TokenError } from '../server/access-tokens.ts'
import type { SandboxClock } from '../server/clock.ts'
import type { MediaStore } from '../server/media-store.ts'
import type { PublishedPosts } from '../server/published-posts.ts'
import type { SandboxRequest } from '../server/request.ts'
import type { SandboxStore } from '../server/store.ts'

export interface SandboxResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text is sent as it is. */
  readonly body?: object | string
}

export const respond = (
  status: number,
  body?: object | string,
  headers: Record<string, string> = {},
): SandboxResponse => ({
  status,
  headers,
  ...(body !== undefined && { body }),
})

/** Thrown by a call that answers with a refusal. */
export class ErrorResponse extends Error {
  readonly answer: SandboxResponse

  constructor(answer: SandboxResponse) {
    super(`The platform answers ${answer.status}.`)
    this.answer = answer
  }
}

export interface Operation {
  /** What the fault plan and the journal call it: one word, unique within the platform. */
  readonly op: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From the root of the sandbox; `{name}` stands for one segment and is found in `ask.params`. */
  readonly path: string
  /** Whether the frame looks for a valid token before `answer` runs; then `ask.user` is whose it is. */
  readonly needsToken: boolean
  handle(ask: SandboxRequest): SandboxResponse | Promise<SandboxResponse>
}

export interface SandboxPlatform {
  readonly id: PlatformId
  /** The addresses that its publisher and its connector take, by role; `base` is where the sandbox is, without a slash at the end. */
  urls(base: string): PlatformUrls
  readonly operations: readonly Operation[]
  /** How long an access token lives; null for those that do not end by themselves. */
  readonly tokenSeconds: number | null
  /** Where it looks for the token of a request; `Authorization: Bearer` when absent. */
  readToken?(ask: SandboxRequest): string | undefined
  /** In its own words. */
  readonly errors: {
    /** Its servers are in trouble. */
    failure(status: number): SandboxResponse
    unauthorised(why: TokenError): SandboxResponse
    rateLimited(seconds: number): SandboxResponse
    /** The request is none that the documents describe. */
    malformed(message: string): SandboxResponse
  }
}

/** What all platforms stand on. */
export interface SandboxDeps {
  readonly clock: SandboxClock
  readonly publishedPosts: PublishedPosts
  readonly media: MediaStore
  readonly records: SandboxStore
}

export type PlatformFactory = (ground: SandboxDeps) => SandboxPlatform
