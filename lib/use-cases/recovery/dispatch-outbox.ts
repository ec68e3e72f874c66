/** Does what an outbox row wants done. The stream wakes this within moments, the sweeper where a wake-up was lost. */
import { startPipeline } from '../../aws/pipelines.ts'
import { wakeAutomationAt } from '../../aws/slot-schedules.ts'
import { now } from '../../clock.ts'
import { secondsBetween } from '../../domain/core/time.ts'
import { measure } from '../../metrics.ts'
import type { Key } from '../../store/core/keys.ts'
import { deleteOutboxRow, findOutboxRow } from '../../store/core/outbox.ts'
import type { OutboxRow } from '../../store/core/outbox-row.ts'
import { lookAfterAutomation, nudgeAutomations } from '../automations/reconcile-automation.ts'
import { purgeVideo } from '../videos/purge-video.ts'
import { dropDeliveries } from '../webhooks/drop-deliveries.ts'
import { fanOut, wakeFirst } from '../webhooks/fan-out-event.ts'

/** Harmless to repeat: whatever is done has the name of its cause. */
export async function dispatch(key: Key): Promise<void> {
  const row = await findOutboxRow(key)
  if (row && isNew(row)) measure({ name: 'OutboxAge', value: secondsBetween(row.createdAt, now()) })
  if (row?.kind === 'event') return fanOut(key, row)
  if (row?.kind === 'purge') return purgeVideo(key, row)
  if (row?.kind === 'drop') return dropDeliveries(key, row)
  if (!row) return
  await act(row)
  await deleteOutboxRow(key)
}

/** Told events stay for a while, and a removal is looked at a second time. */
const isNew = (row: OutboxRow) => !('takenAt' in row && row.takenAt) && !('purgedAt' in row && row.purgedAt)

/** What is done when it was done once. */
function act(row: Extract<OutboxRow, { kind: 'start' | 'wake' | 'nudge' | 'alarm' }>): Promise<void> {
  const { workspaceId } = row
  if (row.kind === 'nudge')
    return 'automationId' in row
      ? lookAfterAutomation(workspaceId, row.automationId, row.clipId)
      : nudgeAutomations(workspaceId, row)
  // A time that has come is none that a schedule can be made for.
  if (row.kind === 'alarm')
    return row.at <= now() ? lookAfterAutomation(workspaceId, row.automationId, null) : wakeAutomationAt(row)
  if (row.kind === 'start') return startPipeline(workspaceId, row.start)
  return wakeFirst(workspaceId, [row.deliveryId], () => row.slow)
}
