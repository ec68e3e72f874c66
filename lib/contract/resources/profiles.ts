/** Schemas of profiles and their accounts in responses. */
import * as v from 'valibot'
import { reportedHealths } from '../../domain/accounts/account-health.ts'
import { accountNameLengthMax } from '../../domain/accounts/account-lifecycle.ts'
import {
  profileColor,
  profileDescriptionLengthMax,
  profileNameLengthMax,
} from '../../domain/accounts/create-profile.ts'
import { boundedText, listOf } from '../../domain/core/bounded.ts'
import { platforms } from '../../domain/core/platform.ts'
import { recordId, timestamp, url } from '../schemas.ts'

export const profileAccount = v.object({
  id: recordId,
  platform: v.picklist(platforms.map(({ id }) => id)),
  username: boundedText(accountNameLengthMax),
  displayName: boundedText(accountNameLengthMax),
  pictureUrl: v.nullable(url),
  health: v.pipe(
    v.picklist(reportedHealths),
    v.description(
      '`expiring`: posting works, but the account must be reconnected within seven days. `expired`: posting fails until the account is reconnected.',
    ),
  ),
})
export type ProfileAccount = v.InferOutput<typeof profileAccount>

export const profile = v.object({
  id: recordId,
  name: boundedText(profileNameLengthMax),
  description: boundedText(profileDescriptionLengthMax),
  color: v.pipe(v.string(), v.regex(profileColor)),
  isDefault: v.boolean(),
  createdAt: timestamp,
  /** One for each platform. */
  accounts: listOf(profileAccount, platforms.length),
})
export type ProfileResource = v.InferOutput<typeof profile>
