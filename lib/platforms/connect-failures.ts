/** What ends a connection, and whose fault it is. */
import { type PlatformId, platformName } from '../domain/core/platform.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { truncate } from '../domain/core/text.ts'

/** The platform does not take the code, or the token, that it once gave out: the user has to consent anew. */
export class GrantRefused extends Error {
  override name = 'GrantRefused'
}

/** The user has to connect the account, again or otherwise; the sentence says why. */
export const connectionRefused = (message: string) =>
  new Refusal('warning-publish-auth', truncate(message), { action: 'connect' })

/** For codes that were used, are too old or were made up. What the platform says of it may be shown. */
export const authorizationCodeRefused = (platform: PlatformId, { message }: GrantRefused) =>
  connectionRefused(`${platformName(platform)} refuses to connect the account: ${message.replace(/\.?$/, '.')}`)

/** What users allow is theirs to choose, but nothing can be published without all of it. */
export function requireScopes(platform: PlatformId, wanted: readonly string[], granted: readonly string[]): void {
  const missing = wanted.filter((scope) => !granted.includes(scope))
  if (missing.length === 0) return
  throw connectionRefused(`Publishing on ${platformName(platform)} also takes the permission ${missing.join(', ')}.`)
}
