/** What the jobs of a video say about the work that a tool started. Reads resources as the API returns them. */
import { type JobName, jobNames } from './tool.ts'

interface JobDocument {
  status?: string
  progress?: number
  statusText?: string | null
  queuedAt?: string | null
  startedAt?: string | null
  error?: { code?: string; message?: string } | null
}

/** The part of a video that these functions read. */
export interface VideoJobs {
  id: string
  title?: string
  updatedAt?: string
  process?: JobDocument | null
  render?: JobDocument | null
  publish?: JobDocument | null
  media?: { renderUrl?: string | null; bytes?: number | null }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The video in a response: itself, the blueprint of an automation, or the video of a publication. */
export function videoIn(data: unknown): VideoJobs | undefined {
  if (!isObject(data)) return undefined
  if (isObject(data.source)) return data.source as unknown as VideoJobs
  if (typeof data.videoId === 'string' && isObject(data.publish))
    return { id: data.videoId, publish: data.publish as JobDocument }
  return typeof data.id === 'string' && 'process' in data ? (data as unknown as VideoJobs) : undefined
}

/** The job runs or waits. A slot that is scheduled does neither. */
const isOpen = (job: JobDocument | null | undefined) => job?.status === 'QUEUED' || job?.status === 'PROCESSING'

/** Whether any job of the video runs or waits. */
export const isBusy = (video: VideoJobs) => jobNames.some((name) => isOpen(video[name]))

export type WorkState =
  | { status: 'working'; message: string }
  | { status: 'done' }
  | { status: 'failed'; message: string }

/** The state of some jobs of a video, which follow each other. */
export function workState(video: VideoJobs, jobs: readonly JobName[]): WorkState {
  const failed = jobs.find((name) => video[name]?.status === 'FAILED')
  if (failed) return { status: 'failed', message: failureOf(failed, video[failed]!) }
  const running = jobs.find((name) => isOpen(video[name]))
  if (running) return { status: 'working', message: progressOf(running, video[running]!) }
  const next = jobs.find((name) => video[name]?.status !== 'COMPLETED')
  return next ? { status: 'working', message: `${next} is about to begin` } : { status: 'done' }
}

const failureOf = (name: JobName, { error }: JobDocument) =>
  `${name} failed: ${error?.code ?? 'unknown'}: ${error?.message ?? ''}`

const progressOf = (name: JobName, { status, progress, statusText }: JobDocument) =>
  `${name} ${status}${progress === undefined ? '' : ` ${progress} %`}${statusText ? `: ${statusText}` : ''}`

/** When the run of a job began, ISO 8601: it tells one run of the same job from the next. Empty where it never ran. */
export const runOf = (video: VideoJobs, job: JobName): string => video[job]?.queuedAt ?? video[job]?.startedAt ?? ''
