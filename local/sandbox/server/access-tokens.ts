// Tokens of the sandbox's users: given out where a user consents or by `grant`, ended by the sandbox's clock, by their use or by the user.

import { randomBytes } from 'node:crypto'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { SandboxClock } from './clock.ts'
import type { SandboxStore } from './store.ts'

/** An account on a platform, as the platform knows it. */
export interface SandboxUser {
  readonly externalId: string
  readonly username: string
}

export type TokenError = 'missing' | 'unknown' | 'expired' | 'revoked'

interface Token {
  readonly platform: PlatformId
  readonly user: SandboxUser
  /** Milliseconds since 1970, or null for one that does not end by itself. */
  readonly endsAt: number | null
  readonly isRevoked: boolean
  /** What the user allows; all of it where nothing is said. */
  readonly scopes?: readonly string[] | undefined
  readonly madeAt?: number
}

/** What a token is given out for. */
interface TokenGrant {
  platform: PlatformId
  user: SandboxUser
  /** How long it holds; null for one that does not end by itself. */
  seconds: number | null
  scopes?: readonly string[] | undefined
}

export interface SandboxTokens {
  issue(platform: PlatformId, user: SandboxUser, seconds: number | null, scopes?: readonly string[]): string
  /** Whose it is, or what is wrong with it. */
  verify(platform: PlatformId, token: string | undefined): SandboxUser | TokenError
  /** Of a token that holds. */
  permits(token: string, scope: string): boolean
  scopesOf(token: string): readonly string[] | undefined
  /** In seconds. */
  ageOf(token: string): number
  /** One that an access token is renewed with. */
  issueRefreshToken(granting: TokenGrant): string
  /** What a refresh token stands for, or undefined where it holds no longer; with `isSpent` it is used up by it. */
  redeem(platform: PlatformId, token: string, isSpent: boolean): Omit<TokenGrant, 'seconds'> | undefined
  /** How an account that was ever connected calls itself. */
  usernameOf(platform: PlatformId, externalId: string): string | undefined
  expire(token: string): void
  /** The user takes back what the token was given for: none of its owner's tokens hold any more. */
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

/** Opaque everywhere but on Bluesky, whose tokens say themselves when they end (RFC 7519). */
function idOf({ platform, endsAt }: Token): string {
  const random = randomBytes(24).toString('base64url')
  if (platform !== 'bluesky' || endsAt === null) return random
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${part({ typ: 'JWT', alg: 'HS256' })}.${part({ exp: Math.floor(endsAt / 1000), jti: random })}.${random}`
}
