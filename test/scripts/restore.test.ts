import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { tableDefinition } from '../../lib/store/core/table-definition.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { restoreCommands } from '../../scripts/admin/restore.ts'
import { givenAccount, hourSeconds, tokensFor } from '../support/given/accounts.ts'
import { callApi, newWorld } from '../support/world.ts'

const { run } = restoreCommands['table restore']!
const restore = (flags: Parameters<typeof run>[0]) => run(flags, { apiUrl: async () => '' })

/** A table next to that of the deployment, as AWS restores one to a point in time. */
async function tableBeside(rows: Record<string, unknown>[]): Promise<string> {
  const name = `restored-${mintId('run', now())}`
  await table.send(new CreateTableCommand(tableDefinition(name)))
  await Promise.all(rows.map((Item) => table.send(new PutCommand({ TableName: name, Item }))))
  return name
}

const readRow = async (key: { pk: string; sk: string }) =>
  (await table.send(new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }))).Item

describe('table restore', () => {
  it('restores the missing rows of one workspace, and leaves existing rows and other workspaces unchanged', async () => {
    const [{ workspaceId, apiKey: key }, other] = [await newWorld(), await newWorld()]
    const { data } = (await callApi('POST', '/videos', { key, body: { prompt: 'Tea' } })).body
    const video = (await readRow(keys.video(workspaceId, data.id)))!
    const meta = (await readRow(keys.workspace(workspaceId)))!
    const [lost, foreign] = [keys.video(workspaceId, 'vid_lost'), keys.video(other.workspaceId, 'vid_foreign')]
    const from = await tableBeside([{ ...meta, name: 'Older' }, video, { ...video, ...lost }, { ...video, ...foreign }])
    expect(await restore({ from, workspace: workspaceId })).toMatchObject({ read: 3, written: 1 })
    expect(await readRow(lost)).toBeDefined()
    expect(await readRow(foreign)).toBeUndefined()
    expect((await getWorkspace(workspaceId)).name).toBe('Test')
  })

  it('restores every row to its old state, if requested', async () => {
    const { workspaceId } = await newWorld()
    const meta = (await readRow(keys.workspace(workspaceId)))!
    const from = await tableBeside([{ ...meta, name: 'Older' }])
    expect(await restore({ from, rows: 'all' })).toMatchObject({ read: 1, written: 1 })
    expect((await getWorkspace(workspaceId)).name).toBe('Older')
  })

  it('never replaces newer tokens by older ones: the platform may have revoked those', async () => {
    const world = await newWorld()
    const { workspaceId, id } = await givenAccount(world, tokensFor(hourSeconds))
    const key = keys.tokens(workspaceId, id)
    const newest = (await readRow(key))!
    const gone = { ...newest, ...keys.tokens(workspaceId, 'acc_gone'), accountId: 'acc_gone' }
    const from = await tableBeside([{ ...newest, version: Number(newest.version) - 1, sealed: 'used up' }, gone])
    expect(await restore({ from, workspace: workspaceId, rows: 'all' })).toMatchObject({ read: 2, written: 1 })
    expect(await readRow(key)).toEqual(newest)
    expect(await readRow(keys.tokens(workspaceId, 'acc_gone'))).toEqual(gone)
  })

  it('restores API keys, by which their workspace is found again', async () => {
    const { workspaceId } = await newWorld()
    const row = { pk: `KEY#${mintId('key', now())}`, sk: 'KEY', listPk: `WS#${workspaceId}#KEYS`, listSk: now() }
    expect(await restore({ from: await tableBeside([row]), workspace: workspaceId })).toMatchObject({ written: 1 })
  })

  it('rejects unknown arguments before it reads', async () => {
    await expect(restore({ from: 'x', rows: 'some' })).rejects.toThrow('--rows must be one of missing, all')
    await expect(restore({})).rejects.toThrow('--from is required')
  })
})
