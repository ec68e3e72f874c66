/**
 * The container of everything that needs ffmpeg: the name of a command, then the ids of a run. Exit code 0: the record has the
 * result, or the run is no longer ours. Anything else: the state machine tries again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { changeVideo, videoOfOpenRun } from '../../lib/actions/change-video.ts'
import { exitCodes } from '../../lib/actions/exit-codes.ts'
import { endAction } from '../../lib/actions/settle.ts'
import { type ActionInput, actionInput, isFinal, type RunInput } from '../../lib/actions/step.ts'
import { now } from '../../lib/clock.ts'
import type { ActionRun } from '../../lib/domain/action.ts'
import type { JobErrorCode, JobKind } from '../../lib/domain/job.ts'
import { jobError, Superseded } from '../../lib/domain/job.ts'
import type { Video } from '../../lib/domain/video.ts'
import { failJob } from '../../lib/domain/video-jobs.ts'
import { log } from '../../lib/log.ts'
import { ProviderBusy } from '../../lib/providers/failures.ts'
import { claimActionAttempt } from '../../lib/store/actions.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import { animateScenes } from './animate-scenes.ts'
import { drawSceneImage } from './draw-scene-image.ts'
import { fetchVisuals } from './fetch-visuals.ts'
import { makePresenter } from './make-presenter.ts'
import { makeScenes } from './make-scenes.ts'
import { readSource } from './read-source.ts'
import { renderBatchOfRun } from './render-batch.ts'
import { renderRun } from './render-run.ts'
import { stitchSource } from './stitch-source.ts'

interface Bench {
  /** Scratch space of this task alone. */
  directory: string
  /** Aborted when the task is told to stop. */
  signal: AbortSignal
}

/** Work for a job of a video. */
export interface Task extends Bench {
  run: RunInput
  /** The record as it was when this task began, as the one worker of the run where it claimed it. */
  video: Video
  /** What comes after the ids on the command line. */
  rest: string[]
}

/** Work for a synchronous action. */
export interface ActionTask extends Bench {
  place: ActionInput
  /** The run, of which this task became the one worker. */
  action: ActionRun
}

/** A run whose one worker this task is: how it is done, and how it ends where it cannot be done. */
interface Claimed {
  work: (bench: Bench) => Promise<void>
  fail: (error: unknown) => Promise<void>
}
type Claim = (run: RunInput, rest: string[]) => Promise<Claimed>

const ofJob =
  (kind: JobKind, fallback: JobErrorCode, work: (task: Task) => Promise<void>): Claim =>
  async (run, rest) => {
    const video = await claimAttempt(run.workspaceId, run.videoId, kind, run.runId)
    const attempt = video[kind]?.attempt
    return {
      work: (bench) => work({ ...bench, run, video, rest }),
      fail: async (error) => {
        await changeVideo(run, (current) => {
          // Of all workers of the run, only the newest may end it.
          if (current[kind]?.attempt !== attempt)
            throw new Superseded(`Attempt ${attempt} of run ${run.runId} was taken over.`)
          return failJob(current, kind, run.runId, jobError(error, fallback), now())
        })
      },
    }
  }

/** Work for a job before it is claimed, and so without an attempt of its own. */
const beforeJob =
  (kind: JobKind, fallback: JobErrorCode, work: (task: Task) => Promise<void>): Claim =>
  async (run, rest) => {
    const video = await videoOfOpenRun(run, kind)
    return {
      work: (bench) => work({ ...bench, run, video, rest }),
      fail: async (error) => {
        await changeVideo(run, (current) => failJob(current, kind, run.runId, jobError(error, fallback), now()))
      },
    }
  }

/** Part of a job's work, done beside its one worker: what it cannot do ends nothing. */
const besideJob =
  (kind: JobKind, work: (task: Task) => Promise<void>): Claim =>
  async (run, rest) => {
    const video = await videoOfOpenRun(run, kind)
    return { work: (bench) => work({ ...bench, run, video, rest }), fail: async () => {} }
  }

const ofAction =
  (fallback: JobErrorCode, work: (task: ActionTask) => Promise<void>): Claim =>
  async (run, [kind, target]) => {
    const place = v.parse(actionInput, { ...run, kind, target })
    const action = await claimActionAttempt(place, run.runId)
    return {
      work: (bench) => work({ ...bench, place, action }),
      fail: (error) => endAction(place, run.runId, jobError(error, fallback)),
    }
  }

const commands: Record<string, Claim> = {
  'fetch-visuals': ofJob('process', 'visuals-failed', fetchVisuals),
  'make-scenes': ofJob('process', 'visuals-failed', makeScenes),
  'stitch-source': ofJob('process', 'visuals-failed', stitchSource),
  'read-source': ofJob('process', 'transcription-failed', readSource),
  'animate-scenes': beforeJob('render', 'visuals-failed', animateScenes),
  'render-batch': besideJob('render', renderBatchOfRun),
  'render-video': ofJob('render', 'render-failed', renderRun),
  'draw-scene-image': ofAction('visuals-failed', drawSceneImage),
  'make-presenter': ofAction('visuals-failed', makePresenter),
}

const [name = '', workspaceId = '', videoId = '', runId = '', ...rest] = process.argv.slice(2)
const claim = commands[name]
if (!claim || !runId) {
  console.error(
    `usage: main.ts ${Object.keys(commands).join('|')} WORKSPACE VIDEO RUN [PLAN | SCENES | KIND TARGET | FROM TO]`,
  )
  process.exit(2)
}

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort(new Error('The task was told to stop.')))

const directory = await mkdtemp(join(tmpdir(), 'reelsmith-'))
try {
  process.exitCode = await perform(claim)
} finally {
  await rm(directory, { recursive: true, force: true })
}

/** Answers the exit code. A failure that will come again ends the run here; any other lets the state machine start a new task. */
async function perform(claim: Claim): Promise<number> {
  const names = { task: name, workspaceId, videoId, runId }
  try {
    const { work, fail } = await claim({ workspaceId, videoId, runId }, rest)
    await work({ directory, signal: stop.signal }).catch((error) => {
      if (stop.signal.aborted || !isFinal(error)) throw error
      log.error('task.failed', { ...names, error })
      return fail(error)
    })
    return 0
  } catch (error) {
    if (error instanceof Superseded) {
      log.info('task.superseded', names)
      return 0
    }
    log.error('task.failed', { ...names, error: error as Error })
    return error instanceof ProviderBusy ? exitCodes.providerBusy : exitCodes.failed
  }
}
