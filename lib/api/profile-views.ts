/** Profiles as their resources: neither settings nor what an account is reached with. */
import type { Account, Profile } from '../domain/profile.ts'
import type { ProfileAccount, ProfileResource } from './profile-resources.ts'

export const profileView = ({ profile, accounts }: { profile: Profile; accounts: Account[] }): ProfileResource => ({
  id: profile.id,
  name: profile.name,
  description: profile.description,
  color: profile.color,
  isDefault: profile.isDefault,
  createdAt: profile.createdAt,
  accounts: accounts.map(profileAccountView),
})

export const profileAccountView = (account: Account): ProfileAccount => ({
  id: account.id,
  platform: account.platform,
  username: account.username,
  displayName: account.displayName,
  pictureUrl: account.pictureUrl,
  health: account.health,
})
