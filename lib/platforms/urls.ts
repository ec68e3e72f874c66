/** Where the platforms are for this deployment. */
import * as v from 'valibot'
import type { PlatformId } from '../domain/core/platform.ts'
import { env } from '../env.ts'
import type { PlatformUrls } from './publisher.ts'

const urlsOfPlatforms = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.record(v.string(), v.string())))

/** The addresses that the environment names; those that it does not are the platform's own. */
export const urlOverridesOf = (platform: PlatformId): PlatformUrls =>
  v.parse(urlsOfPlatforms, env.platformUrls())[platform] ?? {}
