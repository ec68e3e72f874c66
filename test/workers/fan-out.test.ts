/** Fan-out of events into deliveries, on the real table and the real queue. */
import { SQSClient } from '@aws-sdk/client-sqs'
import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handler as dispatchOutbox } from '../../functions/workers/dispatch-outbox.ts'
import { now } from '../../lib/clock.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../lib/store/core/outbox.ts'
import { findDeliveryByKey, getDelivery, listDeliveries } from '../../lib/store/deliveries.ts'
import { findJournalEntry } from '../../lib/store/event-journal.ts'
import { getWebhook } from '../../lib/store/webhooks.ts'
import { newWorld } from '../support/world.ts'
import { useEmulators } from './support/isolated-emulators.ts'
import {
  advanceFrozenClock,
  commitVideoEvent,
  deliveryLogOf,
  dispatchAll,
  dispatchOnly,
  freezeClock,
  givenEndpoint,
  onlyDelivery,
  receiveWakeUps,
} from './support/run-workers.ts'

useEmulators()

beforeEach(() => void freezeClock())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Nothing is sent in this file. */
const url = 'http://127.0.0.1:9/hook'

const entryOf = async (workspaceId: string, eventId: string) => (await findJournalEntry(workspaceId, eventId))!

describe('an event', () => {
  it('becomes one delivery for each subscribed endpoint, all with the same bytes, and each has one message', async () => {
    const { workspaceId } = await newWorld()
    const [one, two] = [await givenEndpoint(workspaceId, url), await givenEndpoint(workspaceId, url)]
    await givenEndpoint(workspaceId, url, ['video.render_completed'])
    const event = await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    const deliveries = await deliveryLogOf(workspaceId)
    expect(deliveries.map(({ webhookId }) => webhookId).toSorted()).toEqual([one.id, two.id].toSorted())
    const { payload, sequence, deliveryIds } = await entryOf(workspaceId, event.id)
    expect(JSON.parse(payload)).toMatchObject({
      event: 'video.created',
      workspaceId,
      createdAt: event.createdAt,
      sequence,
      data: { video: { id: event.facts.video.id, title: event.facts.video.title } },
    })
    expect(deliveries.map((delivery) => delivery.payload)).toEqual([payload, payload])
    expect(deliveryIds.toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted())
    const wakes = await receiveWakeUps(workspaceId)
    expect(wakes.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(deliveryIds.toSorted())
    expect(wakes.every(({ attempt, slow }) => attempt === 0 && !slow)).toBe(true)
  })

  it('without subscribers enters the journal, and leaves the outbox', async () => {
    const { workspaceId } = await newWorld()
    const event = await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    expect(await entryOf(workspaceId, event.id)).toMatchObject({ enteredAt: now(), deliveryIds: [] })
    expect(await findOutboxRow(keys.outbox(workspaceId, event.id))).toBeUndefined()
  })

  it('is not delivered to another workspace', async () => {
    const [mine, other] = [await newWorld(), await newWorld()]
    await givenEndpoint(mine.workspaceId, url)
    await commitVideoEvent(other.workspaceId)
    await dispatchAll(other.workspaceId)
    expect(await deliveryLogOf(mine.workspaceId)).toEqual([])
  })

  it('is not delivered to an endpoint that was created after it', async () => {
    const { workspaceId } = await newWorld()
    await commitVideoEvent(workspaceId)
    // Clocks may differ by a second.
    advanceFrozenClock(1.001)
    await givenEndpoint(workspaceId, url)
    await dispatchAll(workspaceId)
    expect(await deliveryLogOf(workspaceId)).toEqual([])
  })

  it('for a failing endpoint uses a separate queue, so that the others do not wait behind it', async () => {
    const { workspaceId } = await newWorld()
    const [well, failing] = [await givenEndpoint(workspaceId, url), await givenEndpoint(workspaceId, url)]
    const before = await getWebhook(workspaceId, failing.id)
    const after = { ...before, failureCount: 5, version: before.version + 1 }
    const changes = [{ record: 'webhook' as const, before, after }]
    await commit({ workspaceId, at: now(), changes, charges: [], events: [], starts: [] })
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    const endpointOf = new Map((await deliveryLogOf(workspaceId)).map(({ id, webhookId }) => [id, webhookId]))
    const wakes = await receiveWakeUps(workspaceId)
    expect(new Map(wakes.map(({ deliveryId, slow }) => [endpointOf.get(deliveryId), slow]))).toEqual(
      new Map([
        [well.id, false],
        [failing.id, true],
      ]),
    )
  })
})

describe('an event that is fanned out again', () => {
  it('makes no second row, and wakes deliveries whose messages were not queued', async () => {
    const { workspaceId } = await newWorld()
    await givenEndpoint(workspaceId, url)
    const event = await commitVideoEvent(workspaceId)
    const queue = vi.spyOn(SQSClient.prototype, 'send').mockRejectedValue(new Error('The queue is gone.'))
    const { pk, sk } = keys.outbox(workspaceId, event.id)
    const record = { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '7' } }
    expect(await dispatchOutbox({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] })
    queue.mockRestore()
    const [delivery, entry] = [await onlyDelivery(workspaceId), await entryOf(workspaceId, event.id)]
    await givenEndpoint(workspaceId, url)
    advanceFrozenClock(5)
    await dispatchOnly(workspaceId, event.id)
    await dispatchOnly(workspaceId, event.id)
    expect(await onlyDelivery(workspaceId)).toEqual(delivery)
    expect(await entryOf(workspaceId, event.id)).toEqual(entry)
    expect((await receiveWakeUps(workspaceId)).map(({ deliveryId }) => deliveryId)).toEqual([delivery.id])
  })

  it('does not wait for one of which no payload can be made', async () => {
    const { workspaceId } = await newWorld()
    const broken = await commitVideoEvent(workspaceId)
    const key = keys.outbox(workspaceId, broken.id)
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: key,
        UpdateExpression: 'SET event.facts = :none',
        ExpressionAttributeValues: { ':none': {} },
      }),
    )
    const event = await commitVideoEvent(workspaceId)
    await dispatchOnly(workspaceId, event.id)
    expect(await entryOf(workspaceId, event.id)).toMatchObject({ id: event.id })
    const record = { dynamodb: { Keys: { pk: { S: key.pk }, sk: { S: key.sk } }, SequenceNumber: '7' } }
    expect(await dispatchOutbox({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] })
    expect(await findOutboxRow(key)).toBeDefined()
  })

  it('by ten concurrent workers makes one row per endpoint', async () => {
    const { workspaceId } = await newWorld()
    const endpoints = await Promise.all([givenEndpoint(workspaceId, url), givenEndpoint(workspaceId, url)])
    const event = await commitVideoEvent(workspaceId)
    await Promise.all(Array.from({ length: 10 }, () => dispatchOnly(workspaceId, event.id)))
    const deliveries = await deliveryLogOf(workspaceId)
    expect(deliveries.map(({ webhookId }) => webhookId).toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted())
    expect(new Set((await receiveWakeUps(workspaceId)).map(({ deliveryId }) => deliveryId)).size).toBe(2)
  })

  it('after a lost response of the table makes the same rows, and wakes them', async () => {
    const { workspaceId } = await newWorld()
    await givenEndpoint(workspaceId, url)
    const event = await commitVideoEvent(workspaceId)
    const send = table.send.bind(table) as (command: unknown) => Promise<unknown>
    const spy = vi.spyOn(table, 'send').mockImplementation((async (command: unknown) => {
      const answer = await send(command)
      if (command instanceof TransactWriteCommand) throw new Error('socket hang up')
      return answer
    }) as never)
    const { pk, sk } = keys.outbox(workspaceId, event.id)
    const record = { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '7' } }
    expect(await dispatchOutbox({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] })
    spy.mockRestore()
    const delivery = await onlyDelivery(workspaceId)
    expect(await receiveWakeUps(workspaceId)).toEqual([])
    expect(await dispatchOutbox({ Records: [record] })).toEqual({ batchItemFailures: [] })
    expect(await onlyDelivery(workspaceId)).toEqual(delivery)
    expect(await receiveWakeUps(workspaceId)).toMatchObject([{ deliveryId: delivery.id, attempt: 0 }])
  })
})

describe('the event log', () => {
  const days = (count: number) => count * 24 * 60 * 60

  it('keeps an event for seven days, and no longer even if the table has not deleted it yet', async () => {
    const { workspaceId } = await newWorld()
    await givenEndpoint(workspaceId, url)
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    const { id, createdAt } = await onlyDelivery(workspaceId)
    const key = keys.delivery(workspaceId, id)
    expect(await findDeliveryByKey(key)).toMatchObject({
      expiresAt: Math.floor(Date.parse(secondsAfter(createdAt, days(7))) / 1000),
    })
    const at = (seconds: number) => secondsAfter(createdAt, days(7) + seconds)
    const page = { limit: 10, offset: 0 }
    expect(await listDeliveries(workspaceId, {}, page, at(-0.001))).toMatchObject({ total: 1, deliveries: [{ id }] })
    expect(await getDelivery(workspaceId, id, at(-0.001))).toMatchObject({ id })
    expect(await listDeliveries(workspaceId, {}, page, at(0.001))).toEqual({ total: 0, deliveries: [] })
    await expect(getDelivery(workspaceId, id, at(0.001))).rejects.toMatchObject({ code: 'not-found' })
    expect(await findDeliveryByKey(key)).toMatchObject({ id })
  })

  it('keeps an event longer than its deliveries, so that it is not fanned out a second time', async () => {
    const { workspaceId } = await newWorld()
    const event = await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    const { Item } = await table.send(
      new GetCommand({ TableName: tableName(), Key: keys.event(workspaceId, event.id) }),
    )
    expect(Item!.expiresAt).toBeGreaterThan(Date.parse(secondsAfter(event.createdAt, days(7))) / 1000)
  })
})
