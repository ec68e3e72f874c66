/** The runs of an automation: how a clip is made or taken for a slot, gets that slot, is published, and is counted. */
import type { Automation } from './automation.ts'
import { toldAutomation, withUnscheduled } from './automation.ts'
import { type AutomationView, stop, tellingStopped, together, used, withAutomation } from './automation-decision.ts'
import { blockersOf, publishingBlockers } from './blockers.ts'
import { createClip } from './clip.ts'
import type { VideoDecision } from './decision.ts'
import { tell } from './event.ts'
import { idFromCause } from './id.ts'
import type { PublishJob } from './job.ts'
import { requestPublish } from './publish.ts'
import { isOpen } from './states.ts'
import { secondsAfter } from './time.ts'
import type { Slot } from './timetable.ts'
import type { Video } from './video.ts'
import { changed } from './video.ts'

/** A slot that nobody could decide on for longer than this is not made up for. */
const missedAfterSeconds = 60 * 60
/** So many runs in a row that come to nothing stop an automation. */
const failuresMax = 5

/** From when on a slot is missed. */
export const missedAt = ({ at }: Slot) => secondsAfter(at, missedAfterSeconds)
export const isMissed = (slot: Slot, now: string) => missedAt(slot) <= now

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
  const ids = { videoId: idFromCause('vid', 'clip', ...cause), runId: idFromCause('run', 'clip', ...cause) }
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
  const { blueprint, profile } = view
  const platforms = blueprint.destination?.platforms ?? []
  const publish: PublishJob = {
    runId: publishRunOf(clip, slot),
    status: 'SCHEDULED',
    scheduledAt: slot.at,
    queuedAt: null,
    startedAt: null,
    publishedAt: null,
    failedAt: null,
    deadlineAt: null,
    profileId: profile?.id ?? '',
    film: null,
    platforms: [],
    missingPlatforms: [],
    unhealthyPlatforms: [],
    caption: clip.brief.description ?? '',
    results: [],
    error: null,
  }
  const after = changed(clip, { ...clip, publish, updatedAt: now }, now)
  const cause = `${clip.id}#${clip.version}`
  const event = tell('video.scheduled', { video: after.video, scheduledAt: slot.at, platforms }, cause, now)
  // The automation is written as well: a pause at the same moment would not see the slot that it has to take back.
  return together(withAutomation(view, {}, now), { ...after, events: [event] })
}

const publishRunOf = ({ id }: Video, { date, index }: Slot) => idFromCause('run', 'publish', id, date, String(index))

/** Publishes the clip of a slot, and lets go of it. */
export function published(view: AutomationView, clip: Video, slot: Slot, now: string): VideoDecision {
  const decision = used(view, slot, 'published', { wasBlocked: false, waitingClipId: null }, now)
  return together(decision, publication(view, clip, publishRunOf(clip, slot), now))
}

function publication(
  { workspace, blueprint, profile, accounts }: AutomationView,
  clip: Video,
  run: string,
  now: string,
) {
  if (!profile) throw new Error(`The automation ${blueprint.id} publishes without a profile.`)
  const target = { profile, accounts, platforms: blueprint.destination?.platforms ?? [] }
  return requestPublish(workspace, clip, target, {}, run, now)
}

/** What is next for a clip of a run, whichever slot is next: it is counted once it has ended, a manual one is published. */
export function decideClip(view: AutomationView, clip: Video, now: string): VideoDecision | undefined {
  const { run } = clip
  if (!run || run.isOver) return undefined
  const end = endOf(clip)
  if (end) return counted(view, clip, end, errorOf(clip), now)
  return run.isManual && isReady(clip) ? publishedAtOnce(view, clip, now) : undefined
}

/** How a run ended, or undefined where it goes on. A film that is there outlives the attempt to make another. */
function endOf({ publish, process, render, media }: Video): 'published' | 'failed' | undefined {
  if (publish?.status === 'COMPLETED') return 'published'
  if (publish?.status === 'FAILED') return 'failed'
  const isAtRest = !isOpen(process) && !isOpen(render)
  const hasFailed = process?.status === 'FAILED' || render?.status === 'FAILED'
  return isAtRest && hasFailed && media.renderKey === null ? 'failed' : undefined
}

const errorOf = ({ publish, render, process }: Video) => (publish?.error ?? render?.error ?? process?.error)?.message

/** Where nobody can be reached any more it came to nothing, and the client is told why. */
function publishedAtOnce(view: AutomationView, clip: Video, now: string): VideoDecision {
  const { workspace, blueprint, accounts } = view
  if (publishingBlockers(workspace, blueprint.destination, accounts).length === 0)
    return publication(view, clip, idFromCause('run', 'publish', clip.id), now)
  const blockers = blockersOf(workspace, blueprint, accounts, now)
  const labels = blockers.map(({ label }) => label).join(' ')
  return counted(view, clip, 'failed', labels, now)
}

/**
 * Counts what became of a run, once: a clip that was published clears the failures before it, the fifth in a row stops the automation.
 * A slot is tried once: a clip that came to nothing before it is made up for by it, one that did behind it uses it up.
 */
function counted(
  view: AutomationView,
  clip: Video,
  end: 'published' | 'failed',
  why: string | undefined,
  now: string,
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
  const slot = isWaiting && end === 'failed' && clip.publish?.status !== 'FAILED' ? dueSlot(automation, now) : undefined
  const decision = slot
    ? used(view, slot, 'failed', { wasBlocked: false, ...fields }, now)
    : withAutomation(view, fields, now)
  const told = stops ? tellingStopped(decision, reasons, now) : decision
  const publish = clip.publish?.status === 'SCHEDULED' ? null : clip.publish
  const both = together(told, changed(clip, { ...clip, publish, run: { ...clip.run!, isOver: true } }, now))
  return stops && !isWaiting ? withUnscheduled(both, view.clip, now) : both
}

/** The slot that is being decided on. */
const dueSlot = ({ nextSlot }: Automation, now: string): Slot | undefined =>
  nextSlot && nextSlot.at <= now && !isMissed(nextSlot, now) ? nextSlot : undefined
