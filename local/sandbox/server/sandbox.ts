// The interface of the sandbox; `server.ts` creates it.
import type { RequestListener } from 'node:http'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Tokens as AccountTokens } from '../../../lib/domain/records/tokens.ts'
import type { PlatformUrls } from '../../../lib/platforms/publisher.ts'
import type { RunningServer } from '../../listen.ts'
import type { SandboxPlatform } from '../platforms/platform.ts'
import type { SandboxTokens, SandboxUser } from './access-tokens.ts'
import type { SandboxClock } from './clock.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { MediaStore } from './media-store.ts'
import type { PublishedPosts } from './published-posts.ts'
import type { RequestLog } from './request-log.ts'

export interface Sandbox {
  readonly handler: RequestListener
  /** Listens on 127.0.0.1 (0: any port). `stop` of the result keeps the files. */
  start(port?: number): Promise<RunningServer>
  /** The URLs that publishers use instead of those of the platform, once the sandbox has started. */
  urlsOf(platform: PlatformId): PlatformUrls
  /** Connects an account and returns an access token with the lifetime of the platform. */
  issueToken(platform: PlatformId, user: SandboxUser): string
  /** Connects an account as if its user had consented. */
  connect(platform: PlatformId, user: SandboxUser): AccountTokens
  readonly platforms: readonly SandboxPlatform[]
  readonly publishedPosts: PublishedPosts
  readonly faults: FaultPlan
  readonly clock: SandboxClock
  readonly tokens: SandboxTokens
  readonly requestLog: RequestLog
  readonly media: MediaStore
  /** Errors of the sandbox itself, never of an emulated platform; tests check that it is empty. */
  readonly failures: unknown[]
  /** Requests whose connection was closed and that are still to be executed, with their time. */
  readonly deferred: { at: number; carryOut: () => Promise<unknown> }[]
  /** Executes deferred requests that are due; every request does so first. */
  runDeferred(): Promise<void>
}
