/** The journal as dispatchers fill it that crash, repeat and overtake each other, and as clients read it that are cut off. */
import { setImmediate as turn } from 'node:timers/promises'
import { SQSClient } from '@aws-sdk/client-sqs'
import { DeleteCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { table } from '../../../lib/store/core/client.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { listPendingEvents } from '../../../lib/store/core/outbox.ts'
import { listEvents, readJournal } from '../../../lib/store/event-journal.ts'
import { givenWebhook } from '../../support/given/webhooks.ts'
import { mapConcurrently } from '../../support/map-concurrently.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { callApi, newWorld } from '../../support/world.ts'
import { commitVideoEvent, deliveryLogOf, dispatchAll } from '../../workers/support/run-workers.ts'

afterEach(() => void vi.restoreAllMocks())

/** A dispatcher with modules of its own, as another function instance has, whose writes are lost and whose answers too. */
async function crashingDispatcher(random: (below: number) => number) {
  vi.resetModules()
  const { handler } = await import('../../../functions/workers/dispatch-outbox.ts')
  const { table } = await import('../../../lib/store/core/client.ts')
  const send = table.send.bind(table) as (command: unknown) => Promise<unknown>
  vi.spyOn(table, 'send').mockImplementation((async (command: unknown) => {
    const isWrite = command instanceof TransactWriteCommand || command instanceof DeleteCommand
    const fate = isWrite ? random(8) : -1
    if (fate === 0) throw new Error('Crashed before the write.')
    const answer = await send(command)
    if (fate === 1) throw new Error('Crashed after the write.')
    return answer
  }) as never)
  return handler
}

describe('every event enters once, and after its causes', () => {
  it.each([1, 2])('whatever crashes, is redelivered or overtaken (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const world = await newWorld()
    const { workspaceId } = world
    await givenWebhook(world)
    const queue = SQSClient.prototype.send as (this: SQSClient, command: unknown) => Promise<unknown>
    vi.spyOn(SQSClient.prototype, 'send').mockImplementation(function (this: SQSClient, command: unknown) {
      return random(8) === 0 ? Promise.reject(new Error('No queue.')) : queue.call(this, command)
    } as never)
    const dispatchers = [await crashingDispatcher(random), await crashingDispatcher(random)]

    /** Records of the stream; a record leaves it when a dispatcher has reported it done, and may stay even then. */
    const stream: string[] = []
    let areCausing = true
    const chains = mapConcurrently(4, Array.from({ length: 4 }), async () => {
      const chain: string[] = []
      for (let step = 0; step < 6; step++) {
        const { id } = await commitVideoEvent(workspaceId)
        stream.push(id)
        chain.push(id)
      }
      return chain
    }).finally(() => {
      areCausing = false
    })
    const dispatching = dispatchers.map(async (dispatch) => {
      while (areCausing || stream.length > 0) {
        const batch = Array.from({ length: 1 + random(4) }, () => stream.splice(random(stream.length || 1), 1)).flat()
        if (batch.length === 0) await turn()
        const Records = batch.map((id) => recordOf(workspaceId, id))
        const { batchItemFailures } = await dispatch({ Records })
        const failed = batchItemFailures[0]?.itemIdentifier
        if (failed) stream.push(...batch.slice(batch.indexOf(failed)))
        else if (batch[0] && random(4) === 0) stream.push(batch[0])
      }
    })

    const read: string[] = []
    let after = 0
    const readOn = async () => {
      const page = await readJournal(workspaceId, { after, limit: 1 + random(5), types: [] }, now())
      expect(page.entries.map(({ sequence }) => sequence)).toEqual(page.entries.map((_, index) => after + 1 + index))
      read.push(...page.entries.map(({ id }) => id))
      after = page.nextAfter
      return page.entries.length > 0
    }
    const reading = (async () => {
      while (areCausing) await readOn()
    })()
    const caused = await chains
    await Promise.all([...dispatching, reading])
    while (await readOn());

    const all = caused.flat()
    expect(await listPendingEvents(workspaceId)).toEqual([])
    expect([read.length, new Set(read)]).toEqual([all.length, new Set(all)])
    for (const chain of caused) expect(read.filter((id) => chain.includes(id))).toEqual(chain)
    const posted = (await deliveryLogOf(workspaceId)).map(({ payload }) => JSON.parse(payload).sequence)
    expect(posted.toSorted((a, b) => a - b)).toEqual(read.map((_, index) => index + 1))
  })
})

const recordOf = (workspaceId: string, id: string) => {
  const { pk, sk } = keys.outbox(workspaceId, id)
  return { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: id } }
}

it('the list of the operator shows an event that moves from the outbox to the journal while it is read', async () => {
  const { workspaceId } = await newWorld()
  const { id } = await commitVideoEvent(workspaceId)
  const send = table.send.bind(table) as (command: unknown) => Promise<unknown>
  const sent = vi.spyOn(table, 'send').mockImplementation((async (command: unknown) => {
    const answer = await send(command)
    if (!(command instanceof QueryCommand)) return answer
    sent.mockRestore()
    await dispatchAll(workspaceId)
    return answer
  }) as never)
  expect((await listEvents(workspaceId)).map((event) => event.id)).toEqual([id])
})

it('a client gets each of 200 events once and in order across cut connections', async () => {
  const { workspaceId, apiKey: key } = await newWorld()
  const random = seededRandom(7)
  const emitting = (async () => {
    for (let batch = 0; batch < 10; batch++) {
      await mapConcurrently(4, Array.from({ length: 20 }), () => commitVideoEvent(workspaceId))
      await dispatchAll(workspaceId)
    }
  })()
  const heard: number[] = []
  let cuts = 0
  while (heard.length < 200) {
    const answer = callApi('GET', `/events?after=${heard.at(-1) ?? 0}&limit=${1 + random(30)}&wait=20`, { key })
    // The response is lost with the connection: the client only knows what it has processed.
    const isCut = random(3) === 0
    const { body } = await answer
    if (isCut) cuts++
    else heard.push(...body.data.map(({ sequence }: { sequence: number }) => sequence))
  }
  await emitting
  expect(cuts).toBeGreaterThan(0)
  expect(heard).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
})
