// The jobs of videos as `npm start` shows them, read from rows of the table as they change. Pure: no clock, no output.

import type { ProcessJob, RenderJob } from '../../lib/domain/records/jobs.ts'
import type { SyncJob } from '../../lib/domain/records/sync-job.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { type Key, keys, syncJobPrefix } from '../../lib/store/core/keys.ts'
import type { Row } from '../../lib/store/core/rows.ts'

export interface ShownJob {
  /** The field or row that holds the job: a new run replaces the one before. */
  readonly slot: string
  readonly runId: string
  readonly what: string
  readonly videoId: string
  /** Absent of a synchronous job, whose row does not carry it. */
  readonly title?: string
  readonly status: 'running' | 'completed' | 'failed'
  /** Percent, or accounts done of all. */
  readonly progress: string
  /** The stage in words while it runs, the error once it has failed. */
  readonly detail: string
  readonly queuedAt: string
  readonly startedAt: string
}

/** Whether a row holds jobs, by its sort key. */
export const hasJobs = ({ sk }: Key): boolean => sk === videoSort || sk.startsWith(syncJobPrefix)

const videoSort = keys.video('', '').sk

/** The jobs of a row that `hasJobs`. */
export const jobsInRow = (row: Row): ShownJob[] =>
  row.sk === videoSort ? jobsOfVideo(row as unknown as Video) : [ofSyncJob(row as unknown as SyncJob)]

/** The id of the video if this is the key of a video, not of a synchronous job. */
export const videoIdInKey = ({ pk, sk }: Key): string | undefined =>
  sk === videoSort ? pk.split('#').at(-1) : undefined

function jobsOfVideo({ id: videoId, title, process, render, publish }: Video): ShownJob[] {
  const video = { videoId, title }
  const jobs: ShownJob[] = []
  if (process) jobs.push(ofJob(process, process.work, process.statusText, video))
  if (render) jobs.push(ofJob(render, 'render', null, video))
  // A post that only has its slot has not started.
  if (publish?.queuedAt) {
    const { runId, status, results, error, queuedAt, startedAt } = publish
    const posted = results.filter((result) => result.status === 'COMPLETED').length
    jobs.push({
      ...video,
      ...{ slot: `${videoId}#publish`, runId, what: 'publish', status: statusOf(status), queuedAt },
      startedAt: startedAt ?? queuedAt,
      progress: `${posted} of ${results.length}`,
      detail: error?.message ?? results.find((result) => result.error)?.error?.message ?? '',
    })
  }
  return jobs
}

function ofJob(
  { runId, status, progress, startedAt, queuedAt, error }: ProcessJob | RenderJob,
  what: string,
  stage: string | null,
  video: { videoId: string; title: string },
): ShownJob {
  const slot = `${video.videoId}#${what === 'render' ? 'render' : 'process'}`
  return {
    ...video,
    ...{ slot, runId, what, status: statusOf(status), progress: `${progress} %` },
    ...{ queuedAt, startedAt: startedAt ?? queuedAt },
    detail: error?.message ?? (status === 'PROCESSING' ? (stage ?? '') : ''),
  }
}

function ofSyncJob({ videoId, kind, target, runId, status, startedAt, error }: SyncJob): ShownJob {
  return {
    ...{ slot: `${videoId}#${kind}#${target}`, runId, what: kind, videoId, status: statusOf(status) },
    ...{ queuedAt: startedAt, startedAt },
    progress: '',
    detail: error?.message ?? '',
  }
}

const statusOf = (status: string): ShownJob['status'] =>
  status === 'COMPLETED' ? 'completed' : status === 'FAILED' ? 'failed' : 'running'
