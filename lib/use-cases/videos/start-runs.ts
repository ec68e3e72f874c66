/**
 * Starts the queued runs of a workspace: as many generations and renders at once as its plan allows, in the order of
 * their requests; the others wait as outbox rows. Called by the outbox dispatcher for a new run and for one that ended,
 * by the sweeper, and by requests that wait for a run.
 */
import { startPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import type { PipelineStart } from '../../domain/core/pipeline.ts'
import { isOpen } from '../../domain/core/states.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { MediaJobKind } from '../../domain/records/jobs.ts'
import { placesMax, waitingText } from '../../domain/videos/job-transitions.ts'
import { plans } from '../../domain/workspaces/plan.ts'
import type { Key } from '../../store/core/keys.ts'
import { deleteOutboxRow, listPipelineStarts } from '../../store/core/outbox.ts'
import { postpone } from '../../store/due-index.ts'
import { acquireRunPermit, releaseRunPermit } from '../../store/run-permits.ts'
import { findVideo, setWaitingText } from '../../store/videos.ts'
import { findWorkspace } from '../../store/workspaces.ts'

/** The jobs whose runs are limited; sync jobs are limited by their requests, publications by the platforms. */
const limitedJobs: Partial<Record<PipelineStart['pipeline'], MediaJobKind>> = { generate: 'process', render: 'render' }

/** A waiting run is checked after this time, in case that its predecessor's end was lost. */
const waitingCheckSeconds = 300

/** Starts a run, or leaves its outbox row waiting. Idempotent. */
export async function startRun(workspaceId: string, start: PipelineStart, key: Key): Promise<void> {
  const max = limitedJobs[start.pipeline] ? await openRunsMax(workspaceId) : null
  if (max === null) {
    await startPipeline(workspaceId, start)
    return deleteOutboxRow(key)
  }
  const waiting = await startWaitingRuns(workspaceId, max)
  const place = placeIn(waiting, start)
  if (place !== undefined) await setPlace(workspaceId, start, place)
  if (waiting.length > 0) await postpone(key, secondsAfter(now(), waitingCheckSeconds))
}

/** Releases the permits of ended runs, and starts the ones that wait longest. */
export async function replaceEndedRuns(workspaceId: string, runIds: readonly string[]): Promise<void> {
  const max = await openRunsMax(workspaceId)
  if (max === null) return
  for (const runId of runIds) await releaseRunPermit(workspaceId, runId)
  const waiting = await startWaitingRuns(workspaceId, max)
  await Promise.all(waiting.map((start, index) => setPlace(workspaceId, start, index + 1)))
}

/** None of a suspended workspace. Null is unlimited, also for an erased workspace, whose runs end by themselves. */
async function openRunsMax(workspaceId: string): Promise<number | null> {
  const workspace = await findWorkspace(workspaceId)
  if (!workspace || workspace.erasedAt) return null
  return workspace.suspendedAt ? 0 : plans[workspace.planId].openRunsMax
}

/** The place of a run among those that wait, from 1; undefined where it has started. */
function placeIn(waiting: readonly PipelineStart[], { runId }: PipelineStart): number | undefined {
  const index = waiting.findIndex((other) => other.runId === runId)
  if (index >= 0) return index + 1
  // The ids of these runs begin with the times of their requests.
  return waiting.length === placesMax && runId > waiting.at(-1)!.runId ? placesMax + 1 : undefined
}

/** Starts as many runs as there are permits, and returns the first of those that wait for one. */
async function startWaitingRuns(workspaceId: string, max: number): Promise<PipelineStart[]> {
  const waiting: PipelineStart[] = []
  for await (const { start, ...key } of listPipelineStarts(workspaceId)) {
    const kind = limitedJobs[start.pipeline]
    if (!kind) continue
    const mayAcquire = max > 0 && waiting.length === 0
    const permit = mayAcquire ? await acquireRunPermit(workspaceId, start.runId, max) : 'none left'
    if (permit === 'started') continue
    if (permit === 'none left') {
      waiting.push(start)
      if (waiting.length === placesMax) break
      continue
    }
    const job = (await findVideo(workspaceId, start.videoId))?.[kind]
    if (job?.runId === start.runId && isOpen(job)) {
      await startPipeline(workspaceId, start)
      await deleteOutboxRow(key)
    }
    // A run that ended before it got its permit releases none.
    else await releaseRunPermit(workspaceId, start.runId)
  }
  return waiting
}

async function setPlace(workspaceId: string, { pipeline, videoId: id, runId }: PipelineStart, place: number) {
  await setWaitingText({ workspaceId, id }, limitedJobs[pipeline]!, runId, waitingText(place))
}
