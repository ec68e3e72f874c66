/**
 * The command `render-video`: renders a video from its manifest with `render-composition.ts`, stores the result and
 * commits it for the claimed attempt.
 */
import { stat } from 'node:fs/promises'
import { settleAll } from '../../../lib/async.ts'
import { getJson, uploadFile } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import type { RenderProvenance } from '../../../lib/domain/records/jobs.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import type { RenderResult } from '../../../lib/domain/videos/complete-job.ts'
import { completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { renderArtefactKey } from '../../../lib/domain/videos/render-key.ts'
import { rendersToRetain } from '../../../lib/domain/videos/render-retention.ts'
import { log } from '../../../lib/log.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { inputsHash, rendererVersion } from '../../../lib/render/segments/segment-key.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import { findVideoUsage, type StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { deleteArtefacts, deleteArtefactsExcept } from '../../../lib/use-cases/artefacts/delete-artefacts.ts'
import { countArtefacts, isStored, storeFirstJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'
import type { JobTask } from '../task.ts'
import { publicRenderError } from './public-render-error.ts'
import { type RenderedVideo, renderComposition } from './render-composition.ts'
import { measureRenderQuality } from './render-quality.ts'
import { isStorageFull, segmentStore } from './segment-store.ts'
import { withRenderRequest } from './with-render-request.ts'

/** The facts of a render, stored as JSON beside it. The names of its fields are stored. */
interface StoredRender extends RenderResult {
  made: RenderProvenance
  /** The run that rendered it. */
  runId: string
  /** Names in the segment store of everything that the render was joined from. */
  parts: string[]
}

interface RenderKeys {
  video: string
  thumbnail: string
  facts: string
}

export async function renderVideo(task: JobTask): Promise<void> {
  const { run, video } = task
  const { runId } = run
  const { attempt, manifestKey } = video.render!
  if (!manifestKey) throw new Error(`Run ${runId} has no manifest.`)
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: run.videoId }
  const keyOf = (extension: 'mp4' | 'jpg' | 'json') => renderArtefactKey(owner, manifestKey, rendererVersion, extension)
  const keys: RenderKeys = { video: keyOf('mp4'), thumbnail: keyOf('jpg'), facts: keyOf('json') }
  // The same manifest may have been rendered before, or by a task that crashed before its commit.
  const stored = await Promise.all(Object.values(keys).map((key) => isStored(owner, key)))
  if (!stored.every(Boolean)) await renderAndStore(task, owner, keys, await getJson<Composition>(manifestKey))
  const { parts, runId: renderedBy, made, ...result } = await getJson<StoredRender>(keys.facts)
  const { segments } = made.reuse
  const reuse = renderedBy === runId ? made.reuse : { segments, reused: segments, secondsRendered: 0 }
  await deleteUnusedArtefacts(task, owner, result, parts)
  await changeVideo(run, (current) =>
    completeRender(current, runId, attempt, { ...result, made: { ...made, reuse } }, now()),
  )
}

async function renderAndStore(
  task: JobTask,
  owner: StorageOwner,
  keys: RenderKeys,
  composition: Composition,
): Promise<void> {
  const { videoPath, thumbnailPath, bytes, sha256, reuse, parts } = await render(task, owner, composition)
  const quality = await measureRenderQuality(videoPath, task)
  const { width, height, durationMs } = composition
  const facts: StoredRender = {
    renderKey: keys.video,
    thumbnailKey: keys.thumbnail,
    bytes,
    film: { width, height, durationMs },
    made: { inputsHash: inputsHash(composition), sha256, reuse, quality },
    runId: task.run.runId,
    parts,
  }
  const artefacts = [
    { key: keys.video, bytes },
    { key: keys.thumbnail, bytes: (await stat(thumbnailPath)).size },
  ]
  const store = async () => {
    await countArtefacts(owner, artefacts)
    await settleAll([
      uploadFile(keys.video, videoPath, 'video/mp4'),
      uploadFile(keys.thumbnail, thumbnailPath, 'image/jpeg'),
    ])
    // Last: its existence means that the render is complete.
    await storeFirstJson(owner, keys.facts, facts)
  }
  try {
    await store()
  } catch (error) {
    if (!isStorageFull(error)) throw error
    await freeStorage(task, owner, keys.video)
    await store().catch(async (failure) => {
      if (isStorageFull(failure)) await deleteArtefacts(owner, Object.values(keys))
      throw failure
    })
  }
}

function render(task: JobTask, owner: StorageOwner, composition: Composition): Promise<RenderedVideo> {
  const { run, video } = task
  const { attempt } = video.render!
  return withRenderRequest(
    task,
    {
      owner,
      composition,
      writeProgress: (progress) => reportProgress(video, 'render', { runId: run.runId, attempt }, { progress }),
      toTaskError: (failure) => publicRenderError(failure, owner.workspace.planId),
    },
    renderComposition,
  )
}

/**
 * Deletes segments and older renders. Segments only save time: where the plan has no room for both, the render takes
 * precedence.
 */
async function freeStorage(task: JobTask, owner: StorageOwner, renderKey: string): Promise<void> {
  const video = await videoOfAttempt(task)
  await deleteArtefactsExcept(owner, 'segments', new Set())
  await deleteOldRenders(owner, video, renderKey)
}

/**
 * Deletes what neither the new render nor the previous one needs. Runs before the commit, while this run is open and no
 * other render of the video can read these artefacts. The render succeeds either way; the next render deletes what is
 * left.
 */
async function deleteUnusedArtefacts(
  task: JobTask,
  owner: StorageOwner,
  { renderKey }: RenderResult,
  parts: readonly string[],
): Promise<void> {
  try {
    const video = await videoOfAttempt(task)
    await deleteArtefactsExcept(owner, 'segments', new Set(parts.map(segmentStore(owner).keyOf)))
    await deleteOldRenders(owner, video, renderKey)
  } catch (error) {
    if (error instanceof Superseded) throw error
    log.warn('render.not-tidied', { videoId: owner.videoId, error: error as Error })
  }
}

async function deleteOldRenders(owner: StorageOwner, video: Video, renderKey: string): Promise<void> {
  const usage = await findVideoUsage(owner.workspace.id, owner.videoId)
  const retained = usage && rendersToRetain(video, usage, renderKey)
  if (retained) await deleteArtefactsExcept(owner, 'renders', retained)
}

/**
 * The current record. Throws `Superseded` unless this task still owns the attempt: a task that outlives its run may
 * delete nothing.
 */
async function videoOfAttempt({ run, video: { render } }: JobTask): Promise<Video> {
  const video = await loadOpenRunVideo(run, 'render')
  if (video.render?.attempt !== render?.attempt)
    throw new Superseded(`Attempt ${render?.attempt} of run ${run.runId} was taken over.`)
  return video
}
