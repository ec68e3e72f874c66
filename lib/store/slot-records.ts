/**
 * Outcomes of the slots of an automation. Each slot is decided once, so its row is written once. The key contains the
 * time, because an edited schedule may have another slot of the same date and index. Keys of older releases have no
 * time and sort in the same order.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { SlotRecord } from '../domain/records/slot.ts'
import { table, tableName } from './core/client.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { expiryOf, keys, slotPrefix, ttlAttribute } from './core/keys.ts'
import type { Row } from './core/rows.ts'
import { recordOf } from './core/rows.ts'

const retentionDays = 90

export const slotRecordRow = (workspaceId: string, slot: SlotRecord): Row => ({
  ...keys.slot(workspaceId, slot.automationId, slot.at, slot.date, String(slot.index)),
  ...slot,
  [ttlAttribute]: expiryOf(slot.decidedAt, retentionDays * 24 * 60 * 60),
})

export const deleteSlotRecords = (workspaceId: string, automationId: string): Promise<void> =>
  deleteByPrefix({ ...keys.slot(workspaceId, automationId, '', '', ''), sk: slotPrefix })

/** The latest decided slots, newest first. */
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
