/**
 * The command `render-batch`: renders part of a long video into the segment store, in parallel with other batches. The
 * command `render-video` then fetches and joins the segments, and renders what is missing. Optional work: it claims no
 * attempt.
 */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { reportProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import type { JobTask } from '../task.ts'
import { renderSegmentRange } from './render-composition.ts'
import { withRenderRequest } from './with-render-request.ts'

const frame = v.pipe(v.string(), v.digits(), v.transform(Number))
const range = v.tuple([frame, frame])

/** The rest is for the task that joins the segments. */
const percentMax = 90

export async function renderBatch(task: JobTask): Promise<void> {
  const { run, video, rest } = task
  const [from, to] = v.parse(range, rest)
  const { manifestKey } = video.render!
  if (!manifestKey) throw new Error(`Run ${run.runId} has no manifest.`)
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: run.videoId }
  const composition = await getJson<Composition>(manifestKey)
  // The batches advance at about the same rate, and the record keeps the highest value that any of them reports.
  const writeProgress = (percent: number) =>
    reportProgress(video, 'render', { runId: run.runId }, { progress: Math.floor((percent * percentMax) / 100) })
  await withRenderRequest(task, { owner, composition, writeProgress }, (request) =>
    renderSegmentRange(request, { from, to }),
  )
}
