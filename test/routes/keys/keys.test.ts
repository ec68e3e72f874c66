/** GET, POST and DELETE /keys: keys that are managed by keys. */
import { gunzipSync } from 'node:zlib'
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { hashApiKey, isWellFormedApiKey } from '../../../lib/domain/workspaces/api-key.ts'
import { decideNewApiKey } from '../../../lib/domain/workspaces/api-key-lifecycle.ts'
import { findApiKey, revokeApiKey } from '../../../lib/store/api-keys.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newKey, newWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const create = (body: unknown, { key = world.apiKey, headers = {} } = {}) =>
  callApi('POST', '/keys', { key, body, headers })
const list = async (key = world.apiKey) => (await callApi('GET', '/keys?limit=100', { key })).body.data
const revoke = (id: string, key = world.apiKey) => callApi('DELETE', `/keys/${id}`, { key })
const statusOf = async (key: string) => (await callApi('GET', '/', { key })).status

describe('POST /keys', () => {
  it('201: the key is shown once, and takes every route but those of keys', async () => {
    const { status, body } = await create({ name: ' Console ' })
    expect(status).toBe(201)
    const { key, ...shown } = body.data
    expect(isWellFormedApiKey(key)).toBe(true)
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Console',
      scope: 'standard',
      prefix: 'rs_live_',
      lastFour: key.slice(-4),
      isCurrent: false,
      createdAt: expect.any(String),
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(await list()).toContainEqual(shown)
    expect(JSON.stringify(await list())).not.toContain(key)
    expect(await statusOf(key)).toBe(200)
    expect((await findApiKey(hashApiKey(key)))?.name).toBe('Console')
  })

  it('403: a key with the scope `standard` neither lists, creates nor revokes keys', async () => {
    const { apiKey: key, keyId } = await newKey(world.workspaceId, 'standard')
    const missing = expectedError(403, 'missing-scope')
    expect(await callApi('GET', '/keys', { key })).toMatchObject(missing)
    expect(await create({ name: 'More' }, { key })).toMatchObject(missing)
    expect(await revoke(world.keyId, key)).toMatchObject(missing)
    expect(await revoke(keyId, key)).toMatchObject(missing)
  })

  it('403: a stored response is not shown to a key with the scope `standard`', async () => {
    const headers = { 'Idempotency-Key': 'one' }
    expect((await create({ name: 'Secret' }, { headers })).status).toBe(201)
    const { apiKey: key } = await newKey(world.workspaceId, 'standard')
    expect(await create({ name: 'Secret' }, { key, headers })).toMatchObject(expectedError(403, 'missing-scope'))
  })

  it('201: a key with the scope `admin` creates others', async () => {
    const { body } = await create({ name: 'Admin', scope: 'admin' })
    expect((await create({ name: 'By it' }, { key: body.data.key })).status).toBe(201)
  })

  it('a repeat shows the same key; the stored response is encrypted', async () => {
    const own = await newWorld()
    const send = () => create({ name: 'Once' }, { key: own.apiKey, headers: { 'Idempotency-Key': 'order-1' } })
    const [first, again] = [await send(), await send()]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    const { Items } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keys.idempotency(own.workspaceId, '').pk },
      }),
    )
    expect(Items).toHaveLength(1)
    expect(gunzipSync(Items![0]!.body).toString()).toMatch(/^v1\./)
    expect(await list(own.apiKey)).toHaveLength(2)
  })

  it('400: no name, a blank one, one of 101 characters, an unknown scope', async () => {
    for (const body of [{}, { name: ' ' }, { name: 'a'.repeat(101) }, { name: 'x', scope: 'root' }])
      expect(await create(body)).toMatchObject(expectedError(400, 'invalid-request'))
  })

  it('409: the 26th key of a workspace, also under concurrent requests', async () => {
    const own = await newWorld()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create({ name: 'x' }, { key: own.apiKey })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(24)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject(expectedError(409, 'limit-reached'))
  })

  it('the key of an organization creates keys of its workspaces', async () => {
    const organization = await newWorld()
    const child = await newWorld({ organizationId: organization.workspaceId })
    const headers = { 'X-Service-Workspace': child.workspaceId }
    const { body } = await create({ name: 'For the child' }, { key: organization.apiKey, headers })
    expect((await callApi('GET', '/', { key: body.data.key })).body.data.workspace.id).toBe(child.workspaceId)
    expect(await list(organization.apiKey)).toHaveLength(1)
  })
})

describe('GET /keys', () => {
  it('200: newest first, with the key of the request and its last use', async () => {
    const own = await newWorld()
    const { body } = await create({ name: 'Second' }, { key: own.apiKey })
    const page = await callApi('GET', '/keys?limit=1', { key: own.apiKey })
    expect(page.body).toMatchObject({ data: [{ id: body.data.id }], paging: { limit: 1, offset: 0, total: 2 } })
    const [, current] = await list(own.apiKey)
    expect(current).toMatchObject({ id: own.keyId, isCurrent: true, scope: 'admin' })
    expect(Date.now() - Date.parse(current.lastUsedAt)).toBeLessThan(60_000)
  })
})

describe('DELETE /keys/{id}', () => {
  it('200: the next request with the key is refused, also one over MCP; a repeat changes nothing', async () => {
    const { body } = await create({ name: 'Claude' })
    const { id, key } = body.data
    const ping = {
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    }
    const mcp = () => callApi('POST', `/mcp?key=${key}`, ping)
    expect((await mcp()).status).toBe(200)
    const revoked = await revoke(id)
    expect(revoked).toMatchObject({ status: 200, body: { data: { id, lastUsedAt: expect.any(String) } } })
    expect([await statusOf(key), (await mcp()).status]).toEqual([401, 401])
    expect((await revoke(id)).body).toEqual(revoked.body)
    expect(await list()).toContainEqual(revoked.body.data)
  })

  it('a revoked key expires from the table', async () => {
    const { body } = await create({ name: 'Old' })
    await revoke(body.data.id)
    const Key = keys.apiKey(hashApiKey(body.data.key))
    const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key }))
    expect(Item!.expiresAt * 1_000 - Date.now()).toBeGreaterThan(89 * 24 * 60 * 60 * 1_000)
  })

  it('409: the key of the request; 404: a key of another workspace', async () => {
    expect(await revoke(world.keyId)).toMatchObject(expectedError(409, 'conflict'))
    expect(await statusOf(world.apiKey)).toBe(200)
    const other = await newWorld()
    expect(await revoke(other.keyId)).toMatchObject(expectedError(404, 'not-found'))
  })

  it('of two keys that revoke each other at once, one stays', async () => {
    const own = await newWorld()
    const other = await newKey(own.workspaceId)
    const answers = await Promise.all([revoke(other.keyId, own.apiKey), revoke(own.keyId, other.apiKey)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})

it('a request whose key is revoked before its commit creates nothing', async () => {
  const own = await newWorld()
  const { apiKey } = await newKey(own.workspaceId)
  const acting = (await findApiKey(hashApiKey(apiKey)))!
  const created = { ...acting, id: 'key_late', hash: 'late', createdAt: now() }
  const decision = decideNewApiKey(await getWorkspace(own.workspaceId), created, acting)
  await revokeApiKey(own.workspaceId, acting.id, now())
  await expect(commit(decision)).rejects.toBeInstanceOf(WriteConflict)
  expect(await findApiKey('late')).toBeUndefined()
})
