/** Schemas of automations in responses. */
import * as v from 'valibot'
import { blockerIds } from '../../domain/automations/blockers.ts'
import { upcomingMax } from '../../domain/automations/blueprint.ts'
import { boundedText, listOf } from '../../domain/core/bounded.ts'
import { stopReasons } from '../../domain/records/automation.ts'
import { titleLengthMax } from '../../domain/records/brief.ts'
import {
  frequencies,
  slotModes,
  slotsMax,
  slotTimePattern,
  timeZoneLengthMax,
  weekdays,
} from '../../domain/records/schedule.ts'
import { shownSlotsMax, slotOutcomes } from '../../domain/records/slot.ts'
import { message, recordId, timestamp } from '../schemas.ts'
import { publishDocument, video } from './index.ts'

const slotTime = { time: v.pipe(v.string(), v.regex(slotTimePattern)), mode: v.picklist(slotModes) }

const schedule = v.object({
  frequency: v.picklist(frequencies),
  timezone: boundedText(timeZoneLengthMax),
  times: listOf(v.object(slotTime), slotsMax),
  days: listOf(v.object({ day: v.picklist(weekdays), ...slotTime }), slotsMax),
})

const blocker = v.object({ id: v.picklist(blockerIds), label: message })
const blockers = listOf(blocker, blockerIds.length)
const health = { ready: v.boolean(), blockers, nextScheduledAt: v.nullable(timestamp) }

const listed = {
  id: recordId,
  title: boundedText(titleLengthMax),
  status: v.picklist(['active', 'paused']),
  statusUpdatedAt: timestamp,
  schedule,
  publishing: v.object({ profileId: v.nullable(recordId), platforms: publishDocument.entries.platforms }),
  autoRefill: v.boolean(),
  lastRunAt: v.nullable(timestamp),
  stopped: v.nullable(
    v.object({
      reason: v.picklist(stopReasons),
      kind: v.picklist(['config', 'transient']),
      label: message,
      detail: message,
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
  upcoming: listOf(timestamp, upcomingMax),
  /** The outcomes of the latest slots, newest first. */
  recent: listOf(
    v.object({ scheduledAt: timestamp, outcome: v.picklist(slotOutcomes), clipId: v.nullable(recordId) }),
    shownSlotsMax,
  ),
})
export type AutomationHealth = v.InferOutput<typeof automationHealth>
