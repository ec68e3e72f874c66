/** Renders a run: fetches what the manifest names, renders, uploads, and commits the result under its own attempt. */
import { mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { changeVideo } from '../../lib/actions/change-video.ts'
import { keepFile, keepJson } from '../../lib/actions/keep.ts'
import { downloadFile, getJson, hasObject } from '../../lib/aws/media.ts'
import { now } from '../../lib/clock.ts'
import { artefactKey } from '../../lib/domain/artefact.ts'
import { JobFailure } from '../../lib/domain/job.ts'
import { plans, renderSecondsMax } from '../../lib/domain/plan.ts'
import { Refusal } from '../../lib/domain/refusal.ts'
import type { Rendered } from '../../lib/domain/video-jobs.ts'
import { completeRender } from '../../lib/domain/video-jobs.ts'
import type { Workspace } from '../../lib/domain/workspace.ts'
import { log } from '../../lib/log.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { noteProgress } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { RenderFailure } from './failure.ts'
import type { Task } from './main.ts'
import { progressWriter } from './progress-writer.ts'
import { renderVideo } from './render.ts'
import { inParallel } from './workplace.ts'

/** Part of the name under which a film is kept: counts up when the same manifest gives another film. */
const rendererVersion = 1
const downloadsAtOnce = 4

export async function renderRun({ run, video, directory, signal }: Task): Promise<void> {
  const { workspaceId, videoId, runId } = run
  const workspace = await getWorkspace(workspaceId)
  const { attempt, manifestKey } = video.render!
  if (!manifestKey) throw new Error(`Run ${runId} has no manifest.`)

  const owner = { workspace, videoId }
  const place = (extension: string) => artefactKey(owner, 'renders', [manifestKey, rendererVersion], extension)
  const factsKey = place('json')
  // The facts are written after the files: a retry of a task that died before its commit finds the film.
  if (!(await hasObject(factsKey))) {
    const lost = new AbortController()
    const progress = progressWriter(
      (percent) => noteProgress(video, 'render', { runId, attempt }, { progress: percent }),
      (reason) => lost.abort(reason),
    )
    const composition = await getJson<Composition>(manifestKey)
    const files = await fetchMedia(composition, join(directory, 'media'))
    const scratch = join(directory, 'render')
    await mkdir(scratch)
    const film = await renderVideo({
      composition,
      files,
      directory: scratch,
      onProgress: progress.tell,
      signal: AbortSignal.any([signal, lost.signal]),
      timeoutMs: renderSecondsMax(workspace.planId) * 1000,
    }).catch((failure) => {
      throw lost.signal.aborted ? lost.signal.reason : reasonOf(failure, workspace)
    })
    await progress.settled()
    const [renderKey, thumbnailKey] = [place('mp4'), place('jpg')]
    await Promise.all([
      keepFile(owner, renderKey, film.videoPath, 'video/mp4'),
      keepFile(owner, thumbnailKey, film.thumbnailPath, 'image/jpeg'),
    ])
    const facts: Rendered = { renderKey, thumbnailKey, bytes: film.bytes }
    await keepJson(owner, factsKey, facts)
  }
  const facts = await getJson<Rendered>(factsKey)
  await changeVideo(run, (current) => completeRender(current, runId, attempt, facts, now()))
}

/** Downloads every object that the composition names; answers key to path. ffmpeg sees local files only. */
async function fetchMedia(composition: Composition, directory: string): Promise<Map<string, string>> {
  await mkdir(directory)
  const keys = [...new Set([composition.narrationKey, ...composition.shots.map(({ media }) => media.key)])]
  const files = new Map(keys.map((key, index) => [key, join(directory, `${index}${extname(key)}`)]))
  await inParallel(
    [...files].map(
      ([key, path]) =>
        () =>
          downloadFile(key, path),
    ),
    downloadsAtOnce,
  )
  return files
}

/** Fixed texts: the message of the failure names places and programs of ours. */
const toldFailures: Partial<Record<RenderFailure['code'], string>> = {
  'bad-composition': 'The timelines of this video do not make a film.',
  'bad-media': 'A picture, a clip or the narration of this video cannot be used.',
}

/** What a client should read of a failed render; everything else may pass and is tried again. */
function reasonOf(failure: unknown, { planId }: Workspace): unknown {
  if (!(failure instanceof RenderFailure)) return failure
  const told = toldFailures[failure.code]
  if (told) {
    log.error('render.failed', { error: failure })
    return new JobFailure('render-failed', told)
  }
  if (failure.code !== 'timeout') return failure
  const limit = plans[planId].renderSecondsMax
  if (limit === null) return new JobFailure('timeout', 'The render took too long.')
  return new Refusal('warning-plan-render-time', `The plan allows renders of ${limit} seconds.`, { action: 'upgrade' })
}
