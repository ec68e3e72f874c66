// Connects accounts of the sandbox, so that a developer can publish without accounts on the real platforms.

import { createHash } from 'node:crypto'
import type { PlatformId } from '../lib/domain/core/platform.ts'
import { Refusal } from '../lib/domain/core/refusal.ts'
import type { Account } from '../lib/domain/records/account.ts'
import type { Tokens } from '../lib/domain/records/tokens.ts'
import { urlOverridesOf } from '../lib/platforms/urls.ts'
import { getProfile } from '../lib/store/profiles.ts'
import { storeConnectedAccount } from '../lib/use-cases/accounts/store-connected-account.ts'
import { didOf } from './sandbox/platforms/bluesky/did.ts'

/**
 * Connects a profile to an account of the sandbox, as if its user had consented; always the same account. Tokens are requested over
 * HTTP, because the sandbox may run in another process.
 */
export async function connectSandboxAccount(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
): Promise<Account> {
  const sandbox = sandboxOf(platform)
  const { profile } = await getProfile(workspaceId, profileId)
  const user = { externalId: externalIdOf(platform, profileId), username: usernameOf(platform, profile.name) }
  const response = await fetch(`${sandbox}/__sandbox/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, ...user }),
  })
  if (!response.ok) throw new Error(`The sandbox responded with ${response.status}: ${await response.text()}`)
  const tokens = (await response.json()) as Tokens
  const identity = { ...user, displayName: profile.name, pictureUrl: null }
  return storeConnectedAccount(workspaceId, profileId, platform, { identity, tokens, settings: {} })
}

/** All platforms of the sandbox share one origin. */
function sandboxOf(platform: PlatformId): string {
  const [url] = Object.values(urlOverridesOf(platform))
  if (url && URL.parse(url)?.hostname === '127.0.0.1') return new URL(url).origin
  throw new Refusal('warning-invalid-input', 'Sandbox accounts exist only in the local run.')
}

/** An id in the format of the platform, as far as publishers and the sandbox parse it. */
function externalIdOf(platform: PlatformId, profileId: string): string {
  const name = `${platform} ${profileId}`
  if (platform === 'bluesky') return didOf(name)
  const digits = String(createHash('sha256').update(name).digest().readUIntBE(0, 6))
  return platform === 'linkedin' ? `urn:li:person:${digits}` : digits
}

/** Letters and digits, which every platform accepts. */
function usernameOf(platform: PlatformId, name: string): string {
  const plain =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 16) || 'studio'
  return platform === 'bluesky' ? `${plain}.test` : plain
}
