// Adds OAuth to a platform of the sandbox: the consent page, the token endpoint and the identity of accounts.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Tokens as AccountTokens } from '../../../lib/domain/records/tokens.ts'
import { refreshSeconds, sessionOperations } from '../platforms/bluesky/sessions.ts'
import { pageOperations, threadsOperations } from '../platforms/meta/oauth.ts'
import type { Operation, SandboxDeps, SandboxPlatform } from '../platforms/platform.ts'
import type { SandboxTokens, SandboxUser } from '../server/access-tokens.ts'
import { authorizationOperations, openAuthorizationCodes } from './authorization-endpoint.ts'
import { dialects } from './dialects.ts'
import { identityOperations } from './identities.ts'
import { tokenOperation } from './token-endpoint.ts'

/** OAuth URLs by role, relative to the origin of the sandbox. */
const roles: Partial<Record<PlatformId, Record<string, string>>> = {
  tiktok: { authorize: dialects.tiktok!.authorizePath },
  youtube: { authorize: dialects.youtube!.authorizePath, token: dialects.youtube!.tokenPath! },
  instagram: { authorize: dialects.instagram!.authorizePath },
  facebook: { authorize: dialects.facebook!.authorizePath },
  threads: { authorize: dialects.threads!.authorizePath, tokens: '/threads/tokens' },
  twitter: { authorize: dialects.twitter!.authorizePath },
  linkedin: { site: '/linkedin/www' },
  pinterest: { authorize: dialects.pinterest!.authorizePath },
  reddit: { site: '/reddit/www' },
}

export function withOAuth(platform: SandboxPlatform, ground: SandboxDeps, tokens: SandboxTokens): SandboxPlatform {
  const { id } = platform
  return {
    ...platform,
    urls: (base) => ({
      ...platform.urls(base),
      ...Object.fromEntries(Object.entries(roles[id] ?? {}).map(([role, path]) => [role, base + path])),
    }),
    operations: [...callsOf(platform, ground, tokens), ...platform.operations],
  }
}

function callsOf(platform: SandboxPlatform, ground: SandboxDeps, tokens: SandboxTokens): Operation[] {
  const { id } = platform
  const dialect = dialects[id]
  if (!dialect) return sessionOperations(tokens)
  const means = { codes: openAuthorizationCodes(ground, id, dialect.codeSeconds), tokens }
  return [
    ...authorizationOperations(ground, id, dialect, means.codes),
    ...tokenOperation(platform, dialect, means),
    ...(id === 'facebook' || id === 'instagram' ? pageOperations(id, means) : []),
    ...(id === 'threads' ? threadsOperations(means) : []),
    ...identityOperations(id),
  ]
}

/** The additional tokens of a user who consented to every scope. */
export function issueRefreshTokenFor(
  platform: PlatformId,
  user: SandboxUser,
  access: string,
  tokens: SandboxTokens,
  now: number,
) {
  const end = (seconds: number | null) => (seconds === null ? null : new Date(now + seconds * 1000).toISOString())
  const found = platform === 'bluesky' ? { seconds: refreshSeconds } : dialects[platform]?.refresh
  const refresh: Pick<AccountTokens, 'refresh' | 'refreshEndsAt'> = found
    ? {
        refresh: tokens.issueRefreshToken({ platform, user, seconds: found.seconds }),
        refreshEndsAt: end(found.seconds),
      }
    : { refresh: null, refreshEndsAt: null }
  // Threads refreshes an access token with itself.
  return platform === 'threads' ? { refresh: access, refreshEndsAt: end(60 * 86_400) } : refresh
}
