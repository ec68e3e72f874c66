/**
 * The container of everything that needs ffmpeg: the name of a command, then the ids of a run. Exit code 0: the record has the
 * result, or the run is no longer ours. Anything else: the state machine tries again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { now } from '../../lib/clock.ts'
import type { JobErrorCode } from '../../lib/domain/core/failures.ts'
import { ProviderBusy, Superseded, toJobError } from '../../lib/domain/core/failures.ts'
import type { JobKind } from '../../lib/domain/records/jobs.ts'
import { withPaidTerms } from '../../lib/domain/videos/create-video.ts'
import { failJob } from '../../lib/domain/videos/jobs.ts'
import { log, withLogFields } from '../../lib/log.ts'
import { exitCodes } from '../../lib/pipelines/exit-codes.ts'
import { isNonRetryable, type RunInput, syncJobInput } from '../../lib/pipelines/step.ts'
import { claimSyncJobAttempt } from '../../lib/store/sync-jobs.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import { failOpenSyncJob } from '../../lib/use-cases/sync-jobs/complete-sync-job.ts'
import { changeVideo, loadOpenRunVideo } from '../../lib/use-cases/videos/change-video.ts'
import type { JobTask, SyncJobTask, TaskContext } from './task.ts'

/** A run whose one worker this task is: how it is done, and how it ends where it cannot be done. */
interface ClaimedRun {
  work: (bench: TaskContext) => Promise<void>
  fail: (error: unknown) => Promise<void>
}

/** Reads the modules of some work: most of a short task is reading, and each needs its own alone. */
type Load<Given> = () => Promise<(given: Given) => Promise<void>>

interface Command {
  claim: (run: RunInput, rest: string[]) => Promise<ClaimedRun>
  load: () => Promise<unknown>
}

const jobCommand = (kind: JobKind, fallback: JobErrorCode, load: Load<JobTask>): Command => ({
  load,
  claim: async (run, rest) => {
    const claimed = await claimAttempt(run.workspaceId, run.videoId, kind, run.runId)
    const video = kind === 'process' ? withPaidTerms(claimed) : claimed
    const attempt = video[kind]?.attempt
    return {
      work: async (bench) => (await load())({ ...bench, run, video, rest }),
      fail: async (error) => {
        await changeVideo(run, (current) => {
          // Of all workers of the run, only the newest may end it.
          if (current[kind]?.attempt !== attempt)
            throw new Superseded(`Attempt ${attempt} of run ${run.runId} was taken over.`)
          return failJob(current, kind, run.runId, toJobError(error, fallback), now())
        })
      },
    }
  },
})

/** Work for a job before it is claimed, and so without an attempt of its own. */
const unclaimedJobCommand = (kind: JobKind, fallback: JobErrorCode, load: Load<JobTask>): Command => ({
  load,
  claim: async (run, rest) => {
    const video = await loadOpenRunVideo(run, kind)
    return {
      work: async (bench) => (await load())({ ...bench, run, video, rest }),
      fail: async (error) => {
        await changeVideo(run, (current) => failJob(current, kind, run.runId, toJobError(error, fallback), now()))
      },
    }
  },
})

/** Part of a job's work, done beside its one worker: what it cannot do ends nothing. */
const auxiliaryCommand = (kind: JobKind, load: Load<JobTask>): Command => ({
  load,
  claim: async (run, rest) => {
    const video = await loadOpenRunVideo(run, kind)
    return { work: async (bench) => (await load())({ ...bench, run, video, rest }), fail: async () => {} }
  },
})

const syncJobCommand = (fallback: JobErrorCode, load: Load<SyncJobTask>): Command => ({
  load,
  claim: async (run, [kind, target]) => {
    const place = v.parse(syncJobInput, { ...run, kind, target })
    const action = await claimSyncJobAttempt(place, run.runId)
    return {
      work: async (bench) => (await load())({ ...bench, input: place, job: action }),
      fail: (error) => failOpenSyncJob(place, run.runId, toJobError(error, fallback)),
    }
  },
})

const commands: Record<string, Command> = {
  'fetch-visuals': jobCommand(
    'process',
    'visuals-failed',
    async () => (await import('./visuals/fetch-visuals.ts')).fetchVisuals,
  ),
  'make-scenes': jobCommand(
    'process',
    'visuals-failed',
    async () => (await import('./visuals/make-scenes.ts')).makeScenes,
  ),
  'stitch-source': jobCommand(
    'process',
    'visuals-failed',
    async () => (await import('./render/stitch-source.ts')).stitchSource,
  ),
  'read-source': jobCommand(
    'process',
    'transcription-failed',
    async () => (await import('./source/read-source.ts')).readSource,
  ),
  'animate-scenes': unclaimedJobCommand(
    'render',
    'visuals-failed',
    async () => (await import('./visuals/animate-scenes.ts')).animateScenes,
  ),
  'render-batch': auxiliaryCommand('render', async () => (await import('./render/render-batch.ts')).renderBatchOfRun),
  'render-video': jobCommand(
    'render',
    'render-failed',
    async () => (await import('./render/render-video.ts')).renderVideoOfRun,
  ),
  'draw-scene-image': syncJobCommand(
    'visuals-failed',
    async () => (await import('./visuals/draw-scene-image.ts')).drawSceneImage,
  ),
  'make-presenter': syncJobCommand(
    'visuals-failed',
    async () => (await import('./visuals/make-presenter.ts')).makePresenter,
  ),
}

const [name = '', workspaceId = '', videoId = '', runId = '', ...rest] = process.argv.slice(2)
const command = commands[name]
if (!command || !runId) {
  // The image is built with such a call, and keeps what was compiled of all of them.
  for (const { load } of Object.values(commands)) await load()
  console.error(
    `usage: main.ts ${Object.keys(commands).join('|')} WORKSPACE VIDEO RUN [PLAN | SCENES | KIND TARGET | FROM TO]`,
  )
  process.exit(2)
}

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort(new Error('The task was told to stop.')))

const directory = await mkdtemp(join(tmpdir(), 'reelsmith-'))
try {
  process.exitCode = await withLogFields({ task: name, workspaceId, videoId, runId }, () => runCommand(command))
} finally {
  await rm(directory, { recursive: true, force: true })
}

/** Answers the exit code. A failure that will come again ends the run here; any other lets the state machine start a new task. */
async function runCommand({ claim }: Command): Promise<number> {
  try {
    const { work, fail } = await claim({ workspaceId, videoId, runId }, rest)
    await work({ directory, signal: stop.signal }).catch((error) => {
      if (stop.signal.aborted || !isNonRetryable(error)) throw error
      log.error('task.failed', { error })
      return fail(error)
    })
    return 0
  } catch (error) {
    if (error instanceof Superseded) {
      log.info('task.superseded')
      return 0
    }
    log.error('task.failed', { error })
    return error instanceof ProviderBusy ? exitCodes.providerBusy : exitCodes.failed
  }
}
