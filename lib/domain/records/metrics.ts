/** What is measured beside what AWS measures by itself, and what a decision shows of it. Alarms and the dashboard name the same metrics. */

import type { JobError } from '../core/failures.ts'
import { isOpen } from '../core/states.ts'
import { secondsBetween } from '../core/time.ts'
import type { Decision, RecordChange } from './decision.ts'
import { isMissed, type SlotRecord } from './slot.ts'
import type { Video } from './video.ts'

/** By name: the unit, as CloudWatch knows it. */
export const metrics = {
  /** How old what a commit wants done was when somebody took it. */
  OutboxAge: 'Seconds',
  /** How long after its time a delivery was attempted, or found waiting. */
  DeliveryLateness: 'Seconds',
  SlotLateness: 'Seconds',
  /** What the sweeper had to start, end or wake in the place of whoever should have. */
  Repairs: 'Count',
  /** Work that ended in an error which nobody expected, by `what`: it is tried again. */
  Faults: 'Count',
  /** By `job` and `code`, which is `completed` or that of the error. */
  JobsEnded: 'Count',
  /** By `job`: those that ended for a reason other than an expected limit. */
  JobsFailed: 'Count',
  /** Posts of which nobody knows whether they have appeared. */
  PostsUnknown: 'Count',
  /** Endpoints that were disabled because they failed too often. */
  EndpointsDisabled: 'Count',
} as const
export type MetricName = keyof typeof metrics

export interface Measurement {
  name: MetricName
  value: number
  /** Few values each: every combination is a metric that is paid for. */
  by?: Record<string, string>
}

/** What a decision shows that was written at `now`. A workspace with a clock of its own is ahead of it: it has no late slots. */
export const measurementsOf = ({ changes, slotRecords: slots = [] }: Decision, now: string): Measurement[] => [
  ...changes.flatMap(measuredInChange),
  ...slots.filter(({ decidedAt }) => decidedAt <= now).flatMap(measuredInSlot),
]

function measuredInSlot(slot: SlotRecord): Measurement[] {
  const { outcome, at, decidedAt } = slot
  // Before its hour is over it is given up by a client, who pauses or moves the timetable.
  if (outcome === 'missed' && isMissed(slot, decidedAt)) return [{ name: 'Faults', value: 1, by: { what: 'slot' } }]
  return outcome === 'published' ? [{ name: 'SlotLateness', value: secondsBetween(at, decidedAt) }] : []
}

function measuredInChange({ record, before, after }: RecordChange): Measurement[] {
  if (!before || !after) return []
  if (record === 'action') {
    const ended = before.status === 'RUNNING' && after.status !== 'RUNNING' && before.runId === after.runId
    return ended ? end('act', after.error) : []
  }
  if (record === 'webhook') {
    const disabled = before.enabled && !after.enabled && after.disabledReason !== null
    return disabled ? [{ name: 'EndpointsDisabled', value: 1 }] : []
  }
  return record === 'video' ? [...endsOfJobs(before, after), ...unknownPosts(before, after)] : []
}

const jobsOf = ({ process, render, publish }: Video) => ({ generate: process, render, publish })

const endsOfJobs = (before: Video, after: Video): Measurement[] => {
  const [earlier, later] = [jobsOf(before), jobsOf(after)]
  return (['generate', 'render', 'publish'] as const).flatMap((name) => {
    const [was, is] = [earlier[name], later[name]]
    const ended = was && is && isOpen(was) && !isOpen(is) && was.runId === is.runId
    return ended ? end(name, is.error) : []
  })
}

/** An expected limit is no failure of ours. */
const end = (job: string, error: JobError | null): Measurement[] => [
  { name: 'JobsEnded', value: 1, by: { job, code: error?.code ?? 'completed' } },
  ...(error && !error.blocked ? [{ name: 'JobsFailed' as const, value: 1, by: { job } }] : []),
]

function unknownPosts(before: Video, after: Video): Measurement[] {
  const unknown = ({ publish }: Video) =>
    (publish?.results ?? []).filter(({ error }) => error?.code === 'publish-outcome-unknown')
  const known = before.publish?.runId === after.publish?.runId ? unknown(before).length : 0
  const value = unknown(after).length - known
  return value > 0 ? [{ name: 'PostsUnknown', value }] : []
}
