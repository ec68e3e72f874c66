/**
 * The container of everything that needs ffmpeg: `fetch-visuals` or `render-video`, then the ids of a run. Exit code 0: the
 * record has the result, or the run is no longer ours. Anything else: the state machine tries again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeVideo } from '../../lib/actions/change-video.ts'
import { isFinal, type RunInput } from '../../lib/actions/step.ts'
import { now } from '../../lib/clock.ts'
import type { JobErrorCode, JobKind } from '../../lib/domain/job.ts'
import { jobError, Superseded } from '../../lib/domain/job.ts'
import type { Video } from '../../lib/domain/video.ts'
import { failJob } from '../../lib/domain/video-jobs.ts'
import { log } from '../../lib/log.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import { fetchVisuals } from './fetch-visuals.ts'
import { renderRun } from './render-run.ts'

export interface Task {
  run: RunInput
  /** The record as it was when this task became the one worker of the run. */
  video: Video
  /** What comes after the ids on the command line. */
  rest: string[]
  /** Scratch space of this task alone. */
  directory: string
  /** Aborted when the task is told to stop. */
  signal: AbortSignal
}

interface Work {
  kind: JobKind
  fallback: JobErrorCode
  work: (task: Task) => Promise<void>
}

const commands: Record<string, Work> = {
  'fetch-visuals': { kind: 'process', fallback: 'visuals-failed', work: fetchVisuals },
  'render-video': { kind: 'render', fallback: 'render-failed', work: renderRun },
}

const [name = '', workspaceId = '', videoId = '', runId = '', ...rest] = process.argv.slice(2)
const command = commands[name]
if (!command || !runId) {
  console.error('usage: main.ts fetch-visuals|render-video WORKSPACE VIDEO RUN [PLAN]')
  process.exit(2)
}

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort(new Error('The task was told to stop.')))

const run = { workspaceId, videoId, runId }
const directory = await mkdtemp(join(tmpdir(), 'reelsmith-'))
/** Of all workers of the run, only the newest may end it. */
let attempt: number | undefined
try {
  const video = await claimAttempt(workspaceId, videoId, command.kind, runId)
  attempt = video[command.kind]!.attempt
  await command.work({ run, video, rest, directory, signal: stop.signal })
} catch (error) {
  process.exitCode = await exitCodeOf(error, command)
} finally {
  await rm(directory, { recursive: true, force: true })
}

/** A failure that will come again ends the job here; any other lets the state machine start a new task. */
async function exitCodeOf(error: unknown, { kind, fallback }: Work): Promise<number> {
  if (error instanceof Superseded) {
    log.info('task.superseded', { workspaceId, videoId, runId })
    return 0
  }
  log.error('task.failed', { task: name, workspaceId, videoId, runId, error: error as Error })
  if (stop.signal.aborted || !isFinal(error)) return 75
  try {
    await changeVideo(run, (video) => {
      if (video[kind]?.attempt !== attempt) throw new Superseded(`Attempt ${attempt} of run ${runId} was taken over.`)
      return failJob(video, kind, runId, jobError(error, fallback), now())
    })
  } catch (reason) {
    if (!(reason instanceof Superseded)) throw reason
  }
  return 0
}
