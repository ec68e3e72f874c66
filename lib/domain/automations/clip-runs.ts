/** Automation runs: create or adopt a clip, schedule it for a slot, publish it, record the outcome. */

import { toJobError } from '../core/failures.ts'
import { deterministicId, deterministicIdAt } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import { requestPublish, wasPosted } from '../publishing/publish.ts'
import type { Automation } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { PublishJob } from '../records/jobs.ts'
import type { Slot } from '../records/slot.ts'
import { isMissed } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { createClip } from '../videos/clip.ts'
import { updateVideo } from '../videos/update-video.ts'
import { blockersOf } from './blockers.ts'
import { automationSnapshot, withClipUnscheduled } from './blueprint.ts'
import {
  type AutomationContext,
  consumeSlot,
  mergeDecisions,
  stopFields,
  updateAutomation,
  withStoppedEvent,
} from './decision-builders.ts'

/** Failed runs in a row that stop an automation. */
const automationFailuresMax = 5

export const isReadyToPublish = ({ media, process, render, publish }: Video) =>
  media.renderKey !== null && ![process, render, publish].some(isOpen)

/** Makes a clip for the next slot; a manual one is outside the schedule and is published as soon as it is rendered. */
export function runAutomation(
  context: AutomationContext,
  isManual: boolean,
  now: string,
): { decision: VideoDecision; clip: Video } {
  const { workspace, blueprint, accounts } = context
  const number = blueprint.automation.runs + 1
  const cause = [blueprint.id, String(number)]
  const ids = {
    videoId: deterministicIdAt('vid', now, 'clip', ...cause),
    runId: deterministicIdAt('run', now, 'clip', ...cause),
  }
  const fields = { runs: number, lastRunAt: now, ...(isManual ? {} : { waitingClipId: ids.videoId }) }
  const decision = updateAutomation(context, fields, now)
  const options = { regenerate: blueprint.type !== 'video', render: true }
  const clip = createClip(workspace, blueprint, options, ids, now, { run: { isManual, isOver: false } })
  const blockers = blockersOf(workspace, blueprint, accounts, now)
  const payload = { automation: automationSnapshot(decision.video, blockers), video: clip.video }
  const merged = mergeDecisions(decision, clip)
  const event = newEvent('automation.clip_created', payload, clip.video.id, now)
  return { decision: { ...merged, events: [...merged.events, event] }, clip: clip.video }
}

/** Assigns a clip that the client made to the next slot. */
export function adoptClip(context: AutomationContext, spare: Video, now: string): VideoDecision {
  const run = { isManual: false, isOver: false }
  return mergeDecisions(
    updateAutomation(context, { waitingClipId: spare.id }, now),
    updateVideo(spare, { ...spare, run }, now),
  )
}

/** Schedules a clip for a slot. The event's cause has the version: after a pause or an edit it may get the same slot again. */
export function scheduleClip(context: AutomationContext, clip: Video, slot: Slot, now: string): VideoDecision {
  const { blueprint } = context
  const platforms = blueprint.destination?.platforms ?? []
  const profileId = blueprint.destination?.profileId ?? ''
  const scheduled = { ...emptyPublishJob(clip, profileId), status: 'SCHEDULED' as const, scheduledAt: slot.at }
  const after = updateVideo(clip, { ...clip, publish: scheduled, updatedAt: now }, now)
  const cause = `${clip.id}#${clip.version}`
  const event = newEvent('video.scheduled', { video: after.video, scheduledAt: slot.at, platforms }, cause, now)
  // Also writes the automation, so that a concurrent pause conflicts: it would miss the slot that it has to revoke.
  return mergeDecisions(updateAutomation(context, {}, now), { ...after, events: [event] })
}

/** A publish job without any posts. */
const emptyPublishJob = (clip: Video, profileId: string): Omit<PublishJob, 'status'> => ({
  runId: publishRunOf(clip),
  scheduledAt: null,
  queuedAt: null,
  startedAt: null,
  publishedAt: null,
  failedAt: null,
  deadlineAt: null,
  profileId,
  film: null,
  platforms: [],
  missingPlatforms: [],
  unhealthyPlatforms: [],
  caption: clip.brief.description ?? '',
  results: [],
  error: null,
})

/** Deterministic: an automation publishes a clip once. */
const publishRunOf = ({ id }: Video) => deterministicId('run', 'publish', id)

/** Publishes the clip of a slot and releases it from the automation. */
export function publishClip(context: AutomationContext, clip: Video, slot: Slot, now: string): VideoDecision {
  const decision = consumeSlot(context, slot, 'published', { wasBlocked: false, waitingClipId: null }, now)
  return mergeDecisions(decision, publishDecision(context, clip, now))
}

/** Refuses if the automation no longer has a profile, platforms or healthy accounts. */
function publishDecision(
  { workspace, blueprint, profile, accounts }: AutomationContext,
  clip: Video,
  now: string,
): VideoDecision {
  const platforms = blueprint.destination?.platforms ?? []
  if (!profile || platforms.length === 0)
    throw new Refusal('warning-publish-not-configured', 'The automation no longer has a profile or platforms.')
  const requested = requestPublish(workspace, clip, { profile, accounts, platforms }, {}, publishRunOf(clip), now)
  const run = { ...clip.run!, isPublished: true }
  const { video, changes } = updateVideo(clip, { ...requested.video, run }, now)
  return { ...requested, video, changes }
}

/**
 * The next decision on the clip of a run, independent of slots: records the outcome once it ended, publishes a manual clip.
 * A publication by the client does not count as the run's: if the post may be visible, the clip is released; if it failed,
 * the clip is still published by the automation.
 */
export function decideClip(context: AutomationContext, clip: Video, now: string): VideoDecision | undefined {
  const { run } = clip
  if (!run || run.isOver || isOpen(clip.publish)) return undefined
  const outcome = runOutcome(clip)
  if (outcome) return recordRunOutcome(context, clip, outcome, { reason: errorOf(clip), now })
  if (wasPosted(clip, now)) return releaseClip(context, clip, now)
  return run.isManual && isReadyToPublish(clip) ? publishManualClip(context, clip, now) : undefined
}

/** How a run ended, or undefined while it continues. A clip that has a render is not failed by a later failed attempt. */
export function runOutcome({ run, publish, process, render, media }: Video): 'published' | 'failed' | undefined {
  if (run?.isPublished && !isOpen(publish)) return publish?.status === 'COMPLETED' ? 'published' : 'failed'
  const isAtRest = !isOpen(process) && !isOpen(render)
  const hasFailed = process?.status === 'FAILED' || render?.status === 'FAILED'
  return isAtRest && hasFailed && media.renderKey === null ? 'failed' : undefined
}

const errorOf = ({ run, publish, render, process }: Video) =>
  (run?.isPublished ? publish?.error : (render?.error ?? process?.error))?.message

function releaseClip(context: AutomationContext, clip: Video, now: string): VideoDecision {
  const isWaiting = context.blueprint.automation.waitingClipId === clip.id
  return mergeDecisions(updateAutomation(context, isWaiting ? { waitingClipId: null } : {}, now), endRun(clip, {}, now))
}

/** Publishes a manual clip. If publishing is refused, the run fails and the clip has the reason. */
function publishManualClip(context: AutomationContext, clip: Video, now: string): VideoDecision {
  try {
    // Also writes the automation, so that a concurrent edit of the destination conflicts.
    return mergeDecisions(updateAutomation(context, {}, now), publishDecision(context, clip, now))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const ended = failUnpublished(clip, context.blueprint, error, now)
    return recordRunOutcome(context, clip, 'failed', { reason: error.message, now, ended })
  }
}

/** Ends a manual run whose source is no longer a blueprint: its clip stays unpublished, with the reason. */
export function decideOrphanedClip(clip: Video, source: Video, now: string): VideoDecision | undefined {
  const { run } = clip
  if (!run?.isManual || run.isOver || run.isPublished || clip.publish !== null || !isReadyToPublish(clip))
    return undefined
  const reason = 'The automation was ended before this clip was ready. Publish it yourself.'
  const ended = failUnpublished(clip, source, new Refusal('warning-publish-not-configured', reason), now)
  // Also writes the source, so that a concurrent promotion conflicts.
  return mergeDecisions(updateVideo(source, source, now), ended)
}

function failUnpublished(clip: Video, { destination }: Video, reason: Refusal, now: string): VideoDecision {
  const error = toJobError(reason, 'publish-failed')
  const failed = {
    ...emptyPublishJob(clip, destination?.profileId ?? ''),
    status: 'FAILED' as const,
    failedAt: now,
    error,
  }
  const decision = endRun(clip, { publish: failed, updatedAt: now }, now)
  return {
    ...decision,
    events: [newEvent('video.publish_failed', { video: decision.video, error }, failed.runId, now)],
  }
}

const endRun = (clip: Video, fields: Partial<Video>, now: string): VideoDecision =>
  updateVideo(clip, { ...clip, ...fields, run: { ...clip.run!, isOver: true } }, now)

interface RunResult {
  /** Message of the failure. */
  reason: string | undefined
  now: string
  /** The decision that ends the clip's run, if it changes more than that. */
  ended?: VideoDecision
}

/**
 * Records the outcome of a run, once: a published clip resets the failure count, the fifth failure in a row stops the automation.
 * A slot is tried once: a failure before its time leaves the slot for another clip, a failure after it consumes the slot.
 */
function recordRunOutcome(
  context: AutomationContext,
  clip: Video,
  outcome: 'published' | 'failed',
  { reason, now, ended }: RunResult,
): VideoDecision {
  const { automation } = context.blueprint
  const isWaiting = automation.waitingClipId === clip.id
  const failures = outcome === 'published' ? 0 : automation.failures + 1
  const stops = failures >= automationFailuresMax && automation.status === 'active'
  const label = `${automationFailuresMax} runs in a row failed`
  const blockers = [{ id: 'repeated-failures', label: reason ?? label }]
  const fields = {
    failures,
    ...(isWaiting ? { waitingClipId: null } : {}),
    ...(stops ? stopFields({ reason: 'repeated_failures', kind: 'transient', label }, blockers, now) : {}),
  }
  const slot = isWaiting ? dueSlot(automation, now) : undefined
  const decision = slot
    ? consumeSlot(context, slot, 'failed', { wasBlocked: false, ...fields }, now)
    : updateAutomation(context, fields, now)
  const withEvent = stops ? withStoppedEvent(decision, blockers, now) : decision
  const publish = clip.publish?.status === 'SCHEDULED' ? null : clip.publish
  const merged = mergeDecisions(withEvent, ended ?? endRun(clip, { publish }, now))
  return stops && !isWaiting ? withClipUnscheduled(merged, context.clip, now) : merged
}

/** The slot that is due and not missed yet. */
const dueSlot = ({ nextSlot }: Automation, now: string): Slot | undefined =>
  nextSlot && nextSlot.at <= now && !isMissed(nextSlot, now) ? nextSlot : undefined
