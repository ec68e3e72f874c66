/** Does what an outbox row wants done. The stream wakes this within moments, the sweeper where a wake-up was lost. */
import { eventEnvelope } from '../api/views.ts'
import { startPipeline } from '../aws/pipelines.ts'
import { now } from '../clock.ts'
import { log } from '../log.ts'
import { mediaUrl } from '../media-url.ts'
import type { Key } from '../store/keys.ts'
import { deleteOutboxRow, findOutboxRow, takeEvent } from '../store/outbox.ts'
import { purgeVideo } from './purge-video.ts'

/** Harmless to repeat: an execution has the name of its run, and an event is taken once. */
export async function dispatch(key: Key): Promise<void> {
  const row = await findOutboxRow(key)
  if (!row) return
  if (row.kind === 'start') {
    await startPipeline(row.workspaceId, row.start)
    await deleteOutboxRow(key)
    return
  }
  if (row.kind === 'purge') return purgeVideo(key, row)
  if (row.takenAt) return
  const payload = JSON.stringify(eventEnvelope(row.workspaceId, row.event, mediaUrl))
  await takeEvent(key, payload, now())
  log.info('event.taken', { workspaceId: row.workspaceId, event: row.event.type, eventId: row.event.id })
}
