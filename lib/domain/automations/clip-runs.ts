/** The runs of an automation: how a clip is made or taken for a slot, gets that slot, is published, and is counted. */

import { jobError } from '../core/failures.ts'
import { idAt, idFromCause } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import { requestPublish, wasPosted } from '../publishing/publish.ts'
import type { Automation } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import { tell } from '../records/event.ts'
import type { PublishJob } from '../records/jobs.ts'
import type { Slot } from '../records/schedule.ts'
import { isMissed } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { createClip } from '../videos/clip.ts'
import { changed } from '../videos/update-video.ts'
import { blockersOf } from './blockers.ts'
import { toldAutomation, withUnscheduled } from './blueprint.ts'
import { type AutomationView, stop, tellingStopped, together, used, withAutomation } from './decision-builders.ts'

/** So many runs in a row that come to nothing stop an automation. */
const failuresMax = 5

export const isReady = ({ media, process, render, publish }: Video) =>
  media.renderKey !== null && ![process, render, publish].some(isOpen)

/** A clip for the next slot; or a manual one, outside the timetable, which is published as soon as it is rendered. */
export function runAutomation(
  view: AutomationView,
  isManual: boolean,
  now: string,
): { decision: VideoDecision; clip: Video } {
  const { workspace, blueprint, accounts } = view
  const number = blueprint.automation.runs + 1
  const cause = [blueprint.id, String(number)]
  const ids = { videoId: idAt('vid', now, 'clip', ...cause), runId: idFromCause('run', 'clip', ...cause) }
  const fields = { runs: number, lastRunAt: now, ...(isManual ? {} : { waitingClipId: ids.videoId }) }
  const decision = withAutomation(view, fields, now)
  const wish = { regenerate: blueprint.type !== 'video', render: true }
  const clip = createClip(workspace, blueprint, wish, ids, now, { run: { isManual, isOver: false } })
  const blockers = blockersOf(workspace, blueprint, accounts, now)
  const told = { automation: toldAutomation(decision.video, blockers), video: clip.video }
  const both = together(decision, clip)
  const event = tell('automation.clip_created', told, clip.video.id, now)
  return { decision: { ...both, events: [...both.events, event] }, clip: clip.video }
}

/** Takes a clip that the client had made. */
export function adopted(view: AutomationView, spare: Video, now: string): VideoDecision {
  const run = { isManual: false, isOver: false }
  return together(withAutomation(view, { waitingClipId: spare.id }, now), changed(spare, { ...spare, run }, now))
}

/** Gives a clip its slot. It may get the same one again, after a pause or an edit and another: hence the version. */
export function armed(view: AutomationView, clip: Video, slot: Slot, now: string): VideoDecision {
  const { blueprint } = view
  const platforms = blueprint.destination?.platforms ?? []
  const profileId = blueprint.destination?.profileId ?? ''
  const waiting = { ...nothingPosted(clip, profileId), status: 'SCHEDULED' as const, scheduledAt: slot.at }
  const after = changed(clip, { ...clip, publish: waiting, updatedAt: now }, now)
  const cause = `${clip.id}#${clip.version}`
  const event = tell('video.scheduled', { video: after.video, scheduledAt: slot.at, platforms }, cause, now)
  // The automation is written as well: a pause at the same moment would not see the slot that it has to take back.
  return together(withAutomation(view, {}, now), { ...after, events: [event] })
}

/** A publication of which nothing was posted, or is yet. */
const nothingPosted = (clip: Video, profileId: string): Omit<PublishJob, 'status'> => ({
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
const publishRunOf = ({ id }: Video) => idFromCause('run', 'publish', id)

/** Publishes the clip of a slot, and lets go of it. */
export function published(view: AutomationView, clip: Video, slot: Slot, now: string): VideoDecision {
  const decision = used(view, slot, 'published', { wasBlocked: false, waitingClipId: null }, now)
  return together(decision, publication(view, clip, now))
}

/** Refused where nobody can be reached any more. */
function publication(
  { workspace, blueprint, profile, accounts }: AutomationView,
  clip: Video,
  now: string,
): VideoDecision {
  const platforms = blueprint.destination?.platforms ?? []
  if (!profile || platforms.length === 0)
    throw new Refusal('warning-publish-not-configured', 'The automation has no profile or no platforms any more.')
  const requested = requestPublish(workspace, clip, { profile, accounts, platforms }, {}, publishRunOf(clip), now)
  const run = { ...clip.run!, isPublished: true }
  const { video, changes } = changed(clip, { ...requested.video, run }, now)
  return { ...requested, video, changes }
}

/**
 * What is next for a clip of a run, whichever slot is next: it is counted once it has ended, a manual one is published. A publication that the
 * client began counts for nothing: one that may have appeared takes the clip away, after another one the clip is still to be published.
 */
export function decideClip(view: AutomationView, clip: Video, now: string): VideoDecision | undefined {
  const { run } = clip
  if (!run || run.isOver || isOpen(clip.publish)) return undefined
  const end = endOf(clip)
  if (end) return counted(view, clip, end, { why: errorOf(clip), now })
  if (wasPosted(clip, now)) return takenByClient(view, clip, now)
  return run.isManual && isReady(clip) ? publishedAtOnce(view, clip, now) : undefined
}

/** How a run ended, or undefined where it goes on. A film that is there outlives the attempt to make another. */
export function endOf({ run, publish, process, render, media }: Video): 'published' | 'failed' | undefined {
  if (run?.isPublished && !isOpen(publish)) return publish?.status === 'COMPLETED' ? 'published' : 'failed'
  const isAtRest = !isOpen(process) && !isOpen(render)
  const hasFailed = process?.status === 'FAILED' || render?.status === 'FAILED'
  return isAtRest && hasFailed && media.renderKey === null ? 'failed' : undefined
}

const errorOf = ({ run, publish, render, process }: Video) =>
  (run?.isPublished ? publish?.error : (render?.error ?? process?.error))?.message

function takenByClient(view: AutomationView, clip: Video, now: string): VideoDecision {
  const isWaiting = view.blueprint.automation.waitingClipId === clip.id
  return together(withAutomation(view, isWaiting ? { waitingClipId: null } : {}, now), over(clip, {}, now))
}

/** Where nobody can be reached any more it came to nothing, and its clip tells why. */
function publishedAtOnce(view: AutomationView, clip: Video, now: string): VideoDecision {
  try {
    // The automation is written as well: an edit at the same moment says that it goes elsewhere.
    return together(withAutomation(view, {}, now), publication(view, clip, now))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const ended = unpublished(clip, view.blueprint, error, now)
    return counted(view, clip, 'failed', { why: error.message, now, ended })
  }
}

/** The end of a manual run whose blueprint is none any more: nobody publishes its clip, which stays, and tells why. */
export function decideLeftClip(clip: Video, source: Video, now: string): VideoDecision | undefined {
  const { run } = clip
  if (!run?.isManual || run.isOver || run.isPublished || clip.publish !== null || !isReady(clip)) return undefined
  const reason = 'The automation was ended before this clip was ready. Publish it yourself.'
  const ended = unpublished(clip, source, new Refusal('warning-publish-not-configured', reason), now)
  // It may be made a blueprint again at the same moment.
  return together(changed(source, source, now), ended)
}

function unpublished(clip: Video, { destination }: Video, reason: Refusal, now: string): VideoDecision {
  const error = jobError(reason, 'publish-failed')
  const failed = {
    ...nothingPosted(clip, destination?.profileId ?? ''),
    status: 'FAILED' as const,
    failedAt: now,
    error,
  }
  const decision = over(clip, { publish: failed, updatedAt: now }, now)
  return { ...decision, events: [tell('video.publish_failed', { video: decision.video, error }, failed.runId, now)] }
}

const over = (clip: Video, fields: Partial<Video>, now: string): VideoDecision =>
  changed(clip, { ...clip, ...fields, run: { ...clip.run!, isOver: true } }, now)

interface Count {
  why: string | undefined
  now: string
  /** What its clip then is, where that is more than over. */
  ended?: VideoDecision
}

/**
 * Counts what became of a run, once: a clip that was published clears the failures before it, the fifth in a row stops the automation.
 * A slot is tried once: a clip that came to nothing before it is made up for by it, one that did behind it uses it up.
 */
function counted(
  view: AutomationView,
  clip: Video,
  end: 'published' | 'failed',
  { why, now, ended }: Count,
): VideoDecision {
  const { automation } = view.blueprint
  const isWaiting = automation.waitingClipId === clip.id
  const failures = end === 'published' ? 0 : automation.failures + 1
  const stops = failures >= failuresMax && automation.status === 'active'
  const label = `${failuresMax} runs in a row failed`
  const reasons = [{ id: 'repeated-failures', label: why ?? label }]
  const fields = {
    failures,
    ...(isWaiting ? { waitingClipId: null } : {}),
    ...(stops ? stop({ reason: 'repeated_failures', kind: 'transient', label }, reasons, now) : {}),
  }
  const slot = isWaiting ? dueSlot(automation, now) : undefined
  const decision = slot
    ? used(view, slot, 'failed', { wasBlocked: false, ...fields }, now)
    : withAutomation(view, fields, now)
  const told = stops ? tellingStopped(decision, reasons, now) : decision
  const publish = clip.publish?.status === 'SCHEDULED' ? null : clip.publish
  const both = together(told, ended ?? over(clip, { publish }, now))
  return stops && !isWaiting ? withUnscheduled(both, view.clip, now) : both
}

/** The slot that is being decided on. */
const dueSlot = ({ nextSlot }: Automation, now: string): Slot | undefined =>
  nextSlot && nextSlot.at <= now && !isMissed(nextSlot, now) ? nextSlot : undefined
