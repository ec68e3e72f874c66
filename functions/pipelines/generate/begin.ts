/** Claims the run: QUEUED to PROCESSING. Returns the kind of work, the type of the video and the lane to the state machine. */

import { now } from '../../../lib/clock.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { beginProcess } from '../../../lib/domain/videos/job-transitions.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { countedBytes } from '../../../lib/store/storage-usage.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'

/** Transcoding a larger source file may take longer than a function may run. */
const functionSourceBytesMax = 64 * 1024 * 1024

export const handler = step(runInput, 'script-failed', async (run) => {
  const video = await changeVideo(run, (current) => beginProcess(current, run.runId, now()))
  const { work } = video.process!
  return { type: video.type, work, lane: work === 'ingest' ? await sourceLane(video) : 'function' }
})

async function sourceLane({ media: { sourceKey } }: Video): Promise<'function' | 'task'> {
  return sourceKey && (await countedBytes([sourceKey])) > functionSourceBytesMax ? 'task' : 'function'
}
