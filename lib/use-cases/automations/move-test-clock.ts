/**
 * Moves the clock of a test workspace: from slot to slot of its automations, as fast as the work allows. Jobs take the time that they take;
 * it is the clock that waits for them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { now } from '../../clock.ts'
import { isReadyToPublish, runOutcome } from '../../domain/automations/clip-runs.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { isOpen } from '../../domain/core/states.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { Automation } from '../../domain/records/automation.ts'
import { missedAt } from '../../domain/records/slot.ts'
import type { Video } from '../../domain/records/video.ts'
import { workspaceNow } from '../../domain/workspaces/workspace.ts'
import { keys } from '../../store/core/keys.ts'
import { getVideo, listClips } from '../../store/videos.ts'
import { advanceWorkspaceClock, getWorkspace } from '../../store/workspaces.ts'
import { recoverStalled } from '../recovery/recover-stalled.ts'
import { findClip, iterateAutomations } from './load-automation.ts'
import { reconcileAutomation } from './reconcile-automation.ts'

export interface AdvanceTestClockOptions {
  /** Whether a workspace that was not made as a test workspace may be moved: on a developer's machine alone. */
  allowAnyWorkspace?: boolean
  /** What is done between two looks at jobs that go on; without it the time of a breath goes by. */
  whileOpen?: (open: readonly Video[]) => Promise<unknown>
}

export interface TestClockResult {
  clockAt: string
  /** How often the clock stood still on the way: at slots, and where one was missed. */
  stops: number
}

/** Answers when everything up to the new time is decided on, and what was begun has come to rest. */
export async function advanceTestClock(
  workspaceId: string,
  seconds: number,
  options: AdvanceTestClockOptions = {},
): Promise<TestClockResult> {
  const workspace = await getWorkspace(workspaceId)
  if (workspace.clockAt === undefined && !options.allowAnyWorkspace)
    throw new Refusal('warning-invalid-input', 'This is no test workspace: its clock is the real one.')
  let clockAt = workspaceNow(workspace, now())
  const until = secondsAfter(clockAt, seconds)
  for (let stops = 0; ; stops++) {
    const next = nextTime(await settleAutomations(workspaceId, options), clockAt)
    if (clockAt >= until) return { clockAt, stops }
    clockAt = next && next < until ? next : until
    await advanceWorkspaceClock(workspaceId, clockAt)
  }
}

/** When there is next something to decide. */
function nextTime(blueprints: readonly Video[], clockAt: string): string | undefined {
  const times = blueprints.flatMap(({ automation }) => (automation ? (timeOf(automation, clockAt) ?? []) : []))
  return times.toSorted()[0]
}

function timeOf({ nextSlot }: Automation, clockAt: string): string | undefined {
  // One that waits for somebody else is decided on when it is missed.
  return nextSlot && nextSlot.at <= clockAt ? missedAt(nextSlot) : nextSlot?.at
}

const pollMs = 50
/** After so long a wake-up may be lost. */
const wakeUpLostAfterMs = 60_000

/** Answers the automations as they are once nothing of them goes on. */
async function settleAutomations(
  workspaceId: string,
  { whileOpen: meanwhile = () => delay(pollMs) }: AdvanceTestClockOptions,
): Promise<Video[]> {
  for (let lookedAt = Date.now(); ; ) {
    const seen: { blueprint: Video; open: Video[] }[] = []
    for await (const { id } of iterateAutomations(workspaceId)) seen.push(await reconcileAndListOpen(workspaceId, id))
    const open = seen.flatMap((one) => one.open)
    if (open.length === 0) return seen.map(({ blueprint }) => blueprint)
    if (Date.now() - lookedAt > wakeUpLostAfterMs) {
      lookedAt = Date.now()
      for (const { id } of open) await recoverStalled(keys.video(workspaceId, id))
    }
    await meanwhile(open)
  }
}

/** So many of the newest clips are looked at: older ones have come to rest. */
const newestClips = 10

/** Lets an automation decide, and tells what then still goes on: its own generation, its clips, or what became of them. */
async function reconcileAndListOpen(
  workspaceId: string,
  automationId: string,
): Promise<{ blueprint: Video; open: Video[] }> {
  await reconcileAutomation(workspaceId, automationId, null)
  const blueprint = await getVideo(workspaceId, automationId)
  const waitingId = blueprint.automation?.waitingClipId
  const newest = await listClips(workspaceId, automationId, { limit: newestClips, offset: 0 })
  // The list may be a moment behind.
  const ids = new Set([...newest.map(({ id }) => id), ...(waitingId ? [waitingId] : [])])
  const clips = await Promise.all([...ids].map((id) => findClip(workspaceId, id)))
  const open = [blueprint, ...clips.filter((clip) => clip !== undefined)].filter(isActive)
  for (const { id, run } of open) if (run) await reconcileAutomation(workspaceId, automationId, id)
  return { blueprint, open }
}

const isActive = (video: Video) =>
  [video.process, video.render, video.publish].some(isOpen) || (video.run?.isOver === false && isUncounted(video))

/** A clip of which something came, or that will be published at once. */
const isUncounted = (clip: Video) =>
  runOutcome(clip) !== undefined ||
  clip.publish?.status === 'COMPLETED' ||
  (clip.run?.isManual === true && isReadyToPublish(clip))
