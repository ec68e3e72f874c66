/** Concurrent workers on one delivery or one endpoint, workers whose lease expired, and lost responses of the table. */
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it, vi } from 'vitest'
import { handler as sweep } from '../../functions/workers/sweep.ts'
import { deliveryLeaseSeconds } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { table } from '../../lib/store/core/client.ts'
import { getWebhook } from '../../lib/store/webhooks.ts'
import { heldResponse, respondWithStatus } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { testReceiver, useEmulatorsAndReceiver } from './support/isolated-emulators.ts'
import {
  advanceFrozenClock,
  commitVideoEvent,
  deliverMessages,
  deliveryLogOf,
  dispatchAll,
  givenEndpoint,
  onlyDelivery,
  processWakeUps,
  receiveWakeUps,
} from './support/run-workers.ts'

useEmulatorsAndReceiver()

/** This many deliveries to one endpoint, and their unprocessed messages. */
async function queued(count: number) {
  const { workspaceId } = await newWorld()
  const { id } = await givenEndpoint(workspaceId, testReceiver.url)
  for (let one = 0; one < count; one++) await commitVideoEvent(workspaceId)
  await dispatchAll(workspaceId)
  const messages = (await receiveWakeUps(workspaceId)).map(({ slow: _slow, ...wake }) => JSON.stringify(wake))
  expect(messages).toHaveLength(count)
  return { workspaceId, id, messages }
}

describe('two workers with the same message', () => {
  it('send one request', async () => {
    const { workspaceId, messages } = await queued(1)
    const hold = heldResponse()
    testReceiver.answering = hold.answering
    const first = deliverMessages(messages[0]!)
    await hold.arrived
    expect(await deliverMessages(messages[0]!, messages[0]!)).toEqual([])
    hold.release(respondWithStatus(200))
    expect(await first).toEqual([])
    expect(testReceiver.posts).toHaveLength(1)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'delivered', attempts: 1 })
  })

  it('send one request even at the same moment', async () => {
    const { workspaceId, messages } = await queued(1)
    testReceiver.answering = respondWithStatus(500)
    await deliverMessages(...Array.from({ length: 10 }, () => messages[0]!))
    expect(testReceiver.posts).toHaveLength(1)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'pending', attempts: 1 })
  })
})

describe('a worker that takes longer than its lease', () => {
  it.each([
    [200, 500, 'delivered', 0],
    [500, 200, 'pending', 1],
  ])(
    'is superseded: with %i for the second and %i for the first the delivery keeps the result of the second',
    async (...row) => {
      const [second, first, status, failureCount] = row
      const { workspaceId, id, messages } = await queued(1)
      const hold = heldResponse()
      testReceiver.answering = hold.answering
      const overtaken = deliverMessages(messages[0]!)
      await hold.arrived
      advanceFrozenClock(deliveryLeaseSeconds)
      await deliverMessages(messages[0]!)
      expect(testReceiver.posts).toHaveLength(1)
      advanceFrozenClock(0.001)
      testReceiver.answering = respondWithStatus(second)
      await deliverMessages(messages[0]!)
      const left = await onlyDelivery(workspaceId)
      expect(left).toMatchObject({ status, attempts: 1, responseStatus: second })
      hold.release(respondWithStatus(first))
      expect(await overtaken).toEqual([])
      expect(testReceiver.posts).toHaveLength(2)
      expect(await onlyDelivery(workspaceId)).toEqual(left)
      expect((await getWebhook(workspaceId, id)).failureCount).toBe(failureCount)
    },
  )
})

/** From now on, `atOnce` is the most transactions that the table was working on. */
function countTransactions() {
  const send = table.send.bind(table) as (command: unknown) => Promise<unknown>
  const count = { atOnce: 0 }
  let open = 0
  vi.spyOn(table, 'send').mockImplementation((async (command: unknown) => {
    if (!(command instanceof TransactWriteCommand)) return send(command)
    count.atOnce = Math.max(count.atOnce, ++open)
    return send(command).finally(() => open--)
  }) as never)
  return count
}

describe('concurrent failures of one endpoint', () => {
  it.each([5, 20, 24])('are counted exactly: %i', async (count) => {
    const { workspaceId, id, messages } = await queued(count)
    testReceiver.answering = respondWithStatus(500)
    expect(await deliverMessages(...messages)).toEqual([])
    expect(testReceiver.posts).toHaveLength(count)
    expect(await getWebhook(workspaceId, id)).toMatchObject({ enabled: true, failureCount: count })
    expect((await deliveryLogOf(workspaceId)).map(({ attempts, status }) => [attempts, status])).toEqual(
      Array.from({ length: count }, () => [1, 'pending']),
    )
  })

  it('disable it once, with the 25th, however many are in progress', async () => {
    const { workspaceId, id, messages } = await queued(60)
    testReceiver.answering = respondWithStatus(500)
    expect(await deliverMessages(...messages)).toEqual([])
    expect(await getWebhook(workspaceId, id)).toMatchObject({ enabled: false, failureCount: 25, epoch: 1 })
    await dispatchAll(workspaceId)
    expect(await deliveryLogOf(workspaceId, { status: 'pending' })).toEqual([])
  })

  it('whose responses arrive together are committed three at a time', async () => {
    const { workspaceId, id, messages } = await queued(20)
    const hold = heldResponse()
    testReceiver.answering = hold.answering
    const delivered = deliverMessages(...messages)
    await vi.waitUntil(() => testReceiver.posts.length === 20)
    const commits = countTransactions()
    hold.release(respondWithStatus(500))
    expect(await delivered).toEqual([])
    expect(commits.atOnce).toBe(3)
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(20)
  })

  it('that disable it leave the table to others: five commits at once drop its deliveries', async () => {
    const { workspaceId, messages } = await queued(60)
    testReceiver.answering = respondWithStatus(500)
    await deliverMessages(...messages)
    const commits = countTransactions()
    await dispatchAll(workspaceId)
    expect(commits.atOnce).toBe(5)
  })

  it('mixed with successes end with the number of failures since the last success', async () => {
    const { workspaceId, id, messages } = await queued(40)
    testReceiver.answering = (post, response) =>
      respondWithStatus(testReceiver.posts.indexOf(post) % 3 ? 200 : 500)(post, response)
    expect(await deliverMessages(...messages.slice(0, 30))).toEqual([])
    testReceiver.answering = respondWithStatus(200)
    await deliverMessages(messages[30]!)
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(0)
    testReceiver.answering = respondWithStatus(500)
    await deliverMessages(...messages.slice(31))
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(9)
    expect(testReceiver.posts).toHaveLength(40)
  })
})

describe('a table that throttles writes to the endpoint', () => {
  it('is retried: an attempt that was made is recorded, not repeated', async () => {
    const { workspaceId, id, messages } = await queued(1)
    testReceiver.answering = respondWithStatus(500)
    const conflict = new TransactionCanceledException({
      message: 'cancelled',
      $metadata: {},
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    })
    const send = table.send.bind(table) as (command: unknown) => Promise<unknown>
    let conflicts = 0
    vi.spyOn(table, 'send').mockImplementation((async (command: unknown) => {
      if (command instanceof TransactWriteCommand && conflicts++ < 12) throw conflict
      return send(command)
    }) as never)
    expect(await deliverMessages(messages[0]!)).toEqual([])
    expect(testReceiver.posts).toHaveLength(1)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'pending', attempts: 1 })
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(1)
  })
})

describe('a lost response of the table', () => {
  /** The next command of this kind is executed, and then fails as if it had not been. */
  function loseAnswerOf(kind: typeof TransactWriteCommand | typeof UpdateCommand, error: Error) {
    const send = table.send.bind(table) as (command: unknown) => Promise<unknown>
    let lost = false
    vi.spyOn(table, 'send').mockImplementation((async (command: unknown) => {
      const answer = await send(command)
      if (lost || !(command instanceof kind)) return answer
      lost = true
      throw error
    }) as never)
  }
  const timeout = Object.assign(new Error('Request timed out.'), { name: 'TimeoutError' })
  /** What an SDK retry meets when the first request was executed. */
  const repeated = new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
  })

  it.each([
    [timeout, ['message-0']],
    [repeated, []],
  ])('counts the attempt once, and the sweeper wakes the next (%s)', async (error, failed) => {
    const { workspaceId, id, messages } = await queued(1)
    testReceiver.answering = respondWithStatus(500)
    loseAnswerOf(TransactWriteCommand, error)
    expect(await deliverMessages(messages[0]!)).toEqual(failed)
    // An unacknowledged message is delivered again.
    expect(await deliverMessages(messages[0]!)).toEqual([])
    expect(testReceiver.posts).toHaveLength(1)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'pending', attempts: 1 })
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(1)
    expect(await receiveWakeUps(workspaceId)).toEqual([])
    advanceFrozenClock(70)
    await sweep()
    testReceiver.answering = respondWithStatus(200)
    expect(await processWakeUps(workspaceId)).toMatchObject([{ attempt: 1, slow: true }])
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  it('to a claim leaves a lease without an owner: it expires, and the sweeper wakes a worker', async () => {
    const { workspaceId, messages } = await queued(1)
    loseAnswerOf(UpdateCommand, new ConditionalCheckFailedException({ message: 'failed', $metadata: {} }))
    expect(await deliverMessages(messages[0]!)).toEqual([])
    expect(testReceiver.posts).toHaveLength(0)
    advanceFrozenClock(61)
    await sweep()
    await processWakeUps(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'delivered', attempts: 1 })
  })

  it('to a claim that may have failed leaves the message in the queue', async () => {
    const { workspaceId, messages } = await queued(1)
    loseAnswerOf(UpdateCommand, timeout)
    expect(await deliverMessages(messages[0]!)).toEqual(['message-0'])
    advanceFrozenClock(deliveryLeaseSeconds + 1)
    expect(await deliverMessages(messages[0]!)).toEqual([])
    expect(testReceiver.posts).toHaveLength(1)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'delivered', attempts: 1 })
  })
})
