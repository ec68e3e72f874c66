/** Job states, their transitions, and the lifecycle status of a video that is derived from them. */

export const jobStatuses = ['QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type JobStatus = (typeof jobStatuses)[number]

export const publishStatuses = ['SCHEDULED', ...jobStatuses] as const
export type PublishStatus = (typeof publishStatuses)[number]

/** Transitions within one run. A requeue is a new run. */
const transitions: Record<PublishStatus, readonly PublishStatus[]> = {
  SCHEDULED: ['QUEUED', 'PROCESSING', 'FAILED'],
  QUEUED: ['PROCESSING', 'FAILED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

export const canTransition = (from: PublishStatus, to: PublishStatus) => transitions[from].includes(to)

/** Whether a job is queued or running. */
export const isOpen = (job: { status: PublishStatus } | null) =>
  job?.status === 'QUEUED' || job?.status === 'PROCESSING'

export const videoStatuses = ['draft', 'processing', 'rendering', 'ready', 'failed'] as const
export type VideoStatus = (typeof videoStatuses)[number]

interface Lifecycle {
  process: { status: JobStatus } | null
  render: { status: JobStatus } | null
  media: { renderKey: string | null }
}

/** The lifecycle status of a video, evaluated in the order of the specification. */
export function videoStatus({ process, render, media }: Lifecycle): VideoStatus {
  if (process?.status === 'FAILED' || render?.status === 'FAILED') return 'failed'
  if (isOpen(render)) return 'rendering'
  if (isOpen(process)) return 'processing'
  return media.renderKey ? 'ready' : 'draft'
}
