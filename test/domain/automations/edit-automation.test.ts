/** Client changes to an automation: edit, pause, promote and demote. None of them loses a slot or uses one twice. */
import { describe, expect, it } from 'vitest'
import { createAutomation } from '../../../lib/domain/automations/automation-lifecycle.ts'
import { workspaceNow } from '../../../lib/domain/workspaces/workspace.ts'
import { refusalCodeOf, refusalOf } from '../../support/refusals.ts'
import { at, briefWith, videoInputWith, videoThatIs, workspaceOn } from '../support/videos.ts'
import { AutomationHarness, dailySchedule } from './automation-harness.ts'

describe('a new automation', () => {
  it('is active with every blocker still to be resolved, and publishes daily at 09:00', () => {
    const harness = new AutomationHarness()
    expect(harness.automation).toMatchObject({ status: 'active', schedule: null, autoRefill: true })
    expect(harness.automation).toMatchObject({
      failures: 0,
      runs: 0,
      lastRunAt: null,
      stopped: null,
      wasBlocked: false,
    })
    expect(harness.automation.nextSlot?.at).toBe('2026-11-02T09:00:00.000Z')
    expect(harness.blockers()).toEqual(['no-profile', 'no-platforms'])
  })

  it("plans its first slot with a slot timer, and counts towards the plan's limit", () => {
    const ids = { videoId: 'vid_1', runId: 'run_1' }
    const decision = createAutomation(workspaceOn('starter'), videoInputWith(), ids, at(0))
    expect(decision.slotTimers).toEqual([{ automationId: 'vid_1', at: '2026-11-03T09:00:00.000Z', cause: 'vid_1#1' }])
    expect(decision.automationsMax).toBe(3)
    const full = workspaceOn('starter', { automationsUsed: 3 })
    expect(refusalCodeOf(() => createAutomation(full, videoInputWith(), ids, at(0)))).toBe('warning-plan-automations')
  })
})

describe('an edit', () => {
  it('of the schedule moves the waiting clip to its new slot, and reverting it restores the old one', () => {
    const harness = new AutomationHarness().configure().finish()
    for (const time of ['10:00', '09:00', '10:00', '09:00']) {
      harness.edit({ schedule: dailySchedule(time) })
      expect(harness.waiting?.publish?.scheduledAt).toBe(`2026-11-02T${time}:00.000Z`)
    }
    expect(harness.eventsOfType('video.scheduled')).toHaveLength(5)
  })

  it('of the schedule on the day of a used slot keeps the later slots, and each keeps its outcome', () => {
    const harness = new AutomationHarness()
      .configure({ schedule: dailySchedule('09:00', '12:00') })
      .finish()
      .at('02 09:00')
      .finishPublish()
      .edit({ schedule: dailySchedule('08:00', '10:00', '18:00') })
    expect(harness.automation.nextSlot?.at).toBe('2026-11-02T10:00:00.000Z')
    harness.finish().at('02 10:00').finishPublish()
    harness.edit({ schedule: dailySchedule('20:00') })
    harness.finish().at('02 20:00').finishPublish()
    expect(harness.outcomes).toEqual(['02 09:00 published', '02 10:00 published', '02 20:00 published'])
    expect(harness.automation.nextSlot?.at).toBe('2026-11-03T20:00:00.000Z')
  })

  it('of the schedule to a used time, or back to it, does not use that slot again', () => {
    const harness = new AutomationHarness().configure().finish().at('02 09:00').finishPublish()
    const schedules = [
      dailySchedule('09:00', '12:00'),
      dailySchedule('12:00'),
      dailySchedule('09:00'),
      { ...dailySchedule('10:00'), timezone: 'Europe/Berlin' },
    ]
    for (const [index, schedule] of schedules.entries()) {
      harness.edit({ schedule })
      expect(harness.automation.nextSlot?.at.slice(0, 10)).toBe(index < 2 ? '2026-11-02' : '2026-11-03')
    }
  })

  it('of the schedule does not use a slot again that an operator has triggered', () => {
    const harness = new AutomationHarness().configure({ schedule: dailySchedule('18:00') }).finish()
    harness.triggerSlot()
    expect(harness.outcomes).toEqual(['02 08:00 published'])
    for (const schedule of [dailySchedule('17:30'), dailySchedule('18:00'), dailySchedule('17:00', '18:00')]) {
      harness.edit({ schedule })
      expect(harness.automation.nextSlot?.date).toBe('2026-11-03')
    }
    expect(harness.edit({ schedule: dailySchedule('18:01') }).automation.nextSlot?.at).toBe('2026-11-02T18:01:00.000Z')
  })

  it('that sends the current schedule leaves a slot that waits for its clip unchanged', () => {
    const harness = new AutomationHarness()
      .configure()
      .at('02 09:05')
      .edit({ schedule: dailySchedule('09:00') })
    harness.finish()
    expect(harness.outcomes).toEqual(['02 09:00 published'])
  })

  it('of the schedule while a slot waits for its clip marks the slot as missed, and the clip gets the next slot', () => {
    const harness = new AutomationHarness()
      .configure()
      .at('02 09:05')
      .edit({ schedule: dailySchedule('07:00') })
    expect(harness.outcomes).toEqual(['02 09:00 missed'])
    harness.finish()
    expect(harness.waiting?.publish?.scheduledAt).toBe('2026-11-03T07:00:00.000Z')
  })

  it('that activates is refused while anything is missing, and lists every blocker', () => {
    const harness = new AutomationHarness().edit({ status: 'paused' })
    const refusal = refusalOf(() => harness.edit({ status: 'active' }))!
    expect(refusal.code).toBe('warning-publish-not-configured')
    expect(refusal.message).toContain('No profile is chosen. No platforms are chosen.')
    expect(refusal.extras.blockers).toMatchObject([{ id: 'no-profile' }, { id: 'no-platforms' }])
    expect(harness.configure({ status: 'active' }).automation.status).toBe('active')
  })

  it('that pauses while the clip is being made keeps the clip for later', () => {
    const harness = new AutomationHarness().configure()
    const { id } = harness.waiting!
    harness.edit({ status: 'paused' }).finish()
    expect(harness.waiting).toMatchObject({ id, publish: null })
    expect(harness.at('03 12:00').slots).toEqual([])
    harness.edit({ status: 'active' })
    expect(harness.waiting).toMatchObject({ id, publish: { scheduledAt: '2026-11-04T09:00:00.000Z' } })
    expect(harness.clips).toHaveLength(1)
  })

  it('that pauses disarms the clip, and resuming gives it the same slot', () => {
    const harness = new AutomationHarness().configure().finish()
    const { id } = harness.waiting!
    expect(harness.edit({ status: 'paused' }).waiting?.publish).toBeNull()
    harness.edit({ status: 'active' })
    expect(harness.waiting).toMatchObject({ id, publish: { scheduledAt: '2026-11-02T09:00:00.000Z' } })
  })

  it('that pauses does not stop a publication that has started', () => {
    const harness = new AutomationHarness().configure().finish()
    const { id } = harness.waiting!
    harness.at('02 09:00').edit({ status: 'paused' })
    expect(harness.videos.get(id)?.publish?.status).toBe('QUEUED')
    harness.finishPublish()
    expect(harness.videos.get(id)).toMatchObject({ publish: { status: 'COMPLETED' }, run: { isOver: true } })
  })

  it('of the brief leaves the waiting clip unchanged; the next one uses the new brief', () => {
    const harness = new AutomationHarness().configure().finish()
    const { blueprint } = harness
    harness.videos.set(blueprint.id, { ...blueprint, brief: { ...blueprint.brief, scriptPrompt: 'In rhymes.' } })
    const { id } = harness.waiting!
    harness.at('02 09:00').finishPublish()
    expect(harness.videos.get(id)?.brief.scriptPrompt).toBeNull()
    expect(harness.waiting?.brief.scriptPrompt).toBe('In rhymes.')
  })
})

describe('promotion', () => {
  it('repeated after a demotion uses no slot twice, and the waiting clip waits again', () => {
    const harness = new AutomationHarness().configure().finish().at('02 09:00').finishPublish().finish()
    const { id } = harness.waiting!
    harness.promote(false)
    expect(harness.videos.get(id)?.publish).toBeNull()
    expect(harness.automation).toMatchObject({ status: 'paused', nextSlot: null })
    harness.promote(true)
    expect(harness.automation).toMatchObject({ status: 'active', waitingClipId: id })
    expect(harness.waiting?.publish?.scheduledAt).toBe('2026-11-03T09:00:00.000Z')
    harness.at('03 09:00').finishPublish()
    expect(harness.outcomes).toEqual(['02 09:00 published', '03 09:00 published'])
    expect(new Set(harness.clips.map((clip) => clip.id)).size).toBe(3)
  })

  it('when reverted pauses the automation and reports since when', () => {
    const harness = new AutomationHarness().configure().at('02 08:30').promote(false)
    expect(harness.automation).toMatchObject({ status: 'paused', statusUpdatedAt: '2026-11-02T08:30:00.000Z' })
  })

  it('changes nothing when the video already has the requested kind', () => {
    const harness = new AutomationHarness()
    const { version } = harness.blueprint
    expect(harness.promote(true).blueprint.version).toBe(version)
  })
})

describe('the credit blockers', () => {
  it('do not apply to an uploaded blueprint, whose clips are free', () => {
    const harness = new AutomationHarness().configure()
    harness.workspace = workspaceOn('starter', { creditsBalance: 0 })
    expect(harness.blockers()).toEqual(['no-credits'])
    harness.videos.set(harness.blueprint.id, { ...harness.blueprint, type: 'video' })
    expect(harness.blockers()).toEqual([])
  })
})

describe('a blueprint that cannot produce a clip', () => {
  it.each([
    ['it has no idea', { brief: briefWith({ prompt: ' ' }) }],
    ['it is an uploaded video that was never read', { type: 'video' as const, timelines: {} }],
  ])('is blocked and then stopped, and does not make reconciling throw: %s', (_, fields) => {
    const harness = new AutomationHarness()
    harness.videos.set(harness.blueprint.id, { ...harness.blueprint, ...fields })
    harness.configure().at('02 09:00').at('03 09:00')
    expect(harness.outcomes).toEqual(['02 09:00 blocked', '03 09:00 stopped'])
    expect(harness.automation.stopped?.reason).toBe('publish_not_configured')
    expect(harness.blueprint.updatedAt).toBe(harness.automation.statusUpdatedAt)
    expect(harness.blockers()).toEqual(['source-not-ready'])
  })
})

describe('a clock that was moved', () => {
  it('stays ahead until real time has caught up with it', () => {
    const workspace = { ...workspaceOn('starter'), clockAt: at(60) }
    expect([0, 60, 90].map((second) => workspaceNow(workspace, at(second)))).toEqual([at(60), at(60), at(90)])
    expect(workspaceNow(workspaceOn('starter'), at(5))).toBe(at(5))
  })
})

it('a plain video has no automation', () => {
  expect(videoThatIs.generated().automation).toBeUndefined()
})
