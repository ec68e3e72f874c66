/** Stored outcomes of slots. */
import { expect, it } from 'vitest'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import type { SlotRecord } from '../../lib/domain/records/slot.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { deleteSlotRecords, listSlotRecords, slotRecordRow } from '../../lib/store/slot-records.ts'
import { putRows } from '../support/given/legacy-rows.ts'

it('slots that an earlier version stored under their names are listed by date among the others, and expire with them', async () => {
  const [workspaceId, automationId] = ['wsp', 'vid'].map((kind) => mintId(kind as 'vid', '2026-11-04T12:00:00.000Z'))
  const slot = (date: string): SlotRecord => {
    const at = `${date}T09:00:00.000Z`
    return { automationId: automationId!, date, index: 0, at, outcome: 'published', clipId: 'vid_1', decidedAt: at }
  }
  const olderRow = (date: string) => ({
    ...slotRecordRow(workspaceId!, slot(date)),
    ...keys.slot(workspaceId!, automationId!, date, '0', ''),
    sk: `SLOT#${date}#0`,
  })
  await putRows([
    olderRow('2026-11-01'),
    olderRow('2026-11-02'),
    ...['2026-11-03', '2026-11-04'].map((date) => slotRecordRow(workspaceId!, slot(date))),
  ])
  const dates = ['2026-11-04', '2026-11-03', '2026-11-02', '2026-11-01']
  expect(await listSlotRecords(workspaceId!, automationId!, 10)).toEqual(dates.map(slot))
  await deleteSlotRecords(workspaceId!, automationId!)
  expect(await listSlotRecords(workspaceId!, automationId!, 10)).toEqual([])
})
