// Adds to a platform of the sandbox what its accounts are connected by: the page for consent, tokens and who somebody is.

import type { Tokens as AccountTokens } from '../../../lib/domain/accounts/profiles.ts'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { refreshSeconds, sessionCalls } from '../platforms/bluesky/sessions.ts'
import { pageCalls, threadsCalls } from '../platforms/meta/oauth.ts'
import type { Call, Ground, SandboxPlatform } from '../platforms/platform.ts'
import type { SandboxUser, Tokens } from '../server/access-tokens.ts'
import { consentCalls, openCodes } from './authorization-endpoint.ts'
import { dialects } from './dialects.ts'
import { identityCalls } from './identities.ts'
import { tokenCall } from './token-endpoint.ts'

/** Addresses by the roles that connectors have, below the sandbox's. */
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

export function withConnections(platform: SandboxPlatform, ground: Ground, tokens: Tokens): SandboxPlatform {
  const { id } = platform
  return {
    ...platform,
    urls: (base) => ({
      ...platform.urls(base),
      ...Object.fromEntries(Object.entries(roles[id] ?? {}).map(([role, path]) => [role, base + path])),
    }),
    calls: [...callsOf(platform, ground, tokens), ...platform.calls],
  }
}

function callsOf(platform: SandboxPlatform, ground: Ground, tokens: Tokens): Call[] {
  const { id } = platform
  const dialect = dialects[id]
  if (!dialect) return sessionCalls(tokens)
  const means = { codes: openCodes(ground, id, dialect.codeSeconds), tokens }
  return [
    ...consentCalls(ground, id, dialect, means.codes),
    ...tokenCall(platform, dialect, means),
    ...(id === 'facebook' || id === 'instagram' ? pageCalls(id, means) : []),
    ...(id === 'threads' ? threadsCalls(means) : []),
    ...identityCalls(id),
  ]
}

/** As if the user had consented to all of it: what goes with an access token. */
export function connectedWith(platform: PlatformId, user: SandboxUser, access: string, tokens: Tokens, now: number) {
  const end = (seconds: number | null) => (seconds === null ? null : new Date(now + seconds * 1000).toISOString())
  const found = platform === 'bluesky' ? { seconds: refreshSeconds } : dialects[platform]?.refresh
  const refresh: Pick<AccountTokens, 'refresh' | 'refreshEndsAt'> = found
    ? { refresh: tokens.grantRefresh({ platform, user, seconds: found.seconds }), refreshEndsAt: end(found.seconds) }
    : { refresh: null, refreshEndsAt: null }
  // Threads renews a token with itself.
  return platform === 'threads' ? { refresh: access, refreshEndsAt: end(60 * 86_400) } : refresh
}
