/** Converts automations to their resources. */

import type { BlockerId } from '../../domain/automations/blockers.ts'
import { scheduleOf, upcomingSlots } from '../../domain/automations/blueprint.ts'
import type { Automation } from '../../domain/records/automation.ts'
import type { SlotRecord } from '../../domain/records/slot.ts'
import type { Video } from '../../domain/records/video.ts'
import type { AutomationHealth, AutomationItem, AutomationResource } from '../resources/automations.ts'
import type { MediaUrlFor } from './index.ts'
import { videoView } from './index.ts'

type Blockers = { id: BlockerId; label: string }[]

/** `video` is or was a blueprint. */
export function automationItemView(video: Video & { automation: Automation }, blockers: Blockers): AutomationItem {
  const { id, title, automation, destination, createdAt, updatedAt } = video
  return {
    id,
    title,
    status: automation.status,
    statusUpdatedAt: automation.statusUpdatedAt,
    schedule: scheduleOf(automation),
    publishing: { profileId: destination?.profileId ?? null, platforms: destination?.platforms ?? [] },
    autoRefill: automation.autoRefill,
    lastRunAt: automation.lastRunAt,
    stopped: automation.stopped,
    health: healthOf(automation, blockers),
    createdAt,
    updatedAt,
  }
}

export const automationView = (
  video: Video & { automation: Automation },
  blockers: Blockers,
  mediaUrl: MediaUrlFor,
): AutomationResource => ({ ...automationItemView(video, blockers), source: videoView(video, mediaUrl) })

export const automationHealthView = (
  { id, automation }: { id: string; automation: Automation },
  blockers: Blockers,
  recent: SlotRecord[],
): AutomationHealth => ({
  ...healthOf(automation, blockers),
  upcoming: upcomingSlots(id, automation).map(({ at }) => at),
  recent: recent.map(({ at, outcome, clipId }) => ({ scheduledAt: at, outcome, clipId })),
})

const healthOf = ({ nextSlot }: Automation, blockers: Blockers) => ({
  ready: blockers.length === 0,
  blockers,
  nextScheduledAt: nextSlot?.at ?? null,
})
