// The type of the sandbox network: `server.ts` creates it.
import type { RequestListener } from 'node:http'
import type { Tokens as AccountTokens } from '../../../lib/domain/accounts/profiles.ts'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
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
  /** Listens on 127.0.0.1, on any port when 0; `stop` of what it returns leaves the files where they are. */
  start(port?: number): Promise<RunningServer>
  /** What a publisher takes in the place of the platform's own addresses, once the sandbox is started. */
  urlsOf(platform: PlatformId): PlatformUrls
  /** Connects an account: an access token with the platform's own lifetime. */
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
  /** Where the sandbox itself went wrong: never a platform's fault, so tests look here. */
  readonly failures: unknown[]
  /** Requests that were cut and are yet to be carried out, and when. */
  readonly deferred: { at: number; carryOut: () => Promise<unknown> }[]
  /** Carries out those whose time has come; every request does it first. */
  runDeferred(): Promise<void>
}
