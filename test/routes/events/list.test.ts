/** GET /events: the journal of a workspace, its cursor and its long poll. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { eventTypes } from '../../../lib/domain/records/event.ts'
import { waitsMax } from '../../../lib/domain/workspaces/plan.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { acquireWaitPermit, releaseWaitPermit } from '../../../lib/store/wait-permits.ts'
import { givenWebhook } from '../../support/given/webhooks.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { commitVideoEvent, dispatchAll, onlyDelivery } from '../../workers/support/run-workers.ts'
import { rule } from '../rules/rule.ts'

const get = (query: string, { apiKey }: Pick<World, 'apiKey'>) => callApi('GET', `/events${query}`, { key: apiKey })

/** A workspace whose journal has these many events. */
async function worldWithEvents(count: number): Promise<World> {
  const world = await newWorld()
  for (let index = 0; index < count; index++)
    await commitVideoEvent(world.workspaceId, index % 2 === 0 ? 'video.created' : 'video.render_completed')
  await dispatchAll(world.workspaceId)
  return world
}

const numbersOf = ({ body }: { body: { data: { sequence: number }[] } }) => body.data.map(({ sequence }) => sequence)

describe('the events of a workspace', () => {
  rule(['journal.payload', 'journal.order'], async () => {
    const world = await newWorld()
    await givenWebhook(world, { events: ['video.created'] })
    const event = await commitVideoEvent(world.workspaceId)
    const later = await commitVideoEvent(world.workspaceId, 'video.render_completed')
    await dispatchAll(world.workspaceId)
    const { status, body } = await get('', world)
    expect(status).toBe(200)
    expectMatchesOpenApi('GET', '/events', 200, body)
    const { payload } = await onlyDelivery(world.workspaceId)
    expect(body.data[0]).toEqual({ id: event.id, ...JSON.parse(payload) })
    expect(body.data).toMatchObject([{ sequence: 1 }, { sequence: 2, id: later.id, event: 'video.render_completed' }])
    expect(body.paging).toEqual({ limit: 50, nextAfter: 2, lastSequence: 2, missed: false })
  })

  rule('journal.cursor', async () => {
    const world = await worldWithEvents(5)
    const pages = [
      await get('?limit=2', world),
      await get('?limit=2&after=2', world),
      await get('?limit=2&after=4', world),
    ]
    expect(pages.map(numbersOf)).toEqual([[1, 2], [3, 4], [5]])
    expect(pages.map(({ body }) => body.paging.nextAfter)).toEqual([2, 4, 5])
    expect((await get('?after=5', world)).body).toMatchObject({ data: [], paging: { nextAfter: 5, lastSequence: 5 } })
  })

  rule('journal.now', async () => {
    const world = await worldWithEvents(3)
    const { lastSequence } = (await get('?limit=1', world)).body.paging
    await commitVideoEvent(world.workspaceId)
    await dispatchAll(world.workspaceId)
    expect(numbersOf(await get(`?after=${lastSequence}`, world))).toEqual([4])
  })

  rule('journal.types', async () => {
    const world = await worldWithEvents(4)
    expect(numbersOf(await get('?types=video.render_completed', world))).toEqual([2, 4])
    expect(numbersOf(await get('?types=video.created,%20video.render_completed', world))).toEqual([1, 2, 3, 4])
    expect((await get('?types=video.scheduled', world)).body.paging).toMatchObject({ nextAfter: 4, lastSequence: 4 })
    expect(numbersOf(await get('?types=', world))).toEqual([1, 2, 3, 4])
    const { status, body } = await get('?types=video.created,video.filmed', world)
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: 'query.types', message: `must be events, separated by commas: ${eventTypes.join(', ')}` }],
    ])
  })

  rule('journal.pure', async () => {
    const world = await worldWithEvents(2)
    await commitVideoEvent(world.workspaceId)
    const rows = () =>
      Promise.all([keys.event(world.workspaceId, ''), keys.outbox(world.workspaceId, '')].map(({ pk }) => rowsOf(pk)))
    const before = await rows()
    expect(numbersOf(await get('', world))).toEqual([1, 2])
    expect(numbersOf(await get('', world))).toEqual([1, 2])
    expect(await rows()).toEqual(before)
  })

  it('200: empty in a new workspace, whatever happens in another one', async () => {
    await worldWithEvents(1)
    expect((await get('', await newWorld())).body).toEqual({
      data: [],
      paging: { limit: 50, nextAfter: 0, lastSequence: 0, missed: false },
    })
  })

  it('401: no key', async () => {
    expect(await callApi('GET', '/events')).toMatchObject(expectedError(401, 'unauthorized'))
  })

  it('200: a cursor that no event has had, as from another workspace, goes on at the end and says so', async () => {
    const world = await worldWithEvents(2)
    const { body } = await get('?after=3', world)
    expect(body).toMatchObject({ data: [], paging: { nextAfter: 2, lastSequence: 2, missed: true } })
    expect((await get('?after=7', await newWorld())).body.paging).toMatchObject({ nextAfter: 0, missed: true })
  })

  it.each(['limit=0', 'limit=101', 'wait=21', 'wait=-1', 'after=-1', 'after=1.5', 'after=1000000000000000'])(
    '400: %s',
    async (query) => {
      const { status, body } = await get(`?${query}`, await newWorld())
      expect([status, body.error.code, body.error.details[0].path]).toEqual([
        400,
        'invalid-request',
        `query.${query.split('=')[0]}`,
      ])
    },
  )
})

describe('waiting', () => {
  rule('journal.wait', async () => {
    const world = await worldWithEvents(1)
    const asked = Date.now()
    const waiting = get('?after=1&wait=20', world)
    await commitVideoEvent(world.workspaceId)
    await dispatchAll(world.workspaceId)
    expect(numbersOf(await waiting)).toEqual([2])
    expect(Date.now() - asked).toBeLessThan(15_000)
  })

  rule('journal.wait.end', async () => {
    const world = await worldWithEvents(1)
    const asked = Date.now()
    const { status, body } = await get('?after=1&wait=1', world)
    expect([status, body.data, body.paging.nextAfter]).toEqual([200, [], 1])
    expect(Date.now() - asked).toBeGreaterThanOrEqual(1_000)
  })

  rule('journal.wait.limit', async () => {
    const world = await worldWithEvents(1)
    const { workspaceId } = world
    const holders = Array.from({ length: waitsMax }, (_, index) => ({
      id: `run_${index}`,
      expiresAt: secondsAfter(now(), 60),
    }))
    for (const holder of holders) expect(await acquireWaitPermit(workspaceId, holder, waitsMax, now())).toBe(true)
    const refused = await get('?after=1&wait=1', world)
    expect([refused.status, refused.body.error.code, refused.headers.get('Retry-After')]).toEqual([
      429,
      'rate-limited',
      '5',
    ])
    // What need not wait, is not refused.
    expect(numbersOf(await get('?wait=20', world))).toEqual([1])
    expect((await get('?after=1', world)).status).toBe(200)
    await releaseWaitPermit(workspaceId, holders[0]!)
    expect((await get('?after=1&wait=1', world)).status).toBe(200)
    expect((await get('?after=1&wait=1', world)).status).toBe(200)
  })
})

async function rowsOf(pk: string): Promise<unknown> {
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true }
  return (await table.send(new QueryCommand({ TableName: tableName(), ...query }))).Items
}
