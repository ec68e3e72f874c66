/**
 * What became of the slots of an automation. Each is decided once, so its row is written once: under its time, for an edited schedule may have
 * another slot of the same name. Earlier versions wrote them under their names alone, which sort alike.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { secondsAfter } from '../domain/core/time.ts'
import type { SlotRecord } from '../domain/records/slot.ts'
import { table, tableName } from './core/client.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { keys, slotPrefix, ttlAttribute } from './core/keys.ts'
import type { Row } from './core/rows.ts'
import { recordOf } from './core/rows.ts'

const keptDays = 90

export const slotRecordRow = (workspaceId: string, slot: SlotRecord): Row => ({
  ...keys.slot(workspaceId, slot.automationId, slot.at, slot.date, String(slot.index)),
  ...slot,
  [ttlAttribute]: Math.floor(Date.parse(secondsAfter(slot.decidedAt, keptDays * 24 * 60 * 60)) / 1000),
})

export const deleteSlotRecords = (workspaceId: string, automationId: string): Promise<void> =>
  deleteByPrefix({ ...keys.slot(workspaceId, automationId, '', '', ''), sk: slotPrefix })

/** The newest slots that were decided on, newest first. */
export async function listSlotRecords(workspaceId: string, automationId: string, count: number): Promise<SlotRecord[]> {
  const { pk } = keys.slot(workspaceId, automationId, '', '', '')
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :automation AND begins_with(sk, :slots)',
      ExpressionAttributeValues: { ':automation': pk, ':slots': slotPrefix },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: count,
    }),
  )
  return Items.map((row) => {
    const { [ttlAttribute]: _until, ...slot } = recordOf<SlotRecord & Record<string, unknown>>(row)
    return slot as SlotRecord
  })
}
