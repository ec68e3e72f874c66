/** URL overrides of this deployment, such as a sandbox. */
import * as v from 'valibot'
import type { PlatformId } from '../domain/core/platform.ts'
import { env } from '../env.ts'
import type { PlatformUrls } from './publisher.ts'

const urlsOfPlatforms = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.record(v.string(), v.string())))

/** The overrides in the environment; a role that is missing keeps the platform's default URL. */
export const urlOverridesOf = (platform: PlatformId): PlatformUrls =>
  v.parse(urlsOfPlatforms, env.platformUrls())[platform] ?? {}
