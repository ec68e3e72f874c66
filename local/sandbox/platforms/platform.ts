// What a platform of the sandbox is made of: where its hosts are, its calls, and its way of saying no. Each is written from the
// platform's own documents; what the documents do not name is refused, so that an adapter that drifts is found out.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { PlatformUrls } from '../../../lib/platforms/publisher.ts'
import type { TokenTrouble } from '../server/access-tokens.ts'
import type { SandboxClock } from '../server/clock.ts'
import type { Media } from '../server/media-store.ts'
import type { Ledger } from '../server/published-posts.ts'
import type { Ask } from '../server/request.ts'
import type { Records } from '../server/store.ts'

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text is sent as it is. */
  readonly body?: object | string
}

export const answer = (status: number, body?: object | string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  ...(body !== undefined && { body }),
})

/** Thrown by a call that answers with a refusal. */
export class Said extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`The platform answers ${answer.status}.`)
    this.answer = answer
  }
}

export interface Call {
  /** What the fault plan and the journal call it: one word, unique within the platform. */
  readonly op: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From the root of the sandbox; `{name}` stands for one segment and is found in `ask.params`. */
  readonly path: string
  /** Whether the frame looks for a valid token before `answer` runs; then `ask.user` is whose it is. */
  readonly needsToken: boolean
  answer(ask: Ask): Answer | Promise<Answer>
}

export interface SandboxPlatform {
  readonly id: PlatformId
  /** The addresses that its publisher and its connector take, by role; `base` is where the sandbox is, without a slash at the end. */
  urls(base: string): PlatformUrls
  readonly calls: readonly Call[]
  /** How long an access token lives; null for those that do not end by themselves. */
  readonly tokenSeconds: number | null
  /** Where it looks for the token of a request; `Authorization: Bearer` when absent. */
  tokenOf?(ask: Ask): string | undefined
  /** In its own words. */
  readonly says: {
    /** Its servers are in trouble. */
    failure(status: number): Answer
    unauthorised(why: TokenTrouble): Answer
    rateLimited(seconds: number): Answer
    /** The request is none that the documents describe. */
    malformed(message: string): Answer
  }
}

/** What all platforms stand on. */
export interface Ground {
  readonly clock: SandboxClock
  readonly ledger: Ledger
  readonly media: Media
  readonly records: Records
}

export type MakePlatform = (ground: Ground) => SandboxPlatform
