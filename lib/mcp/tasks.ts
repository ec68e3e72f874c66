/**
 * Tasks (extension `io.modelcontextprotocol/tasks`, SEP-2663) over the records of videos. Nothing is stored: the id names the video, its
 * jobs and their run, so that any process answers for it, also after a restart.
 */
import { type JobName, jobNames } from './tool.ts'
import { runOf, type VideoJobs, workState } from './video-jobs.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

export interface TaskName {
  videoId: string
  jobs: readonly JobName[]
  /** When the run of the first job began, in milliseconds since 1970. */
  startedAt: number
}

export interface TaskFields {
  taskId: string
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string
  createdAt: string
  lastUpdatedAt: string
  /** Null: it can be read as long as its video exists. */
  ttlMs: number | null
  pollIntervalMs: number
}

/** Generations and renders take minutes; steps of them take seconds. */
export const pollIntervalMs = 3_000

const letterOf: Record<JobName, string> = { process: 'g', render: 'r', publish: 'p' }

/** `vid_01k….gr.l8x0…` */
export const taskIdOf = ({ videoId, jobs, startedAt }: TaskName) =>
  `${videoId}.${jobs.map((name) => letterOf[name]).join('')}.${startedAt.toString(36)}`

export function parseTaskId(taskId: string): TaskName | undefined {
  const [, videoId, letters, run] = /^([A-Za-z0-9_]{1,64})\.(g?r?p?)\.([0-9a-z]{1,9})$/.exec(taskId) ?? []
  if (!videoId || !letters || !run) return undefined
  return {
    videoId,
    jobs: jobNames.filter((name) => letters.includes(letterOf[name])),
    startedAt: Number.parseInt(run, 36),
  }
}

/** The task of the jobs that a video just queued. */
export const taskNameOf = (video: VideoJobs, jobs: readonly JobName[]): TaskName => ({
  videoId: video.id,
  jobs,
  startedAt: Date.parse(runOf(video, jobs[0]!)) || 0,
})

/** A task whose job ran again since then is over: its result was replaced. */
export function taskFields(task: TaskName, video: VideoJobs): TaskFields {
  const current = Date.parse(runOf(video, task.jobs[0]!)) || 0
  const createdAt = new Date(task.startedAt).toISOString()
  const common = {
    taskId: taskIdOf(task),
    createdAt,
    lastUpdatedAt: video.updatedAt ?? createdAt,
    ttlMs: null,
    pollIntervalMs,
  }
  if (current !== task.startedAt)
    return { ...common, status: 'cancelled', statusMessage: 'A later run of the same job has replaced this one.' }
  const state = workState(video, task.jobs)
  if (state.status === 'done') return { ...common, status: 'completed' }
  // SEP-2663: an execution error is the result of a completed task; `failed` is for protocol errors.
  return { ...common, status: state.status === 'failed' ? 'completed' : 'working', statusMessage: state.message }
}
