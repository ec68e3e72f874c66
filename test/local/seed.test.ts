/** The initial data of a local run, on its first start and after any earlier state. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platforms } from '../../lib/domain/core/platform.ts'
import { hashApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { TABLE_NAME } from '../../local/environment.ts'
import type { Runtime } from '../../local/runtime.ts'
import {
  callApiOf,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
} from '../pipelines/service-process.ts'

interface Profile {
  id: string
  name: string
  isDefault: boolean
  accounts: { id: string; platform: string; health: string }[]
}
const profilesOf = ({ runtime }: ServiceProcess) => callApiOf<Profile[]>(runtime, 'GET', '/profiles')

/** Sets the workspace, its key and its profile to the state of an earlier version. */
async function makeOlder({ endpoints, workspaceId, profileId, apiKey }: Runtime): Promise<void> {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig(endpoints.dynamodb)))
  await table.send(
    new UpdateCommand({
      TableName: TABLE_NAME,
      Key: keys.workspace(workspaceId),
      // Last used in an earlier month: the first charge of this one includes the missing fields.
      UpdateExpression: 'SET #month = :earlier REMOVE creditsReserved, creditsExtra, webhooksUsed',
      ExpressionAttributeNames: { '#month': 'month' },
      ExpressionAttributeValues: { ':earlier': '2020-01' },
    }),
  )
  await table.send(
    new UpdateCommand({
      TableName: TABLE_NAME,
      Key: keys.apiKey(hashApiKey(apiKey)),
      UpdateExpression: 'REMOVE #scope',
      ExpressionAttributeNames: { '#scope': 'scope' },
    }),
  )
  const Keys = [
    keys.profile(workspaceId, profileId),
    ...platforms.map(({ id }) => keys.account(workspaceId, profileId, id)),
  ]
  const gone = Keys.map((Key) => ({ DeleteRequest: { Key } }))
  await table.send(new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: gone } }))
  table.destroy()
}

describe('a local run', () => {
  const { directory, remove } = temporaryDataDirectory()
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startServiceProcess(directory)
  })
  afterAll(async () => {
    await service.stop()
    remove()
  })

  it('starts with a profile that has a connected account on each platform', async () => {
    const [profile, ...others] = await profilesOf(service)
    expect(others).toEqual([])
    expect(profile).toMatchObject({ id: service.runtime.profileId, name: 'Local', isDefault: true })
    const connected = platforms.map(({ id: platform }) => expect.objectContaining({ platform, health: 'connected' }))
    expect(profile?.accounts).toEqual(connected)
  })

  it('has accounts that the sandbox knows, also after a kill', async () => {
    const before = await profilesOf(service)
    const { endpoints } = service.runtime
    await service.kill()
    service = await startServiceProcess(directory)
    expect(service.runtime.endpoints).toEqual({ ...endpoints, credentials: service.runtime.endpoints.credentials })
    const { profileId } = service.runtime
    // Calls each platform with the token of its account.
    const { accounts } = await callApiOf<Profile>(service.runtime, 'GET', `/profiles/${profileId}?refresh=true`)
    const of = (list: Profile['accounts']) => list.map(({ id, health }) => ({ id, health }))
    expect(of(accounts)).toEqual(of(before[0]!.accounts))
    expect(new Set(accounts.map(({ health }) => health))).toEqual(new Set(['connected']))
  })

  it('adds what is missing in a directory of an earlier version', async () => {
    await makeOlder(service.runtime)
    await service.kill()
    service = await startServiceProcess(directory)
    expect((await profilesOf(service))[0]?.accounts).toHaveLength(platforms.length)
    const video = await callApiOf(service.runtime, 'POST', '/videos', { prompt: 'Three habits.' })
    expect(video).toMatchObject({ process: { status: 'QUEUED' } })
    const keysOfIt = await callApiOf<{ scope: string }[]>(service.runtime, 'GET', '/keys')
    expect(keysOfIt).toMatchObject([{ scope: 'admin', isCurrent: true }])
  })
})
