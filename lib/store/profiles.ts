/** Profiles with their accounts: those of a workspace stand in one partition, a profile in front of its accounts. */
import { GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PlatformId } from '../domain/core/platform.ts'
import { platforms } from '../domain/core/platform.ts'
import { notFound } from '../domain/core/refusal.ts'
import type { Account } from '../domain/records/account.ts'
import type { Profile } from '../domain/records/profile.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import type { Row } from './core/rows.ts'
import { recordOf } from './core/rows.ts'
import { conditionFailed } from './core/write-conflict.ts'

export interface ProfileWithAccounts {
  profile: Profile
  /** In the order of the platforms. */
  accounts: Account[]
}

/** Every profile of a workspace: the default first, then in the order in which they were made. */
export async function listProfiles(workspaceId: string): Promise<ProfileWithAccounts[]> {
  // Of the characters that ids consist of, none sorts outside of these two.
  const found = grouped(await rowsBetween(workspaceId, '!', '~'))
  return found.toSorted((a, b) => Number(b.profile.isDefault) - Number(a.profile.isDefault))
}

export async function findProfile(workspaceId: string, profileId: string): Promise<ProfileWithAccounts | undefined> {
  // No letter of an id sorts before the mark between it and a platform: nobody else's rows stand in between.
  const [found] = grouped(await rowsBetween(workspaceId, profileId, keys.account('', profileId, '~').sk))
  return found
}

/** A profile by id. Another workspace's is not found, like one that never was. */
export async function getProfile(workspaceId: string, profileId: string): Promise<ProfileWithAccounts> {
  const found = await findProfile(workspaceId, profileId)
  if (!found) throw notFound('record')
  return found
}

/** The profile that is meant where none is named; undefined in a workspace without profiles. */
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

/** Where its profile is not known, those of the workspace are read. */
export const findAccountById = async (workspaceId: string, accountId: string): Promise<Account | undefined> =>
  (await listProfiles(workspaceId)).flatMap(({ accounts }) => accounts).find(({ id }) => id === accountId)

/** Tells when the account has to be connected again, as long as it is the connection that was seen. News beside the version, as progress is. */
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

async function rowsBetween(workspaceId: string, first: string, last: string): Promise<Row[]> {
  const rows: Row[] = []
  const pages = paginateQuery(
    { client: table },
    {
      TableName: tableName(),
      KeyConditionExpression: 'pk = :profiles AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':profiles': keys.profile(workspaceId, '').pk,
        ':first': first,
        ':last': last,
      },
      ConsistentRead: true,
    },
  )
  for await (const { Items = [] } of pages) rows.push(...(Items as Row[]))
  return rows
}

/** Rows in the order of their keys, by profile. */
function grouped(rows: Row[]): ProfileWithAccounts[] {
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
