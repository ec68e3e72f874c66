/** Converts profiles to their resources, without the settings and credentials of accounts. */
import { reportedHealth } from '../../domain/accounts/account-health.ts'
import type { Account } from '../../domain/records/account.ts'
import type { Profile } from '../../domain/records/profile.ts'
import type { ProfileAccount, ProfileResource } from '../resources/profiles.ts'

export const profileView = (
  { profile, accounts }: { profile: Profile; accounts: Account[] },
  now: string,
): ProfileResource => ({
  id: profile.id,
  name: profile.name,
  description: profile.description,
  color: profile.color,
  isDefault: profile.isDefault,
  createdAt: profile.createdAt,
  accounts: accounts.map((account) => profileAccountView(account, now)),
})

const profileAccountView = (account: Account, now: string): ProfileAccount => ({
  id: account.id,
  platform: account.platform,
  username: account.username,
  displayName: account.displayName,
  pictureUrl: account.pictureUrl,
  health: reportedHealth(account, now),
})
