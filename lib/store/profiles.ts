/** Profiles with their accounts: one partition per workspace, each profile sorted before its accounts. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PlatformId } from '../domain/core/platform.ts'
import { platforms } from '../domain/core/platform.ts'
import { notFound } from '../domain/core/refusal.ts'
import type { Account } from '../domain/records/account.ts'
import type { Profile } from '../domain/records/profile.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { queryAll } from './core/query.ts'
import type { Row } from './core/rows.ts'
import { recordOf } from './core/rows.ts'
import { conditionFailed } from './core/write-conflict.ts'

export interface ProfileWithAccounts {
  profile: Profile
  /** In the order of the platforms. */
  accounts: Account[]
}

/** Every profile of a workspace: the default first, then by creation. */
export async function listProfiles(workspaceId: string): Promise<ProfileWithAccounts[]> {
  // All characters of ids sort between these two.
  const found = groupByProfile(await rowsBetween(workspaceId, '!', '~'))
  return found.toSorted((a, b) => Number(b.profile.isDefault) - Number(a.profile.isDefault))
}

export async function findProfile(workspaceId: string, profileId: string): Promise<ProfileWithAccounts | undefined> {
  // No character of an id sorts before the `#` of an account's key, so no other profile's rows are in this range.
  const [found] = groupByProfile(await rowsBetween(workspaceId, profileId, keys.account('', profileId, '~').sk))
  return found
}

/** A profile by id; `not-found` in another workspace. */
export async function getProfile(workspaceId: string, profileId: string): Promise<ProfileWithAccounts> {
  const found = await findProfile(workspaceId, profileId)
  if (!found) throw notFound('profile')
  return found
}

/** The default where a request names no profile; undefined in a workspace without profiles. */
export async function findDefaultProfile(workspaceId: string): Promise<ProfileWithAccounts | undefined> {
  const [first] = await listProfiles(workspaceId)
  return first
}

export async function findAccount(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
): Promise<Account | undefined> {
  const { Item } = await table.send(
    new GetCommand({
      TableName: tableName(),
      Key: keys.account(workspaceId, profileId, platform),
      ConsistentRead: true,
    }),
  )
  return Item && recordOf<Account>(Item)
}

/** Without its profile id: reads all profiles of the workspace. */
export const findAccountById = async (workspaceId: string, accountId: string): Promise<Account | undefined> =>
  (await listProfiles(workspaceId)).flatMap(({ accounts }) => accounts).find(({ id }) => id === accountId)

/**
 * Stores when the authorization of this connection ends. A best-effort update outside the record's version, as progress
 * is.
 */
export async function updateAccountExpiry(
  { workspaceId, profileId, platform, id, connectedAt }: Account,
  endsAt: string | null,
) {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.account(workspaceId, profileId, platform),
        UpdateExpression: 'SET endsAt = :endsAt',
        ConditionExpression: 'id = :id AND connectedAt = :connectedAt',
        ExpressionAttributeValues: { ':endsAt': endsAt, ':id': id, ':connectedAt': connectedAt },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}

const rowsBetween = (workspaceId: string, first: string, last: string): Promise<Row[]> =>
  queryAll<Row>({
    KeyConditionExpression: 'pk = :profiles AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':profiles': keys.profile(workspaceId, '').pk, ':first': first, ':last': last },
    ConsistentRead: true,
  })

/** `rows`: in the order of their keys. */
function groupByProfile(rows: Row[]): ProfileWithAccounts[] {
  const profiles = rows.filter((row) => row.platform === undefined)
  const accounts = rows.filter((row) => row.platform !== undefined).map((row) => recordOf<Account>(row))
  return profiles.map((row) => {
    const profile = recordOf<Profile>(row)
    return {
      profile,
      accounts: platforms.flatMap(
        ({ id }) => accounts.find(({ profileId, platform }) => profileId === profile.id && platform === id) ?? [],
      ),
    }
  })
}
