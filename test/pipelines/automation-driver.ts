/** Drives the service for the model-based test, and holds the values that the service and the model share. */
import { expect } from 'vitest'
import { handler as fireSlot } from '../../functions/workers/run-due-slot.ts'
import { now } from '../../lib/clock.ts'
import { createAutomation } from '../../lib/domain/automations/automation-lifecycle.ts'
import { runAutomation } from '../../lib/domain/automations/clip-runs.ts'
import type { AutomationEdit } from '../../lib/domain/automations/edit-automation.ts'
import { deterministicIdAt } from '../../lib/domain/core/id.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { requestPublish } from '../../lib/domain/publishing/publish.ts'
import { withPublishBegun } from '../../lib/domain/publishing/publish-run.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { completeProcess } from '../../lib/domain/videos/complete-job.ts'
import { beginProcess } from '../../lib/domain/videos/job-transitions.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { getProfile } from '../../lib/store/profiles.ts'
import { listSlotRecords } from '../../lib/store/slot-records.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { advanceWorkspaceClock, getWorkspace } from '../../lib/store/workspaces.ts'
import { markAccountExpired } from '../../lib/use-cases/accounts/access-token.ts'
import { storeConnectedAccount } from '../../lib/use-cases/accounts/store-connected-account.ts'
import { decideAutomationEdit, decidePromotion } from '../../lib/use-cases/automations/edit-automation.ts'
import { getBlueprint, loadAutomationContext } from '../../lib/use-cases/automations/load-automation.ts'
import { reconcileAutomation } from '../../lib/use-cases/automations/reconcile-automation.ts'
import { recoverStalled } from '../../lib/use-cases/recovery/recover-stalled.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { eventCounts } from '../support/events.ts'
import { connectionWith, hourSeconds, tokensFor } from '../support/given/accounts.ts'
import { connectedProfile } from '../support/given/automations.ts'
import { newWorld, videoInputOf } from '../support/world.ts'
import type { AutomationModel, ModelClip } from './automation-model.ts'

export const startTime = '2030-01-01T00:00:00.000Z'
export const dailyTimes = [['09:00'], ['10:00', '20:00'], ['06:30', '12:00', '23:59']]
export const schedule = (times: string[]): NonNullable<AutomationEdit['schedule']> => ({
  frequency: (['daily', 'twice-daily', 'thrice-daily'] as const)[times.length - 1]!,
  timezone: 'UTC',
  times: times.map((time) => ({ time, mode: 'fixed' })),
  days: [],
})

/** The service, called as routes and pipelines call it. */
export class AutomationDriver {
  readonly workspaceId: string
  readonly id = mintId('vid', now())
  readonly profileId: string

  constructor(workspaceId: string, profileId: string) {
    this.workspaceId = workspaceId
    this.profileId = profileId
  }

  static async start(): Promise<AutomationDriver> {
    const { workspaceId } = await newWorld()
    const service = new AutomationDriver(workspaceId, await connectedProfile({ workspaceId }, ['bluesky']))
    await advanceWorkspaceClock(workspaceId, startTime)
    const ids = { videoId: service.id, runId: mintId('run', now()) }
    await commit(createAutomation(await getWorkspace(workspaceId), videoInputOf({ prompt: 'Bread' }), ids, startTime))
    return service
  }

  clipId = ({ number, madeAt }: ModelClip) => deterministicIdAt('vid', madeAt, 'clip', this.id, String(number))

  edit = async (edit: AutomationEdit) =>
    commit((await decideAutomationEdit(this.workspaceId, this.id, edit, now())).decision)

  async promote(isWanted: boolean): Promise<void> {
    const { decision } = await decidePromotion(this.workspaceId, this.id, isWanted, now())
    if (decision) await commit(decision)
  }

  async generate(): Promise<void> {
    const { workspaceId, id: videoId } = this
    const workspace = await getWorkspace(workspaceId)
    const made = { title: 'Bread', durationSeconds: 10, audioKey: 'a', timelines: { bRolls: 'b' } }
    const { process } = await changeVideo({ workspaceId, videoId }, (video) =>
      beginProcess(video, video.process!.runId, now()),
    )
    await changeVideo({ workspaceId, videoId }, (video) =>
      completeProcess(workspace, video, process!.runId, made, now()),
    )
  }

  async run(): Promise<void> {
    const view = await loadAutomationContext(await getBlueprint(this.workspaceId, this.id))
    await commit(runAutomation(view, true, view.workspace.clockAt!).decision)
  }

  /** As the route does it. */
  async publish(clip: ModelClip): Promise<void> {
    const { workspaceId } = this
    const place = { workspaceId, videoId: this.clipId(clip) }
    const [workspace, at] = [await getWorkspace(workspaceId), now()]
    const runId = mintId('run', at)
    const target = { ...(await getProfile(workspaceId, this.profileId)), platforms: ['bluesky' as const] }
    await changeVideo(place, (video) =>
      withPublishBegun(requestPublish(workspace, video, target, {}, runId, at), runId, at),
    )
  }

  async connect(isConnected: boolean): Promise<void> {
    const { workspaceId, profileId } = this
    if (isConnected) {
      await storeConnectedAccount(
        workspaceId,
        profileId,
        'bluesky',
        connectionWith(tokensFor(hourSeconds), `${profileId}-bluesky`),
      )
      return
    }
    for (const account of (await getProfile(workspaceId, profileId)).accounts) await markAccountExpired(account)
  }

  /** All triggers, several times concurrently. */
  async wake(clip: ModelClip | undefined, times: number, isGenerated: boolean): Promise<void> {
    const { workspaceId, id } = this
    const clipId = clip ? this.clipId(clip) : null
    const looks = Array.from({ length: times }, () => reconcileAutomation(workspaceId, id, clipId))
    const others = () => [fireSlot({ workspaceId, automationId: id }), recoverStalled(keys.video(workspaceId, id))]
    await Promise.all([...looks, ...(!clip && isGenerated ? others() : [])])
    // The sweeper leaves the follow-up work to the outbox, and may have run before all the others.
    await reconcileAutomation(workspaceId, id, null)
  }
}

export async function expectMatchesModel(model: AutomationModel, service: AutomationDriver): Promise<void> {
  const { workspaceId, id } = service
  const { isAutomation, automation } = await getVideo(workspaceId, id)
  const { status, failures, wasBlocked, runs, cursor, nextSlot, stopped } = automation!
  const name = cursor && `${cursor.date}#${cursor.index}`
  const [slots, told] = await Promise.all([listSlotRecords(workspaceId, id, 1_000), eventCounts(workspaceId)])
  const clips = await Promise.all([...model.clips.values()].map((clip) => getVideo(workspaceId, service.clipId(clip))))
  expect({
    ...{ isAutomation, status, failures, wasBlocked, runs, cursor: name, next: nextSlot?.at ?? null },
    stopped: stopped?.reason ?? null,
    slots: slots.toReversed().map(({ at, outcome }) => `${at} ${outcome}`),
    clips: clips.map(stateOf),
    events: Object.fromEntries(Object.keys(model.events).map((type) => [type, told[type]])),
  }).toEqual({
    ...{
      isAutomation: model.isBlueprint,
      status: model.status,
      failures: model.failures,
      wasBlocked: model.wasBlocked,
    },
    ...{ runs: model.runs, cursor: model.cursor, next: model.next?.at ?? null },
    stopped: model.stopped,
    slots: model.slots,
    clips: [...model.clips.values()].map(({ number: _number, isPosted: _posted, ...clip }) => clip),
    events: model.events,
  })
}

const publishStates = {
  SCHEDULED: 'armed',
  QUEUED: 'open',
  PROCESSING: 'open',
  COMPLETED: 'done',
  FAILED: 'failed',
} as const

function stateOf({ createdAt, run, process, render, publish }: Video): Omit<ModelClip, 'number' | 'isPosted'> {
  const isMade = render?.status === 'COMPLETED'
  return {
    madeAt: createdAt,
    isManual: run!.isManual,
    job: process?.status === 'FAILED' ? 'failed' : isMade ? 'ready' : 'making',
    publish: publish ? publishStates[publish.status] : 'none',
    armedFor: publish?.status === 'SCHEDULED' ? publish.scheduledAt : null,
    isOver: run!.isOver,
    isPublished: run!.isPublished ?? false,
  }
}
