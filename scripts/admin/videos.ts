/** The operator's commands that look up what an alarm or a log line names: a video, a run. They print no text of a client but titles. */
import { type ExecutionSummary, findExecution } from '../../lib/aws/pipelines.ts'
import { videoStatus } from '../../lib/domain/core/states.ts'
import type { Posting } from '../../lib/domain/publishing/posting.ts'
import { type JobKind, type ProcessJob, stageProgress } from '../../lib/domain/records/jobs.ts'
import type { SyncJob } from '../../lib/domain/records/sync-job.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { pipelineOf } from '../../lib/domain/videos/job-transitions.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../lib/store/core/outbox.ts'
import { listPostings } from '../../lib/store/postings.ts'
import { findVideoUsage } from '../../lib/store/storage-usage.ts'
import { listSyncJobs } from '../../lib/store/sync-jobs.ts'
import { findVideo } from '../../lib/store/videos.ts'
import type { Command, Flags } from './command.ts'
import { workspacesOf, workspaceUsage } from './workspace-flag.ts'

export const videoCommands: Record<string, Command> = {
  'video show': {
    usage: `VIDEO ${workspaceUsage}`,
    hasArgument: true,
    summary: 'Shows a video with its storage and its jobs.',
    run: async (flags) => {
      const video = await videoOf(flags)
      const { workspaceId, id } = video
      const [usage, syncJobs] = await Promise.all([findVideoUsage(workspaceId, id), listSyncJobs(workspaceId, id)])
      return { ...videoRow(video), ...usage, jobs: [...jobsOf(video), ...syncJobs.map(syncJobRow)] }
    },
  },
  'job show': {
    usage: `RUN ${workspaceUsage}`,
    hasArgument: true,
    summary: 'Shows a run by its id: state, stage, error, times, posts and its execution.',
    run: async (flags) => {
      const runId = flags.argument!
      const execution = await findExecution(runId)
      const place = execution ?? (await findQueued(runId, flags))
      if (!place) throw new Error(`There is no run ${runId}, or it ended more than 90 days ago.`)
      return showRun(runId, place, execution)
    },
  },
}

type VideoRef = Pick<ExecutionSummary, 'workspaceId' | 'videoId'>

async function showRun(runId: string, { workspaceId, videoId }: VideoRef, execution: ExecutionSummary | undefined) {
  const video = await findVideo(workspaceId, videoId)
  const syncJobs = video ? await listSyncJobs(workspaceId, videoId) : []
  const current = [...(video ? jobsOf(video) : []), ...syncJobs.map(syncJobRow)].find((job) => job.runId === runId)
  const postings = video ? await listPostings(workspaceId, videoId, runId) : []
  return {
    workspaceId,
    videoId,
    ...(current ?? { runId, state: video ? 'replaced by a later run' : 'the video was deleted' }),
    execution: execution ? executionRow(execution) : 'not started',
    ...(postings.length > 0 && { posts: postings.map(postingRow) }),
  }
}

async function videoOf(flags: Flags): Promise<Video> {
  for (const workspaceId of await workspacesOf(flags)) {
    const video = await findVideo(workspaceId, flags.argument!)
    if (video) return video
  }
  throw new Error(`There is no video ${flags.argument}.`)
}

/** A run that was accepted and has no execution yet. */
async function findQueued(runId: string, flags: Flags): Promise<VideoRef | undefined> {
  for (const workspaceId of await workspacesOf(flags)) {
    const row = await findOutboxRow(keys.outbox(workspaceId, runId))
    if (row?.kind === 'start') return { workspaceId, videoId: row.start.videoId }
  }
  return undefined
}

const videoRow = (video: Video) => ({
  id: video.id,
  workspaceId: video.workspaceId,
  title: video.title,
  type: video.type,
  subType: video.subType,
  status: videoStatus(video),
  isAutomation: video.isAutomation,
  parentVideoId: video.parentVideoId,
  createdAt: video.createdAt,
  updatedAt: video.updatedAt,
  dueAt: video.dueAt,
  durationSeconds: video.durationSeconds,
  renderKey: video.media.renderKey,
})

const jobKinds: JobKind[] = ['process', 'render', 'publish']

const jobsOf = (video: Video) =>
  jobKinds.flatMap((kind) => {
    const job = video[kind]
    if (!job) return []
    return [
      {
        runId: job.runId,
        job: kind === 'process' ? `${kind} (${video.process!.work})` : kind,
        pipeline: pipelineOf[kind] as string,
        state: job.status as string,
        stage: kind === 'process' ? stageOf(video.process!) : null,
        progress: 'progress' in job ? job.progress : null,
        attempt: 'attempt' in job ? job.attempt : null,
        error: job.error?.code ?? null,
        message: job.error?.message ?? null,
        queuedAt: job.queuedAt,
        startedAt: job.startedAt,
        deadlineAt: job.deadlineAt,
      },
    ]
  })

/** The step of a generation that runs, or that ran last. */
function stageOf({ work, status, progress, statusText }: ProcessJob): string {
  if (status === 'QUEUED') return statusText ?? 'waiting'
  if (work !== 'generate') return work
  const [reached = 'starting'] = Object.entries(stageProgress).findLast(([, from]) => progress >= from) ?? []
  return status === 'COMPLETED' ? 'complete' : reached
}

const syncJobRow = ({ runId, kind, target, status, attempt, error, startedAt, deadlineAt }: SyncJob) => ({
  runId,
  job: target ? `${kind} of ${target}` : kind,
  pipeline: 'act',
  state: status as string,
  stage: null,
  progress: null,
  attempt,
  error: error?.code ?? null,
  message: error?.message ?? null,
  queuedAt: startedAt,
  startedAt,
  deadlineAt,
})

const executionRow = ({ pipeline, status, startedAt, stoppedAt, error, cause, arn }: ExecutionSummary) => ({
  pipeline,
  status,
  startedAt,
  stoppedAt,
  error,
  cause,
  arn,
})

const postingRow = ({ accountId, platform, phase, attempts, notBefore, deadlineAt, end }: Posting) => ({
  accountId,
  platform,
  phase,
  attempts,
  outcome: end?.status ?? null,
  error: end?.status === 'FAILED' ? end.error.code : null,
  notBefore,
  deadlineAt,
})
