// Access tokens of the sandbox's users: given out by `grant`, ended by the sandbox's clock or by the user. The pages on which users
// consent will give them out too.

import { randomBytes } from 'node:crypto'
import type { PlatformId } from '../../lib/domain/platform.ts'
import type { SandboxClock } from './clock.ts'
import type { Records } from './records.ts'

/** An account on a platform, as the platform knows it. */
export interface SandboxUser {
  readonly externalId: string
  readonly username: string
}

export type TokenTrouble = 'missing' | 'unknown' | 'expired' | 'revoked'

interface Token {
  readonly platform: PlatformId
  readonly user: SandboxUser
  /** Milliseconds since 1970, or null for one that does not end by itself. */
  readonly endsAt: number | null
  readonly isRevoked: boolean
}

export interface Tokens {
  grant(platform: PlatformId, user: SandboxUser, seconds: number | null): string
  /** Whose it is, or what is wrong with it. */
  check(platform: PlatformId, token: string | undefined): SandboxUser | TokenTrouble
  /** How an account that was ever connected calls itself. */
  usernameOf(platform: PlatformId, externalId: string): string | undefined
  expire(token: string): void
  revoke(token: string): void
}

export function openTokens(records: Records, clock: SandboxClock): Tokens {
  const tokens = records.shelf<Token>('token')
  const change = (id: string, changed: Partial<Token>) => {
    const token = tokens.get(id)
    if (token) tokens.put(id, { ...token, ...changed })
  }
  return {
    grant(platform, user, seconds) {
      const id = randomBytes(24).toString('base64url')
      const endsAt = seconds === null ? null : clock.now() + seconds * 1000
      tokens.put(id, { platform, user, endsAt, isRevoked: false })
      return id
    },
    check(platform, id) {
      if (id === undefined) return 'missing'
      const token = tokens.get(id)
      if (token?.platform !== platform) return 'unknown'
      if (token.isRevoked) return 'revoked'
      return token.endsAt !== null && token.endsAt <= clock.now() ? 'expired' : token.user
    },
    usernameOf: (platform, externalId) =>
      tokens.list().findLast((token) => token.platform === platform && token.user.externalId === externalId)?.user
        .username,
    expire: (id) => change(id, { endsAt: clock.now() }),
    revoke: (id) => change(id, { isRevoked: true }),
  }
}
