// Access and refresh tokens of the sandbox's users: issued on consent or by `issue`; ended by expiry on the sandbox's clock, by use or by
// revocation.

import { randomBytes } from 'node:crypto'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { SandboxClock } from './clock.ts'
import type { SandboxStore } from './store.ts'

/** A user of a platform. */
export interface SandboxUser {
  readonly externalId: string
  readonly username: string
}

export type TokenError = 'missing' | 'unknown' | 'expired' | 'revoked'

interface Token {
  readonly platform: PlatformId
  readonly user: SandboxUser
  /** Expiry in milliseconds since 1970, or null for none. */
  readonly endsAt: number | null
  readonly isRevoked: boolean
  /** Granted scopes; all if absent. */
  readonly scopes?: readonly string[] | undefined
  readonly madeAt?: number
}

/** The parameters of a new token. */
interface TokenGrant {
  platform: PlatformId
  user: SandboxUser
  /** Lifetime; null for no expiry. */
  seconds: number | null
  scopes?: readonly string[] | undefined
}

export interface SandboxTokens {
  issue(platform: PlatformId, user: SandboxUser, seconds: number | null, scopes?: readonly string[]): string
  /** The owner of the token, or the error. */
  verify(platform: PlatformId, token: string | undefined): SandboxUser | TokenError
  /** The scopes of a valid token. */
  permits(token: string, scope: string): boolean
  scopesOf(token: string): readonly string[] | undefined
  /** In seconds. */
  ageOf(token: string): number
  /** Issues a refresh token. */
  issueRefreshToken(granting: TokenGrant): string
  /** The grant of a refresh token, or undefined if it is not valid; `isSpent` invalidates it. */
  redeem(platform: PlatformId, token: string, isSpent: boolean): Omit<TokenGrant, 'seconds'> | undefined
  /** The user name of an account that was ever connected. */
  usernameOf(platform: PlatformId, externalId: string): string | undefined
  expire(token: string): void
  /** Revokes the consent behind a token: all tokens of its owner become invalid. */
  revoke(token: string): void
}

export function openSandboxTokens(records: SandboxStore, clock: SandboxClock): SandboxTokens {
  const tokens = records.collection<Token>('token')
  const refreshTokens = records.collection<Token>('refresh-token')
  const newToken = ({ platform, user, seconds, scopes }: TokenGrant): Token => {
    const at = clock.now()
    return {
      platform,
      user,
      endsAt: seconds === null ? null : at + seconds * 1000,
      isRevoked: false,
      scopes,
      madeAt: at,
    }
  }
  const isOver = ({ endsAt }: Token) => endsAt !== null && endsAt <= clock.now()
  return {
    issue(platform, user, seconds, scopes) {
      const token = newToken({ platform, user, seconds, scopes })
      const id = idOf(token)
      tokens.put(id, token)
      return id
    },
    verify(platform, id) {
      if (id === undefined) return 'missing'
      const token = tokens.get(id)
      if (token?.platform !== platform) return 'unknown'
      if (token.isRevoked) return 'revoked'
      return isOver(token) ? 'expired' : token.user
    },
    permits: (id, scope) => tokens.get(id)?.scopes?.includes(scope) ?? true,
    scopesOf: (id) => tokens.get(id)?.scopes,
    ageOf: (id) => (clock.now() - (tokens.get(id)?.madeAt ?? 0)) / 1000,
    issueRefreshToken(granting) {
      const token = newToken(granting)
      const id = idOf(token)
      refreshTokens.put(id, token)
      return id
    },
    redeem(platform, id, isSpent) {
      const token = refreshTokens.get(id)
      if (token?.platform !== platform || token.isRevoked || isOver(token)) return undefined
      if (isSpent) refreshTokens.put(id, { ...token, isRevoked: true })
      return { platform, user: token.user, scopes: token.scopes }
    },
    usernameOf: (platform, externalId) =>
      tokens.list().findLast((token) => token.platform === platform && token.user.externalId === externalId)?.user
        .username,
    expire(id) {
      const token = tokens.get(id)
      if (token) tokens.put(id, { ...token, endsAt: clock.now() })
    },
    revoke(id) {
      const token = tokens.get(id)
      if (!token) return
      const isOfOwner = ({ platform, user }: Token) =>
        platform === token.platform && user.externalId === token.user.externalId
      for (const shelf of [tokens, refreshTokens]) {
        for (const [other, one] of shelf.entries()) if (isOfOwner(one)) shelf.put(other, { ...one, isRevoked: true })
      }
    },
  }
}

/** Opaque, except on Bluesky, whose tokens contain their expiry (RFC 7519). */
function idOf({ platform, endsAt }: Token): string {
  const random = randomBytes(24).toString('base64url')
  if (platform !== 'bluesky' || endsAt === null) return random
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${part({ typ: 'JWT', alg: 'HS256' })}.${part({ exp: Math.floor(endsAt / 1000), jti: random })}.${random}`
}
