/** Business metrics in addition to those of AWS, and how they follow from a decision. Alarms and the dashboard use the same names. */

import type { JobError } from '../core/failures.ts'
import { isOpen } from '../core/states.ts'
import { secondsBetween } from '../core/time.ts'
import type { Decision, RecordChange } from './decision.ts'
import { isMissed, type SlotRecord } from './slot.ts'
import type { Video } from './video.ts'

/** Each metric with its CloudWatch unit. */
export const metrics = {
  /** Age of an outbox row when it is drained. */
  OutboxAge: 'Seconds',
  /** Delay between the due time of a delivery and its attempt, or its recovery. */
  DeliveryLateness: 'Seconds',
  SlotLateness: 'Seconds',
  /** Recoveries by the sweeper: what it had to start, end or re-enqueue. */
  Repairs: 'Count',
  /** Unexpected errors, by `what`. The work is retried. */
  Faults: 'Count',
  /** By `job` and `code`: `completed` or the error code. */
  JobsEnded: 'Count',
  /** By `job`, without those that ended at an expected limit. */
  JobsFailed: 'Count',
  /** Posts with an unknown outcome. */
  PostsUnknown: 'Count',
  /** Endpoints that were disabled after too many failures. */
  EndpointsDisabled: 'Count',
} as const
export type MetricName = keyof typeof metrics

export interface Measurement {
  name: MetricName
  value: number
  /** Dimensions, with few values each: every combination is billed as a metric. */
  by?: Record<string, string>
}

/** The metrics of a decision that was committed at `now`. Slots of a test clock that is ahead of `now` are not measured. */
export const measurementsOf = ({ changes, slotRecords: slots = [] }: Decision, now: string): Measurement[] => [
  ...changes.flatMap(measuredInChange),
  ...slots.filter(({ decidedAt }) => decidedAt <= now).flatMap(measuredInSlot),
]

function measuredInSlot(slot: SlotRecord): Measurement[] {
  const { outcome, at, decidedAt } = slot
  // A slot that is missed within its hour was abandoned by a client, who paused or moved the schedule.
  if (outcome === 'missed' && isMissed(slot, decidedAt)) return [{ name: 'Faults', value: 1, by: { what: 'slot' } }]
  return outcome === 'published' ? [{ name: 'SlotLateness', value: secondsBetween(at, decidedAt) }] : []
}

function measuredInChange({ record, before, after }: RecordChange): Measurement[] {
  if (!before || !after) return []
  if (record === 'syncJob') {
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

/** An expected limit does not count as a failure. */
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
