/** Profiles and their accounts as clients see them. */
import * as v from 'valibot'
import { reportedHealths } from '../../domain/accounts/profiles.ts'
import { platforms } from '../../domain/core/platform.ts'
import { timestamp } from '../schemas.ts'

export const profileAccount = v.object({
  id: v.string(),
  platform: v.picklist(platforms.map(({ id }) => id)),
  username: v.string(),
  displayName: v.string(),
  pictureUrl: v.nullable(v.pipe(v.string(), v.url())),
  health: v.pipe(
    v.picklist(reportedHealths),
    v.description(
      '`expiring`: the account can be posted to, and has to be connected anew within seven days. `expired`: the platform refuses us until it is.',
    ),
  ),
})
export type ProfileAccount = v.InferOutput<typeof profileAccount>

export const profile = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  /** `#rrggbb`. */
  color: v.string(),
  isDefault: v.boolean(),
  createdAt: timestamp,
  accounts: v.array(profileAccount),
})
export type ProfileResource = v.InferOutput<typeof profile>
