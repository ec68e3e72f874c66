/** Errors of connecting an account: rejected grants, and refusals that ask the user to connect again. */
import { type PlatformId, platformName } from '../domain/core/platform.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { truncate } from '../domain/core/text.ts'

/** The platform rejects the authorization code or refresh token: the user has to consent again. */
export class GrantRefused extends Error {
  override name = 'GrantRefused'
}

/** A refusal that asks the user to connect the account (again); `message` says why. */
export const connectionRefused = (message: string) =>
  new Refusal('warning-publish-auth', truncate(message), { action: 'connect' })

/** For codes that were used, expired or forged. The platform's message may be shown. */
export const authorizationCodeRefused = (platform: PlatformId, { message }: GrantRefused) =>
  connectionRefused(`${platformName(platform)} refuses to connect the account: ${message.replace(/\.?$/, '.')}`)

/** Users may grant fewer scopes than requested, but publishing needs all of them. */
export function requireScopes(platform: PlatformId, wanted: readonly string[], granted: readonly string[]): void {
  const missing = wanted.filter((scope) => !granted.includes(scope))
  if (missing.length === 0) return
  throw connectionRefused(
    `Publishing on ${platformName(platform)} also needs the permission ${missing.join(', ')}: connect again and grant it.`,
  )
}
