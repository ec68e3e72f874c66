/**
 * Performs the side effect of an outbox row. Called by the worker `dispatch-outbox` from the table's stream within
 * moments, and by the sweeper for rows whose wake-up was lost.
 */
import { createSlotSchedule } from '../../aws/slot-schedules.ts'
import { now } from '../../clock.ts'
import { secondsBetween } from '../../domain/core/time.ts'
import { emitMetric } from '../../metrics.ts'
import type { Key } from '../../store/core/keys.ts'
import { deleteOutboxRow, findOutboxRow } from '../../store/core/outbox.ts'
import type { OutboxRow } from '../../store/core/outbox-row.ts'
import { fanOutWakeUps, reconcileAutomation } from '../automations/reconcile-automation.ts'
import { purgeVideo } from '../videos/purge-video.ts'
import { replaceEndedRuns, startRun } from '../videos/start-runs.ts'
import { dropDeliveries } from '../webhooks/drop-deliveries.ts'
import { enqueueFirstAttempts, fanOutEvent } from '../webhooks/fan-out-event.ts'
import { queueReplay } from '../webhooks/queue-replay.ts'

/** Idempotent: every effect is keyed by its cause. */
export async function dispatchOutboxRow(key: Key): Promise<void> {
  const row = await findOutboxRow(key)
  if (row && isNew(row)) emitMetric({ name: 'OutboxAge', value: secondsBetween(row.createdAt, now()) })
  if (row?.kind === 'event') return isNew(row) ? fanOutEvent(row) : undefined
  if (row?.kind === 'purge') return purgeVideo(key, row)
  if (row?.kind === 'drop') return dropDeliveries(key, row)
  if (row?.kind === 'start') return startRun(row.workspaceId, row.start, key)
  if (!row) return
  await performOnce(row)
  await deleteOutboxRow(key)
}

/** An earlier version retained the rows of dispatched events, and a purge has several passes. */
const isNew = (row: OutboxRow) => {
  if (row.kind === 'event') return !row.takenAt
  return row.kind !== 'purge' || !(row.begunAt || row.purgedAt)
}

/** Effects after which the row is deleted. */
async function performOnce(
  row: Extract<OutboxRow, { kind: 'wake' | 'replay' | 'nudge' | 'alarm' | 'release' }>,
): Promise<void> {
  const { workspaceId } = row
  if (row.kind === 'nudge')
    return 'automationId' in row
      ? reconcileAutomation(workspaceId, row.automationId, row.clipId)
      : fanOutWakeUps(workspaceId, row)
  // No schedule can be created for a time in the past.
  if (row.kind === 'alarm')
    return row.at <= now() ? reconcileAutomation(workspaceId, row.automationId, null) : createSlotSchedule(row)
  if (row.kind === 'replay') return queueReplay(row)
  if (row.kind === 'release') return replaceEndedRuns(workspaceId, row.runIds)
  if (row.kind === 'wake') return enqueueFirstAttempts(workspaceId, [row.deliveryId], () => row.slow)
  // A newer version wrote it before a rollback. It is kept, and due again and again, for the version that knows it.
  throw new Error(`This version does not know the outbox row kind ${(row as { kind: string }).kind}.`)
}
