/**
 * After a rollback the table holds outbox rows of a newer version, of kinds that this one does not know. They are kept,
 * are a fault that turns an alarm on, and are performed by the version that knows them.
 */
import { expect, it } from 'vitest'
import { handler as dispatchOutbox } from '../../functions/workers/dispatch-outbox.ts'
import { now } from '../../lib/clock.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { dueKeys, type Key, keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../lib/store/core/outbox.ts'
import { dispatchOutboxRow } from '../../lib/use-cases/outbox/dispatch-outbox.ts'
import { type LegacyRow, putRows } from '../support/given/legacy-rows.ts'
import { newWorld } from '../support/world.ts'

/** A row as a newer version would write it, due for the sweeper. */
async function rowOfNewerVersion(): Promise<Key> {
  const { workspaceId } = await newWorld()
  const row: LegacyRow = {
    ...keys.outbox(workspaceId, 'translate#1'),
    ...dueKeys(secondsAfter(now(), -60), 'translate#1'),
    ...{ kind: 'translate', workspaceId, createdAt: now(), deliveryId: 'dlv_none', slow: false },
  }
  await putRows([row])
  return row
}

it('keeps an outbox row of an unknown kind, and reports its record as failed', async () => {
  const { pk, sk } = await rowOfNewerVersion()
  const record = { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '7' } }
  expect(await dispatchOutbox({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] })
  expect(await findOutboxRow({ pk, sk })).toMatchObject({ kind: 'translate' })
})

it('names the unknown kind', async () => {
  const key = await rowOfNewerVersion()
  await expect(dispatchOutboxRow(key)).rejects.toThrow(/kind translate/)
})
