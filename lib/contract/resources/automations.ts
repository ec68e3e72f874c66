/** Schemas of automations in responses. */
import * as v from 'valibot'
import { blockerIds } from '../../domain/automations/blockers.ts'
import { stopReasons } from '../../domain/records/automation.ts'
import { frequencies, slotModes, weekdays } from '../../domain/records/schedule.ts'
import { slotOutcomes } from '../../domain/records/slot.ts'
import { timestamp } from '../schemas.ts'
import { platformId, video } from './index.ts'

const slotTime = { time: v.string(), mode: v.picklist(slotModes) }

const schedule = v.object({
  frequency: v.picklist(frequencies),
  timezone: v.string(),
  times: v.array(v.object(slotTime)),
  days: v.array(v.object({ day: v.picklist(weekdays), ...slotTime })),
})

const blockers = v.array(v.object({ id: v.picklist([...blockerIds]), label: v.string() }))
const health = { ready: v.boolean(), blockers, nextScheduledAt: v.nullable(timestamp) }

const listed = {
  id: v.string(),
  title: v.string(),
  status: v.picklist(['active', 'paused']),
  statusUpdatedAt: timestamp,
  schedule,
  publishing: v.object({ profileId: v.nullable(v.string()), platforms: v.array(platformId) }),
  autoRefill: v.boolean(),
  lastRunAt: v.nullable(timestamp),
  stopped: v.nullable(
    v.object({
      reason: v.picklist([...stopReasons]),
      kind: v.picklist(['config', 'transient']),
      label: v.string(),
      detail: v.string(),
      stoppedAt: timestamp,
    }),
  ),
  health: v.object(health),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const automationItem = v.object(listed)
export type AutomationItem = v.InferOutput<typeof automationItem>

/** `source` is the blueprint; `source.isAutomation` is false once it was demoted to a plain video. */
export const automation = v.object({ ...listed, source: video })
export type AutomationResource = v.InferOutput<typeof automation>

export const automationHealth = v.object({
  ...health,
  /** The next five slots. */
  upcoming: v.array(timestamp),
  /** The outcomes of the latest slots, newest first. */
  recent: v.array(
    v.object({ scheduledAt: timestamp, outcome: v.picklist([...slotOutcomes]), clipId: v.nullable(v.string()) }),
  ),
})
export type AutomationHealth = v.InferOutput<typeof automationHealth>
