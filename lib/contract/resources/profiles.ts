/** Schemas of profiles and their accounts in responses. */
import * as v from 'valibot'
import { reportedHealths } from '../../domain/accounts/account-health.ts'
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
      '`expiring`: posting works, but the account must be reconnected within seven days. `expired`: posting fails until the account is reconnected.',
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
