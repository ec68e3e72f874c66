/** Does what an outbox row wants done. The stream wakes this within moments, the sweeper where a wake-up was lost. */
import { startPipeline } from '../aws/pipelines.ts'
import type { Key } from '../store/keys.ts'
import { deleteOutboxRow, findOutboxRow, type OutboxRow } from '../store/outbox.ts'
import { dropDeliveries } from './drop-deliveries.ts'
import { fanOut, wakeFirst } from './fan-out.ts'
import { purgeVideo } from './purge-video.ts'

/** Harmless to repeat: whatever is done has the name of its cause. */
export async function dispatch(key: Key): Promise<void> {
  const row = await findOutboxRow(key)
  if (row?.kind === 'event') return fanOut(key, row)
  if (row?.kind === 'purge') return purgeVideo(key, row)
  if (row?.kind === 'drop') return dropDeliveries(key, row)
  if (!row) return
  await act(row)
  await deleteOutboxRow(key)
}

/** What is done when it was done once. */
function act(row: Extract<OutboxRow, { kind: 'start' | 'wake' }>): Promise<void> {
  const { workspaceId } = row
  if (row.kind === 'start') return startPipeline(workspaceId, row.start)
  return wakeFirst(workspaceId, [row.deliveryId], () => row.slow)
}
