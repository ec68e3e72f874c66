/** The OAuth client id and secret of this deployment, by platform, from Secrets Manager. */
import * as v from 'valibot'
import { type PlatformId, platformName } from '../domain/core/platform.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { env } from '../env.ts'
import { secretReader } from './secrets.ts'

const text = v.pipe(v.string(), v.minLength(1))

/** `{ "tiktok": { "id": "…", "secret": "…" } }`, by the platform's id. */
const getOAuthClients = secretReader(
  env.platformClientsId,
  v.record(v.string(), v.object({ id: text, secret: text })),
  "platforms' clients",
)

/** Bluesky uses app passwords and has no OAuth clients. */
const platformsWithoutOAuth: readonly PlatformId[] = ['bluesky']

/**
 * Empty strings for a platform without OAuth clients. Throws a `Refusal` if the deployment is not registered with the
 * platform.
 */
export async function oauthClientOf(platform: PlatformId): Promise<{ id: string; secret: string }> {
  if (platformsWithoutOAuth.includes(platform)) return { id: '', secret: '' }
  const { [platform]: client } = await getOAuthClients()
  if (client) return client
  const message = `This deployment is not registered with ${platformName(platform)}.`
  throw new Refusal('warning-publish-not-configured', message)
}
