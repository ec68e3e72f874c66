/** The operator's commands for profiles and the accounts in them. */

import { now } from '../../lib/clock.ts'
import { profileView } from '../../lib/contract/views/profiles.ts'
import { reportedHealth } from '../../lib/domain/accounts/account-health.ts'
import { disconnectAccount, updateAccountSettings } from '../../lib/domain/accounts/account-lifecycle.ts'
import { type PlatformId, platforms } from '../../lib/domain/core/platform.ts'
import type { Account } from '../../lib/domain/records/account.ts'
import { refuseUnknownSettings } from '../../lib/platforms/account-settings.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { retryOnConflict } from '../../lib/store/core/conflict-retry.ts'
import { findProfile, listProfiles, type ProfileWithAccounts } from '../../lib/store/profiles.ts'
import { findTokens } from '../../lib/store/tokens.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { markAccountExpired } from '../../lib/use-cases/accounts/access-token.ts'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { beginConnection, connectWithPassword } from '../../lib/use-cases/accounts/connect-account.ts'
import { connectViaZernio } from '../../lib/use-cases/accounts/connect-zernio.ts'
import { connectSandboxAccount } from '../../local/connect-sandbox-account.ts'
import { type Command, type Flags, readSecret, requireFlag } from './command.ts'
import { workspacesOf, workspaceUsage } from './workspace-flag.ts'

const oneAccount = `(--account ACCOUNT | --profile PROFILE --platform PLATFORM) ${workspaceUsage}`

export const profileCommands: Record<string, Command> = {
  'profile create': {
    usage: '--workspace WORKSPACE --name NAME [--description TEXT] [--color #RRGGBB]',
    summary: 'Creates a profile, a group of social accounts.',
    run: async (flags) => {
      const { description, color } = flags
      const profile = await addProfile(requireFlag(flags, 'workspace'), {
        name: requireFlag(flags, 'name'),
        description,
        color,
      })
      return profileView({ profile, accounts: [] }, now())
    },
  },
  'profile list': {
    usage: '--workspace WORKSPACE',
    summary: 'Lists the profiles of a workspace.',
    empty: 'No profiles.',
    run: async (flags) => {
      const { id } = await getWorkspace(requireFlag(flags, 'workspace'))
      return (await listProfiles(id)).map((profile) => profileView(profile, now()))
    },
  },
  'profile show': {
    usage: `--profile PROFILE ${workspaceUsage}`,
    summary: 'Shows a profile with its accounts.',
    run: async (flags) => profileView(await profileOf(flags), now()),
  },
  'account connect': {
    usage: `--profile PROFILE --platform PLATFORM [--sandbox | --identifier HANDLE [--service URL] (prompts for the app password) | --via zernio --identifier ZERNIO_ACCOUNT (prompts for the API key)] ${workspaceUsage}`,
    summary: 'Connects an account; for most platforms it prints the URL that the user opens.',
    run: async (flags, { apiUrl }) => {
      const platform = platformOf(flags)
      const { profile } = await profileOf(flags)
      const owner = [profile.workspaceId, profile.id] as const
      if (flags.sandbox) return accountRow(await connectSandboxAccount(...owner, platform))
      if (flags.via !== undefined) return accountRow(await connectVia(flags, owner, platform))
      if (platform !== 'bluesky') return beginConnection(...owner, platform, await apiUrl())
      const { service = null } = flags
      const identifier = requireFlag(flags, 'identifier')
      const password = await readSecret('app password')
      return accountRow(await connectWithPassword(...owner, { service, identifier, password }))
    },
  },
  'account list': {
    usage: '--workspace WORKSPACE',
    summary: 'Lists accounts with the state of their tokens.',
    empty: 'No accounts.',
    run: async (flags) => {
      const { id } = await getWorkspace(requireFlag(flags, 'workspace'))
      const accounts = (await listProfiles(id)).flatMap((profile) => profile.accounts)
      return Promise.all(accounts.map(accountListEntry))
    },
  },
  'account set': {
    usage: `${oneAccount} --setting NAME=VALUE ...`,
    summary: 'Changes settings of an account; NAME= removes one.',
    run: (flags) =>
      retryOnConflict(async () => {
        const settings = settingsOf(flags)
        const decision = updateAccountSettings(await accountOf(flags), settings, now())
        refuseUnknownSettings(decision.account.platform, settings)
        await commit(decision)
        return accountRow(decision.account)
      }),
  },
  'account expire': {
    usage: oneAccount,
    summary: 'Marks an account as expired, to test reconnecting it.',
    run: async (flags) => {
      const account = await accountOf(flags)
      await markAccountExpired(account)
      return accountRow(await accountOf({ account: account.id, workspace: account.workspaceId }))
    },
  },
  'account disconnect': {
    usage: oneAccount,
    summary: 'Disconnects an account and deletes its tokens.',
    run: (flags) =>
      retryOnConflict(async () => {
        const account = await accountOf(flags)
        await commit(disconnectAccount(account, await findTokens(account), now()))
        return { ...accountRow(account), health: 'disconnected' }
      }),
  },
}

async function profileOf(flags: Flags): Promise<ProfileWithAccounts> {
  const profileId = requireFlag(flags, 'profile')
  for (const workspaceId of await workspacesOf(flags)) {
    const found = await findProfile(workspaceId, profileId)
    if (found) return found
  }
  throw new Error(`There is no profile ${profileId}.`)
}

async function accountOf(flags: Flags): Promise<Account> {
  if (!flags.account) {
    const platform = platformOf(flags)
    const found = (await profileOf(flags)).accounts.find((account) => account.platform === platform)
    if (found) return found
    throw new Error(`The profile ${flags.profile} has no account on ${platform}.`)
  }
  for (const workspaceId of await workspacesOf(flags)) {
    const found = (await listProfiles(workspaceId)).flatMap(({ accounts }) => accounts)
    const account = found.find(({ id }) => id === flags.account)
    if (account) return account
  }
  throw new Error(`There is no account ${flags.account}.`)
}

async function connectVia(flags: Flags, owner: readonly [string, string], platform: PlatformId): Promise<Account> {
  if (flags.via !== 'zernio') throw new Error('--via must be zernio.')
  const zernioAccountId = requireFlag(flags, 'identifier')
  return connectViaZernio(...owner, platform, { key: await readSecret('key of Zernio'), zernioAccountId })
}

function platformOf(flags: Flags): PlatformId {
  const platform = platforms.find(({ id }) => id === requireFlag(flags, 'platform'))
  if (!platform) throw new Error(`--platform must be one of ${platforms.map(({ id }) => id).join(', ')}.`)
  return platform.id
}

function settingsOf({ setting = [] }: Flags): Record<string, string> {
  if (setting.length === 0) throw new Error('--setting is required.')
  return Object.fromEntries(
    setting.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw new Error('--setting must be NAME=VALUE.')
      return [name, value]
    }),
  )
}

/** With the state of its tokens: last refresh, next refresh, and when the user must reconnect. */
async function accountListEntry(account: Account) {
  const { id, profileId, platform, username, connectedAt, endsAt = null } = account
  const { storedAt: renewedAt = null, dueAt: nextLookAt = null } = (await findTokens(account)) ?? {}
  const health = reportedHealth(account, now())
  return { id, profileId, platform, username, health, connectedAt, renewedAt, nextLookAt, endsAt }
}

/** In a fixed order; without what only the store reads. */
const accountRow = (account: Account) => ({
  id: account.id,
  profileId: account.profileId,
  platform: account.platform,
  username: account.username,
  displayName: account.displayName,
  externalId: account.externalId,
  health: account.health,
  connectedAt: account.connectedAt,
  updatedAt: account.updatedAt,
  endsAt: account.endsAt,
  pictureUrl: account.pictureUrl,
  settings: account.settings,
})
