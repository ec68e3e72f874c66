/**
 * Moves the clock of a test workspace from slot to slot of its automations, as fast as the jobs allow; jobs run on the
 * wall clock, and the test clock waits for them. Called by the admin script.
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
import { findVideo, getVideo, listClips } from '../../store/videos.ts'
import { advanceWorkspaceClock, getWorkspace } from '../../store/workspaces.ts'
import { recoverStalled } from '../recovery/recover-stalled.ts'
import { iterateAutomations } from './load-automation.ts'
import { reconcileAutomation } from './reconcile-automation.ts'

export interface AdvanceTestClockOptions {
  /** Allows workspaces without a test clock; only for a developer's machine. */
  allowAnyWorkspace?: boolean
  /** Called between two polls of open jobs; default: a short sleep. */
  whileOpen?: (open: readonly Video[]) => Promise<unknown>
}

export interface TestClockResult {
  clockAt: string
  /** How often the clock stopped: at slots, and at the times when one was missed. */
  stops: number
}

/** Returns when everything up to the new time is decided and all its jobs have ended. */
export async function advanceTestClock(
  workspaceId: string,
  seconds: number,
  options: AdvanceTestClockOptions = {},
): Promise<TestClockResult> {
  const workspace = await getWorkspace(workspaceId)
  if (workspace.clockAt === undefined && !options.allowAnyWorkspace)
    throw new Refusal(
      'warning-invalid-input',
      'This workspace has no test clock. Create one with a test clock to move it.',
    )
  let clockAt = workspaceNow(workspace, now())
  const until = secondsAfter(clockAt, seconds)
  for (let stops = 0; ; stops++) {
    const next = nextTime(await settleAutomations(workspaceId, options), clockAt)
    if (clockAt >= until) return { clockAt, stops }
    clockAt = next && next < until ? next : until
    await advanceWorkspaceClock(workspaceId, clockAt)
  }
}

/** The time of the next decision. */
function nextTime(blueprints: readonly Video[], clockAt: string): string | undefined {
  const times = blueprints.flatMap(({ automation }) => (automation ? (timeOf(automation, clockAt) ?? []) : []))
  return times.toSorted()[0]
}

function timeOf({ nextSlot }: Automation, clockAt: string): string | undefined {
  // A due slot that waits for its clip is decided when it is missed.
  return nextSlot && nextSlot.at <= clockAt ? missedAt(nextSlot) : nextSlot?.at
}

const pollMs = 50
/** After this a wake-up may be lost. */
const wakeUpLostAfterMs = 60_000

/** Waits until no job of the automations is open; returns their blueprints. */
async function settleAutomations(
  workspaceId: string,
  { whileOpen = () => delay(pollMs) }: AdvanceTestClockOptions,
): Promise<Video[]> {
  for (let checkedAt = Date.now(); ; ) {
    const seen: { blueprint: Video; open: Video[] }[] = []
    for await (const { id } of iterateAutomations(workspaceId)) seen.push(await reconcileAndListOpen(workspaceId, id))
    const open = seen.flatMap((one) => one.open)
    if (open.length === 0) return seen.map(({ blueprint }) => blueprint)
    if (Date.now() - checkedAt > wakeUpLostAfterMs) {
      checkedAt = Date.now()
      for (const { id } of open) await recoverStalled(keys.video(workspaceId, id))
    }
    await whileOpen(open)
  }
}

/** How many of the newest clips are checked: the jobs of older ones have ended. */
const newestClips = 10

/** Reconciles an automation and returns its videos with open jobs, or with a run that is not counted yet. */
async function reconcileAndListOpen(
  workspaceId: string,
  automationId: string,
): Promise<{ blueprint: Video; open: Video[] }> {
  await reconcileAutomation(workspaceId, automationId, null)
  const blueprint = await getVideo(workspaceId, automationId)
  const waitingId = blueprint.automation?.waitingClipId
  const newest = await listClips(workspaceId, automationId, { limit: newestClips, offset: 0 })
  // The list is eventually consistent.
  const ids = new Set([...newest.map(({ id }) => id), ...(waitingId ? [waitingId] : [])])
  const clips = await Promise.all([...ids].map((id) => findVideo(workspaceId, id)))
  const open = [blueprint, ...clips.filter((clip) => clip !== undefined)].filter(isActive)
  for (const { id, run } of open) if (run) await reconcileAutomation(workspaceId, automationId, id)
  return { blueprint, open }
}

const isActive = (video: Video) =>
  [video.process, video.render, video.publish].some(isOpen) || (video.run?.isOver === false && isUncounted(video))

/** A clip whose run has an outcome that is not counted yet, or that is about to be published. */
const isUncounted = (clip: Video) =>
  runOutcome(clip) !== undefined ||
  clip.publish?.status === 'COMPLETED' ||
  (clip.run?.isManual === true && isReadyToPublish(clip))
