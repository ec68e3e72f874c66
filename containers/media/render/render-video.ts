/** Renders a run: fetches what the manifest names, renders, uploads, and commits the result under its own attempt. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import type { RenderProvenance } from '../../../lib/domain/records/jobs.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import type { RenderResult } from '../../../lib/domain/videos/jobs.ts'
import { completeRender } from '../../../lib/domain/videos/jobs.ts'
import { rendersToRetain } from '../../../lib/domain/videos/render-retention.ts'
import { renderSecondsMax } from '../../../lib/domain/workspaces/plan.ts'
import { log } from '../../../lib/log.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { inputsHash, rendererVersion } from '../../../lib/render/segments/segment-key.ts'
import { findVideoUsage } from '../../../lib/store/storage-usage.ts'
import { reportProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { deleteArtefacts, deleteArtefactsExcept } from '../../../lib/use-cases/artefacts/delete-artefacts.ts'
import { type StorageOwner, storeArtefactFile, storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { progressWriter } from '../progress-writer.ts'
import type { JobTask } from '../task.ts'
import { mediaFilesFor } from './media-files.ts'
import { publicRenderError } from './public-render-error.ts'
import { measureRenderQuality } from './render-quality.ts'
import { type RenderedVideo, renderVideo } from './renderer.ts'
import { isStorageFull, segmentStore } from './segment-store.ts'

/** What is written down of a film beside it. */
interface StoredRender extends RenderResult {
  made: RenderProvenance
  /** The run that rendered it. */
  runId: string
  /** Names in the segment store of all that it was put together from. */
  parts: string[]
}

export async function renderVideoOfRun(task: JobTask): Promise<void> {
  const { run, video } = task
  const { runId } = run
  const { attempt, manifestKey } = video.render!
  if (!manifestKey) throw new Error(`Run ${runId} has no manifest.`)
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: run.videoId }
  const keyOf = (extension: string) => artefactKey(owner, 'renders', [manifestKey, rendererVersion], extension)
  const keys = { film: keyOf('mp4'), thumbnail: keyOf('jpg'), facts: keyOf('json') }
  // The same manifest was rendered before, or by a task that died before its commit.
  const there = await Promise.all(Object.values(keys).map(hasObject))
  if (!there.every(Boolean)) await renderAndStore(task, owner, keys, await getJson<Composition>(manifestKey))
  const { parts, runId: madeBy, made, ...film } = await getJson<StoredRender>(keys.facts)
  const { segments } = made.reuse
  const reuse = madeBy === runId ? made.reuse : { segments, reused: segments, secondsRendered: 0 }
  await deleteUnusedArtefacts(task, owner, film, parts)
  await changeVideo(run, (current) =>
    completeRender(current, runId, attempt, { ...film, made: { ...made, reuse } }, now()),
  )
}

interface RenderKeys {
  film: string
  thumbnail: string
  facts: string
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
  const made = { inputsHash: inputsHash(composition), sha256, reuse, quality }
  const { runId } = task.run
  const facts: StoredRender = {
    renderKey: keys.film,
    thumbnailKey: keys.thumbnail,
    bytes,
    film: { width, height, durationMs },
    made,
    runId,
    parts,
  }
  const keep = async () => {
    await storeArtefactFile(owner, keys.film, videoPath, 'video/mp4')
    await storeArtefactFile(owner, keys.thumbnail, thumbnailPath, 'image/jpeg')
    // Last: where it lies, all of the film does.
    await storeJson(owner, keys.facts, facts)
  }
  try {
    await keep()
  } catch (error) {
    if (!isStorageFull(error)) throw error
    await freeStorage(task, owner, keys.film)
    await keep().catch(async (failure) => {
      if (isStorageFull(failure)) await deleteArtefacts(owner, Object.values(keys))
      throw failure
    })
  }
}

/** Segments save time and nothing else: where the plan has no room for both, they make room for the film, and older films do too. */
async function freeStorage(task: JobTask, owner: StorageOwner, filmKey: string): Promise<void> {
  const video = await videoOfAttempt(task)
  await deleteArtefactsExcept(owner, 'segments', new Set())
  await deleteOldRenders(owner, video, filmKey)
}

/**
 * Removes what neither the new film nor the one before it needs: now, while this run is the open one and no other render of the
 * video can be looking for it. The film is there whether this is done or not; what was left, the next render removes.
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
  const holdings = await findVideoUsage(owner.workspace.id, owner.videoId)
  const kept = holdings && rendersToRetain(video, holdings, renderKey)
  if (kept) await deleteArtefactsExcept(owner, 'renders', kept)
}

/** The video as it is, of which this task is the one worker still; a task that lives longer than its run may remove nothing. */
async function videoOfAttempt({ run, video: { render } }: JobTask): Promise<Video> {
  const video = await loadOpenRunVideo(run, 'render')
  if (video.render?.attempt !== render?.attempt)
    throw new Superseded(`Attempt ${render?.attempt} of run ${run.runId} was taken over.`)
  return video
}

async function render(task: JobTask, owner: StorageOwner, composition: Composition): Promise<RenderedVideo> {
  const { run, video, directory, signal } = task
  const lost = new AbortController()
  const progress = progressWriter(
    (percent) =>
      reportProgress(video, 'render', { runId: run.runId, attempt: video.render!.attempt }, { progress: percent }),
    (reason) => lost.abort(reason),
  )
  const scratch = join(directory, 'render')
  await mkdir(scratch)
  const film = await renderVideo({
    composition,
    ...(await mediaFilesFor(composition, join(directory, 'media'))),
    store: segmentStore(owner),
    directory: scratch,
    onProgress: progress.report,
    signal: AbortSignal.any([signal, lost.signal]),
    timeoutMs: renderSecondsMax(owner.workspace.planId) * 1000,
  }).catch((failure) => {
    throw lost.signal.aborted ? lost.signal.reason : publicRenderError(failure, owner.workspace.planId)
  })
  await progress.flush()
  return film
}
