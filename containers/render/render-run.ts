/** Renders a run: fetches what the manifest names, renders, uploads, and commits the result under its own attempt. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { changeVideo } from '../../lib/actions/change-video.ts'
import { dropOthers } from '../../lib/actions/drop-artefacts.ts'
import { keepFile, keepJson, type Owner } from '../../lib/actions/keep.ts'
import { getJson, hasObject } from '../../lib/aws/media.ts'
import { now } from '../../lib/clock.ts'
import { artefactKey } from '../../lib/domain/artefact.ts'
import type { MadeFilm } from '../../lib/domain/job.ts'
import { renderSecondsMax } from '../../lib/domain/plan.ts'
import type { Rendered } from '../../lib/domain/video-jobs.ts'
import { completeRender } from '../../lib/domain/video-jobs.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { inputsHash, rendererVersion } from '../../lib/render/segment-key.ts'
import { noteProgress } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { mediaOf } from './fetch-media.ts'
import type { Task } from './main.ts'
import { progressWriter } from './progress-writer.ts'
import { type RenderedVideo, renderVideo } from './render.ts'
import { isFull, segmentStore } from './segment-store.ts'
import { toldFailure } from './told-failure.ts'

/** What is written down of a film beside it. */
interface KeptFilm extends Rendered {
  made: MadeFilm
  /** The run that rendered it. */
  runId: string
  /** Names in the segment store of all that it was put together from. */
  parts: string[]
}

export async function renderRun(task: Task): Promise<void> {
  const { run, video } = task
  const { runId } = run
  const { attempt, manifestKey } = video.render!
  if (!manifestKey) throw new Error(`Run ${runId} has no manifest.`)
  const owner = { workspace: await getWorkspace(run.workspaceId), videoId: run.videoId }
  const keyOf = (extension: string) => artefactKey(owner, 'renders', [manifestKey, rendererVersion], extension)
  // The facts are written after the files: a retry of a task that died before its commit finds the film.
  if (!(await hasObject(keyOf('json')))) {
    const composition = await getJson<Composition>(manifestKey)
    const film = await render(task, owner, composition)
    const { bytes, sha256, reuse, parts } = film
    const [renderKey, thumbnailKey] = [keyOf('mp4'), keyOf('jpg')]
    await keepFilm(owner, () =>
      Promise.all([
        keepFile(owner, renderKey, film.videoPath, 'video/mp4'),
        keepFile(owner, thumbnailKey, film.thumbnailPath, 'image/jpeg'),
      ]),
    )
    const made = { inputsHash: inputsHash(composition), sha256, reuse }
    const kept: KeptFilm = { renderKey, thumbnailKey, bytes, made, runId, parts }
    await keepJson(owner, keyOf('json'), kept)
  }
  const { parts, runId: madeBy, made, ...film } = await getJson<KeptFilm>(keyOf('json'))
  const { segments } = made.reuse
  const reuse = madeBy === runId ? made.reuse : { segments, reused: segments, secondsRendered: 0 }
  // Now, while this run is the open one and no other render of the video can be looking for them.
  await dropOthers(owner, 'segments', new Set(parts.map(segmentStore(owner).keyOf)))
  await changeVideo(run, (current) =>
    completeRender(current, runId, attempt, { ...film, made: { ...made, reuse } }, now()),
  )
}

async function render(task: Task, owner: Owner, composition: Composition): Promise<RenderedVideo> {
  const { run, video, directory, signal } = task
  const lost = new AbortController()
  const progress = progressWriter(
    (percent) =>
      noteProgress(video, 'render', { runId: run.runId, attempt: video.render!.attempt }, { progress: percent }),
    (reason) => lost.abort(reason),
  )
  const scratch = join(directory, 'render')
  await mkdir(scratch)
  const film = await renderVideo({
    composition,
    ...(await mediaOf(composition, join(directory, 'media'))),
    store: segmentStore(owner),
    directory: scratch,
    onProgress: progress.tell,
    signal: AbortSignal.any([signal, lost.signal]),
    timeoutMs: renderSecondsMax(owner.workspace.planId) * 1000,
  }).catch((failure) => {
    throw lost.signal.aborted ? lost.signal.reason : toldFailure(failure, owner.workspace.planId)
  })
  await progress.settled()
  return film
}

/** Segments save time and nothing else: where the plan has no room for both, they make room for the film. */
async function keepFilm(owner: Owner, keep: () => Promise<unknown>): Promise<void> {
  try {
    await keep()
  } catch (error) {
    if (!isFull(error)) throw error
    await dropOthers(owner, 'segments', new Set())
    await keep()
  }
}
