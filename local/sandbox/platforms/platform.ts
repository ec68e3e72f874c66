// The interface of a platform of the sandbox: its URLs, operations and error formats. Each platform follows the official documentation and
// rejects anything undocumented, so that deviations of a publisher are detected.

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
  /** Sent as JSON; text is sent unchanged. */
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

/** Thrown by an operation to respond with an error. */
export class ErrorResponse extends Error {
  readonly answer: SandboxResponse

  constructor(answer: SandboxResponse) {
    super(`The platform answers ${answer.status}.`)
    this.answer = answer
  }
}

export interface Operation {
  /** Its name in the fault plan and the request log: one word, unique within the platform. */
  readonly op: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path from the root of the sandbox. `{name}` matches one segment, available in `ask.params`. */
  readonly path: string
  /** Whether the dispatcher authenticates the request before `handle` runs and sets `ask.user`. */
  readonly needsToken: boolean
  handle(ask: SandboxRequest): SandboxResponse | Promise<SandboxResponse>
}

export interface SandboxPlatform {
  readonly id: PlatformId
  /** URLs for publisher and connector by role; `base` is the origin of the sandbox, without a trailing slash. */
  urls(base: string): PlatformUrls
  readonly operations: readonly Operation[]
  /** Lifetime of an access token; null for no expiry. */
  readonly tokenSeconds: number | null
  /** Reads the token of a request; default: `Authorization: Bearer`. */
  readToken?(ask: SandboxRequest): string | undefined
  /** Errors in the format of the platform. */
  readonly errors: {
    /** A server error. */
    failure(status: number): SandboxResponse
    unauthorised(why: TokenError): SandboxResponse
    rateLimited(seconds: number): SandboxResponse
    /** The request does not match the documentation. */
    malformed(message: string): SandboxResponse
  }
}

/** Dependencies of all platforms. */
export interface SandboxDeps {
  readonly clock: SandboxClock
  readonly publishedPosts: PublishedPosts
  readonly media: MediaStore
  readonly records: SandboxStore
}

export type PlatformFactory = (ground: SandboxDeps) => SandboxPlatform
