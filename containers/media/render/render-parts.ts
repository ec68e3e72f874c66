/**
 * The commands `render-batch`, `render-sound` and `render-thumbnail`: each renders a part of a video into the segment
 * store, in parallel with the others. The command `render-video` then fetches and joins the parts, and renders what is
 * missing. Optional work: they claim no attempt.
 */
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { reportBatchProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import type { JobTask } from '../task.ts'
import { renderSegmentRange, renderSoundOnly, renderThumbnailOnly } from './render-composition.ts'
import type { RenderRequest } from './render-request.ts'
import type { SegmentStore } from './segment-store.ts'
import { withRenderRequest } from './with-render-request.ts'

const frame = v.pipe(v.string(), v.digits(), v.transform(Number))
const range = v.tuple([frame, frame])

export async function renderBatch(task: JobTask): Promise<void> {
  const [from, to] = v.parse(range, task.rest)
  const { run, video } = task
  const writeProgress = (percent: number) => reportBatchProgress(video, run.runId, { from, percent })
  await renderPart(task, (request) => renderSegmentRange(request, { from, to }), writeProgress)
}

export const renderSound = (task: JobTask): Promise<void> => renderPart(task, renderSoundOnly)

export const renderThumbnail = (task: JobTask): Promise<void> => renderPart(task, renderThumbnailOnly)

async function renderPart(
  task: JobTask,
  render: (request: RenderRequest & { store: SegmentStore }) => Promise<void>,
  writeProgress?: (percent: number) => Promise<void>,
): Promise<void> {
  const { run, video } = task
  const { manifestKey } = video.render!
  if (!manifestKey) throw new Error(`Run ${run.runId} has no manifest.`)
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: run.videoId }
  const composition = await getJson<Composition>(manifestKey)
  await withRenderRequest(task, { owner, composition, ...(writeProgress && { writeProgress }) }, render)
}
