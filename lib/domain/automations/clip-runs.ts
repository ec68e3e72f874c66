/** The runs of an automation: how a clip is made or taken for a slot, gets that slot, is published, and is counted. */

import { toJobError } from '../core/failures.ts'
import { deterministicId, deterministicIdAt } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import { requestPublish, wasPosted } from '../publishing/publish.ts'
import type { Automation } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { PublishJob } from '../records/jobs.ts'
import type { Slot } from '../records/schedule.ts'
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

/** So many runs in a row that come to nothing stop an automation. */
const failuresMax = 5

export const isReadyToPublish = ({ media, process, render, publish }: Video) =>
  media.renderKey !== null && ![process, render, publish].some(isOpen)

/** A clip for the next slot; or a manual one, outside the timetable, which is published as soon as it is rendered. */
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
    runId: deterministicId('run', 'clip', ...cause),
  }
  const fields = { runs: number, lastRunAt: now, ...(isManual ? {} : { waitingClipId: ids.videoId }) }
  const decision = updateAutomation(context, fields, now)
  const wish = { regenerate: blueprint.type !== 'video', render: true }
  const clip = createClip(workspace, blueprint, wish, ids, now, { run: { isManual, isOver: false } })
  const blockers = blockersOf(workspace, blueprint, accounts, now)
  const told = { automation: automationSnapshot(decision.video, blockers), video: clip.video }
  const both = mergeDecisions(decision, clip)
  const event = newEvent('automation.clip_created', told, clip.video.id, now)
  return { decision: { ...both, events: [...both.events, event] }, clip: clip.video }
}

/** Takes a clip that the client had made. */
export function adoptClip(context: AutomationContext, spare: Video, now: string): VideoDecision {
  const run = { isManual: false, isOver: false }
  return mergeDecisions(
    updateAutomation(context, { waitingClipId: spare.id }, now),
    updateVideo(spare, { ...spare, run }, now),
  )
}

/** Gives a clip its slot. It may get the same one again, after a pause or an edit and another: hence the version. */
export function scheduleClip(context: AutomationContext, clip: Video, slot: Slot, now: string): VideoDecision {
  const { blueprint } = context
  const platforms = blueprint.destination?.platforms ?? []
  const profileId = blueprint.destination?.profileId ?? ''
  const waiting = { ...emptyPublishJob(clip, profileId), status: 'SCHEDULED' as const, scheduledAt: slot.at }
  const after = updateVideo(clip, { ...clip, publish: waiting, updatedAt: now }, now)
  const cause = `${clip.id}#${clip.version}`
  const event = newEvent('video.scheduled', { video: after.video, scheduledAt: slot.at, platforms }, cause, now)
  // The automation is written as well: a pause at the same moment would not see the slot that it has to take back.
  return mergeDecisions(updateAutomation(context, {}, now), { ...after, events: [event] })
}

/** A publication of which nothing was posted, or is yet. */
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

/** An automation publishes a clip once. */
const publishRunOf = ({ id }: Video) => deterministicId('run', 'publish', id)

/** Publishes the clip of a slot, and lets go of it. */
export function publishClip(context: AutomationContext, clip: Video, slot: Slot, now: string): VideoDecision {
  const decision = consumeSlot(context, slot, 'published', { wasBlocked: false, waitingClipId: null }, now)
  return mergeDecisions(decision, publishDecision(context, clip, now))
}

/** Refused where nobody can be reached any more. */
function publishDecision(
  { workspace, blueprint, profile, accounts }: AutomationContext,
  clip: Video,
  now: string,
): VideoDecision {
  const platforms = blueprint.destination?.platforms ?? []
  if (!profile || platforms.length === 0)
    throw new Refusal('warning-publish-not-configured', 'The automation has no profile or no platforms any more.')
  const requested = requestPublish(workspace, clip, { profile, accounts, platforms }, {}, publishRunOf(clip), now)
  const run = { ...clip.run!, isPublished: true }
  const { video, changes } = updateVideo(clip, { ...requested.video, run }, now)
  return { ...requested, video, changes }
}

/**
 * What is next for a clip of a run, whichever slot is next: it is counted once it has ended, a manual one is published. A publication that the
 * client began counts for nothing: one that may have appeared takes the clip away, after another one the clip is still to be published.
 */
export function decideClip(context: AutomationContext, clip: Video, now: string): VideoDecision | undefined {
  const { run } = clip
  if (!run || run.isOver || isOpen(clip.publish)) return undefined
  const end = runOutcome(clip)
  if (end) return recordRunOutcome(context, clip, end, { why: errorOf(clip), now })
  if (wasPosted(clip, now)) return releaseClip(context, clip, now)
  return run.isManual && isReadyToPublish(clip) ? publishManualClip(context, clip, now) : undefined
}

/** How a run ended, or undefined where it goes on. A film that is there outlives the attempt to make another. */
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

/** Where nobody can be reached any more it came to nothing, and its clip tells why. */
function publishManualClip(context: AutomationContext, clip: Video, now: string): VideoDecision {
  try {
    // The automation is written as well: an edit at the same moment says that it goes elsewhere.
    return mergeDecisions(updateAutomation(context, {}, now), publishDecision(context, clip, now))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const ended = failUnpublished(clip, context.blueprint, error, now)
    return recordRunOutcome(context, clip, 'failed', { why: error.message, now, ended })
  }
}

/** The end of a manual run whose blueprint is none any more: nobody publishes its clip, which stays, and tells why. */
export function decideOrphanedClip(clip: Video, source: Video, now: string): VideoDecision | undefined {
  const { run } = clip
  if (!run?.isManual || run.isOver || run.isPublished || clip.publish !== null || !isReadyToPublish(clip))
    return undefined
  const reason = 'The automation was ended before this clip was ready. Publish it yourself.'
  const ended = failUnpublished(clip, source, new Refusal('warning-publish-not-configured', reason), now)
  // It may be made a blueprint again at the same moment.
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
  why: string | undefined
  now: string
  /** What its clip then is, where that is more than over. */
  ended?: VideoDecision
}

/**
 * Counts what became of a run, once: a clip that was published clears the failures before it, the fifth in a row stops the automation.
 * A slot is tried once: a clip that came to nothing before it is made up for by it, one that did behind it uses it up.
 */
function recordRunOutcome(
  context: AutomationContext,
  clip: Video,
  end: 'published' | 'failed',
  { why, now, ended }: RunResult,
): VideoDecision {
  const { automation } = context.blueprint
  const isWaiting = automation.waitingClipId === clip.id
  const failures = end === 'published' ? 0 : automation.failures + 1
  const stops = failures >= failuresMax && automation.status === 'active'
  const label = `${failuresMax} runs in a row failed`
  const reasons = [{ id: 'repeated-failures', label: why ?? label }]
  const fields = {
    failures,
    ...(isWaiting ? { waitingClipId: null } : {}),
    ...(stops ? stopFields({ reason: 'repeated_failures', kind: 'transient', label }, reasons, now) : {}),
  }
  const slot = isWaiting ? dueSlot(automation, now) : undefined
  const decision = slot
    ? consumeSlot(context, slot, 'failed', { wasBlocked: false, ...fields }, now)
    : updateAutomation(context, fields, now)
  const told = stops ? withStoppedEvent(decision, reasons, now) : decision
  const publish = clip.publish?.status === 'SCHEDULED' ? null : clip.publish
  const both = mergeDecisions(told, ended ?? endRun(clip, { publish }, now))
  return stops && !isWaiting ? withClipUnscheduled(both, context.clip, now) : both
}

/** The slot that is being decided on. */
const dueSlot = ({ nextSlot }: Automation, now: string): Slot | undefined =>
  nextSlot && nextSlot.at <= now && !isMissed(nextSlot, now) ? nextSlot : undefined
