/** An automation and its clips in memory: tests trigger events, and the rules decide as they do with the store. */

import {
  bringSlotForward,
  createAutomation,
  demote,
  promote,
} from '../../../lib/domain/automations/automation-lifecycle.ts'
import { blockersOf } from '../../../lib/domain/automations/blockers.ts'
import type { Blueprint } from '../../../lib/domain/automations/blueprint.ts'
import { isBlueprint } from '../../../lib/domain/automations/blueprint.ts'
import { decideOrphanedClip, runAutomation } from '../../../lib/domain/automations/clip-runs.ts'
import type { AutomationContext } from '../../../lib/domain/automations/decision-builders.ts'
import { type AutomationEdit, editAutomation } from '../../../lib/domain/automations/edit-automation.ts'
import { pauseForOwner, resumeForOwner } from '../../../lib/domain/automations/pause-all.ts'
import { decideAutomation } from '../../../lib/domain/automations/reconcile.ts'
import type { JobError } from '../../../lib/domain/core/failures.ts'
import { requestPublish } from '../../../lib/domain/publishing/publish.ts'
import { beginPublish, endPublish } from '../../../lib/domain/publishing/publish-run.ts'
import type { Account, AccountHealth } from '../../../lib/domain/records/account.ts'
import type { Automation } from '../../../lib/domain/records/automation.ts'
import type { VideoDecision } from '../../../lib/domain/records/decision.ts'
import type { DomainEvent } from '../../../lib/domain/records/event.ts'
import type { MediaJobKind } from '../../../lib/domain/records/jobs.ts'
import type { Profile } from '../../../lib/domain/records/profile.ts'
import type { Schedule } from '../../../lib/domain/records/schedule.ts'
import type { SlotRecord } from '../../../lib/domain/records/slot.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeProcess, completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { beginProcess, beginRender, failJob } from '../../../lib/domain/videos/job-transitions.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { generationResult, renderResult, videoInputWith, workspaceOn } from '../support/videos.ts'

const automationId = 'vid_blueprint'
const error: JobError = { code: 'provider-unavailable', message: 'Nobody answered.', blocked: false }

export const dailySchedule = (...times: string[]): Schedule => ({
  frequency: (['daily', 'twice-daily', 'thrice-daily'] as const)[times.length - 1]!,
  timezone: 'UTC',
  times: times.map((time) => ({ time, mode: 'fixed' })),
  days: [],
})

export const profile: Profile = {
  id: 'prf_1',
  workspaceId: 'wsp_1',
  version: 1,
  name: 'Studio',
  description: '',
  color: '#000000',
  isDefault: true,
  createdAt: '2026-11-02T00:00:00.000Z',
  updatedAt: '2026-11-02T00:00:00.000Z',
}

const accountWith = (health: AccountHealth): Account => ({
  id: 'acc_1',
  workspaceId: 'wsp_1',
  profileId: profile.id,
  platform: 'bluesky',
  version: 1,
  settings: {},
  health,
  externalId: 'did:plc:1',
  username: 'studio',
  displayName: 'Studio',
  pictureUrl: null,
  connectedAt: profile.createdAt,
  updatedAt: profile.createdAt,
})

export class AutomationHarness {
  now: string
  workspace: Workspace
  accounts: Account[] = [accountWith('connected')]
  videos = new Map<string, Video>()
  events: DomainEvent[] = []
  slots: SlotRecord[] = []
  /** Charged runs, in order. */
  reservedRunIds: string[] = []

  /** Starts at 08:00 on 2 November with a generated blueprint. */
  constructor(workspace: Workspace = workspaceOn('self-hosted'), now = '2026-11-02T08:00:00.000Z') {
    this.now = now
    this.workspace = workspace
    this.#take(createAutomation(workspace, videoInputWith(), { videoId: automationId, runId: 'run_first' }, now))
    this.finish(automationId)
  }

  get blueprint(): Blueprint {
    const video = this.videos.get(automationId)
    if (!video || !isBlueprint(video)) throw new Error('It is no blueprint.')
    return video
  }

  get automation(): Automation {
    return this.videos.get(automationId)!.automation!
  }

  get view(): AutomationContext {
    const { blueprint, workspace, accounts } = this
    const { waitingClipId, autoRefill } = blueprint.automation
    const clip = waitingClipId ? this.videos.get(waitingClipId) : undefined
    const spare = [...this.videos.values()].find(
      (video) => video.parentVideoId && video.media.renderKey && !video.publish && !video.run,
    )
    return { workspace, blueprint, clip, spare: clip || autoRefill ? undefined : spare, profile, accounts }
  }

  get waiting(): Video | undefined {
    return this.view.clip
  }

  get clips(): Video[] {
    return [...this.videos.values()].filter(({ parentVideoId }) => parentVideoId === automationId)
  }

  /** Outcomes of the slots by local time, in order. */
  get outcomes(): string[] {
    return this.slots.map(({ at, outcome }) => `${at.slice(8, 16).replace('T', ' ')} ${outcome}`)
  }

  eventsOfType(type: string): DomainEvent[] {
    return this.events.filter((event) => event.type === type)
  }

  /** Reconciles until nothing is left to decide. */
  reconcile(clipId?: string): this {
    for (let decisions = 0; decisions < 3_000; decisions++) {
      const ended = clipId ? this.videos.get(clipId) : undefined
      const video = this.videos.get(automationId)
      if (!video) return this
      if (!isBlueprint(video)) {
        const left = ended && decideOrphanedClip(ended, video, this.now)
        if (left) this.#take(left)
        return this
      }
      const decision = decideAutomation(this.view, this.now, ended)
      if (!decision) return this
      this.#take(decision)
    }
    throw new Error('It does not come to rest.')
  }

  at(time: string): this {
    this.now = time.length > 20 ? time : `2026-11-${time.slice(0, 2)}T${time.slice(3)}:00.000Z`
    return this.reconcile()
  }

  edit(edit: AutomationEdit): this {
    const { blueprint, workspace, accounts, now } = this
    this.#take(editAutomation(workspace, blueprint, edit, { accounts, clip: this.waiting }, now))
    return this.reconcile()
  }

  pauseForOwner(reason: 'operator' | 'suspension' = 'operator'): this {
    const decision = pauseForOwner(this.blueprint, this.waiting, reason, this.now)
    if (decision) this.#take(decision)
    return this.reconcile()
  }

  resumeForOwner(reason: 'operator' | 'suspension' = 'operator'): this {
    const decision = resumeForOwner(this.blueprint, reason, this.now)
    if (decision) this.#take(decision)
    return this.reconcile()
  }

  configure(edit: AutomationEdit = {}): this {
    return this.edit({ profileId: profile.id, platforms: ['bluesky'], ...edit })
  }

  run(): Video {
    const { decision, clip } = runAutomation(this.view, true, this.now)
    this.#take(decision)
    return clip
  }

  triggerSlot(): this {
    this.#take(bringSlotForward(this.blueprint, this.now))
    return this.reconcile()
  }

  promote(enabled: boolean): this {
    const { workspace, now } = this
    const video = this.videos.get(automationId)!
    const clip = video.automation?.waitingClipId ? this.videos.get(video.automation.waitingClipId) : undefined
    const decision = enabled ? promote(workspace, video, now) : demote(video, clip, now)
    if (decision) this.#take(decision)
    return this.reconcile()
  }

  setAccountHealth(health: AccountHealth): this {
    this.accounts = [accountWith(health)]
    return this
  }

  /** Generates and, if requested, renders. */
  finish(id = this.automation.waitingClipId!): this {
    const { workspace, now } = this
    const runId = () => this.videos.get(id)!.process!.runId
    this.#take(beginProcess(this.videos.get(id)!, runId(), now))
    this.#take(completeProcess(workspace, this.videos.get(id)!, runId(), generationResult, now))
    return this.render(id)
  }

  render(id: string): this {
    const video = this.videos.get(id)!
    if (video.render?.status !== 'QUEUED') return this
    this.#take(beginRender(video, video.render.runId, 'manifest', this.now))
    this.#take(completeRender(this.videos.get(id)!, video.render.runId, 0, renderResult, this.now))
    return this.reconcile(id)
  }

  fail(kind: MediaJobKind = 'process', id = this.automation.waitingClipId!): this {
    this.#take(failJob(this.videos.get(id)!, kind, this.videos.get(id)![kind]!.runId, error, this.now))
    return this.reconcile(id)
  }

  /** Ends every open publication. */
  finishPublish(isWell = true): this {
    for (const { id, publish } of this.clips.filter((clip) => clip.publish?.status === 'QUEUED')) {
      this.#take(beginPublish(this.videos.get(id)!, publish!.runId, this.now))
      const end = isWell
        ? { status: 'COMPLETED' as const, externalId: '1', url: null }
        : { status: 'FAILED' as const, error: { ...error, code: 'publish-failed' as const } }
      this.#take(endPublish(this.videos.get(id)!, publish!.runId, [{ accountId: 'acc_1', end }], this.now))
      this.reconcile(id)
    }
    return this
  }

  /** The client publishes a clip; the publication succeeds, fails or ends in doubt. */
  publishManually(id: string, outcome: 'well' | 'badly' | 'in doubt'): this {
    const { workspace, accounts, now } = this
    const target = { profile, accounts, platforms: ['bluesky' as const] }
    this.#take(requestPublish(workspace, this.videos.get(id)!, target, {}, `run_by_hand_${this.now}`, now))
    this.#take(beginPublish(this.videos.get(id)!, `run_by_hand_${this.now}`, now))
    const code = outcome === 'badly' ? ('publish-failed' as const) : ('publish-outcome-unknown' as const)
    const end =
      outcome === 'well'
        ? { status: 'COMPLETED' as const, externalId: '1', url: null }
        : { status: 'FAILED' as const, error: { ...error, code } }
    this.#take(endPublish(this.videos.get(id)!, `run_by_hand_${this.now}`, [{ accountId: 'acc_1', end }], now))
    return this.reconcile(id)
  }

  blockers(): string[] {
    return blockersOf(this.workspace, this.videos.get(automationId)!, this.accounts, this.now).map(({ id }) => id)
  }

  #take(decision: VideoDecision | undefined): void {
    if (!decision) throw new Error('Nothing was decided.')
    const seen = new Set<string>()
    for (const change of decision.changes) {
      if (change.record !== 'video' || !change.after) continue
      const { before, after } = change
      // A transaction writes each row at most once, and only in the version that was read.
      if (seen.has(after.id)) throw new Error(`${after.id} is written twice.`)
      seen.add(after.id)
      if (this.videos.get(after.id)?.version !== before?.version) throw new Error(`${after.id} was not seen as it is.`)
      this.videos.set(after.id, after)
    }
    for (const { id } of decision.events)
      if (this.events.some((event) => event.id === id)) throw new Error('The same event is told twice.')
    this.events.push(...decision.events)
    this.slots.push(...(decision.slotRecords ?? []))
    this.reservedRunIds.push(...decision.charges.filter(({ kind }) => kind === 'reserve').map(({ runId }) => runId))
  }
}
