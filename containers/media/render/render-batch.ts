/**
 * Renders part of a long film into the segment store, beside other tasks that do the same: the task that joins the segments
 * finds them there. Nothing depends on it, so it claims nothing, and whatever it cannot do is left to that task.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { getJson } from '../../../lib/aws/media-bucket.ts'
import { renderSecondsMax } from '../../../lib/domain/workspaces/plan.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { reportProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { progressWriter } from '../progress-writer.ts'
import type { JobTask } from '../task.ts'
import { mediaFilesFor } from './media-files.ts'
import { renderBatch } from './renderer.ts'
import { segmentStore } from './segment-store.ts'

const frame = v.pipe(v.string(), v.digits(), v.transform(Number))
const range = v.tuple([frame, frame])

/** What is left for the task that joins the segments. */
const percentMax = 90

export async function renderBatchOfRun({ run, video, rest, directory, signal }: JobTask): Promise<void> {
  const [from, to] = v.parse(range, rest)
  const { manifestKey } = video.render!
  if (!manifestKey) throw new Error(`Run ${run.runId} has no manifest.`)
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: run.videoId }
  const lost = new AbortController()
  // The tasks are about equally far, and of their figures the highest stays.
  const progress = progressWriter(
    (percent) =>
      reportProgress(video, 'render', { runId: run.runId }, { progress: Math.floor((percent * percentMax) / 100) }),
    (reason) => lost.abort(reason),
  )
  const composition = await getJson<Composition>(manifestKey)
  const scratch = join(directory, 'render')
  await mkdir(scratch)
  const request = {
    composition,
    ...(await mediaFilesFor(composition, join(directory, 'media'))),
    store: segmentStore(owner),
    directory: scratch,
    onProgress: progress.report,
    signal: AbortSignal.any([signal, lost.signal]),
    timeoutMs: renderSecondsMax(owner.workspace.planId) * 1000,
  }
  await renderBatch(request, { from, to }).catch((failure) => {
    throw lost.signal.aborted ? lost.signal.reason : failure
  })
  await progress.flush()
}
