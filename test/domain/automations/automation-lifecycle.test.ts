/** The slots that an automation plans, when one is brought forward, and what a pause or a failure at a slot leaves behind. */
import { describe, expect, it } from 'vitest'
import { bringSlotForward, demote, promote } from '../../../lib/domain/automations/automation-lifecycle.ts'
import { upcomingSlots } from '../../../lib/domain/automations/blueprint.ts'
import { decideOrphanedClip } from '../../../lib/domain/automations/clip-runs.ts'
import { missedSlot } from '../../../lib/domain/automations/edit-automation.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import { requestPublishOf } from '../support/publications.ts'
import { videoThatIs, workspaceOn } from '../support/videos.ts'
import { AutomationHarness, dailySchedule } from './automation-harness.ts'

const ready = () => new AutomationHarness().configure()
const day = (date: string, time = '09:00') => `2026-11-${date}T${time}:00.000Z`

describe('the upcoming slots', () => {
  it('are the next five, in order', () => {
    const { blueprint, automation } = ready().configure({ schedule: dailySchedule('09:00', '12:00') })
    expect(upcomingSlots(blueprint.id, automation)).toEqual([
      { date: '2026-11-02', index: 0, at: day('02') },
      { date: '2026-11-02', index: 1, at: day('02', '12:00') },
      { date: '2026-11-03', index: 0, at: day('03') },
      { date: '2026-11-03', index: 1, at: day('03', '12:00') },
      { date: '2026-11-04', index: 0, at: day('04') },
    ])
  })

  it('are none while it is paused', () => {
    const { blueprint, automation } = ready().edit({ status: 'paused' })
    expect(upcomingSlots(blueprint.id, automation)).toEqual([])
  })
})

describe('the next slot', () => {
  it('is brought forward to now, and not again once it is due', () => {
    const { blueprint } = ready()
    const forward = bringSlotForward(blueprint, day('02', '08:00'))!
    expect(forward.video.automation!.nextSlot).toEqual({ ...blueprint.automation.nextSlot, at: day('02', '08:00') })
    expect(bringSlotForward(blueprint, day('02', '08:59'))).toBeDefined()
    expect(bringSlotForward(blueprint, day('02'))).toBeUndefined()
  })

  it('of a paused automation cannot be brought forward', () => {
    const { blueprint } = ready().edit({ status: 'paused' })
    expect(refusalCodeOf(() => bringSlotForward(blueprint, day('02', '08:00')))).toBe('conflict')
  })

  it('is missed by an edit from its time on', () => {
    const { blueprint } = ready().edit({ autoRefill: false })
    expect(missedSlot(blueprint, day('02', '08:59'))).toBeUndefined()
    expect(missedSlot(blueprint, day('02'))).toMatchObject({ outcome: 'missed', at: day('02'), decidedAt: day('02') })
  })

  it.each<[string, (harness: AutomationHarness) => AutomationHarness]>([
    ['its client', (harness) => harness.edit({ status: 'paused' }).edit({ status: 'active' })],
    ['the operator', (harness) => harness.pauseForOwner().resumeForOwner()],
  ])('that was triggered early and waits for its clip is used, when %s pauses and resumes', (_who, pause) => {
    const harness = pause(ready().triggerSlot())
    expect(harness.slots).toMatchObject([{ outcome: 'missed', at: day('02', '08:00'), clipId: harness.waiting!.id }])
    expect(harness.automation.nextSlot).toMatchObject({ at: day('03') })
  })

  it('is not used by a pause before its time', () => {
    const harness = ready().edit({ status: 'paused' }).edit({ status: 'active' })
    expect([harness.slots, harness.automation.nextSlot?.at]).toEqual([[], day('02')])
  })
})

describe('an edit', () => {
  it('keeps what it does not name', () => {
    const harness = ready()
      .configure({ schedule: dailySchedule('10:00'), autoRefill: false })
      .edit({ profileId: null })
    expect(harness.automation).toMatchObject({ schedule: dailySchedule('10:00'), autoRefill: false, status: 'active' })
    expect(harness.blueprint.destination).toEqual({ profileId: null, platforms: ['bluesky'] })
    expect(harness.edit({ platforms: [] }).blueprint.destination).toEqual({ profileId: null, platforms: [] })
  })

  it('that changes no status keeps its time, its failures and the cause of its stop', () => {
    const harness = ready().fail()
    const { statusUpdatedAt } = harness.automation
    harness.now = day('02', '08:30')
    harness.edit({ status: 'active', schedule: dailySchedule('10:00') })
    expect(harness.automation).toMatchObject({ statusUpdatedAt, failures: 1 })
    harness.edit({ status: 'paused' })
    expect(harness.automation).toMatchObject({ statusUpdatedAt: harness.now, failures: 1 })
  })
})

it('the runs of an automation are counted, and each has a clip of its own', () => {
  const harness = ready()
  expect(harness.automation).toMatchObject({ runs: 1, lastRunAt: day('02', '08:00') })
  const { id } = harness.run()
  expect(harness.automation.runs).toBe(2)
  expect(new Set([id, harness.waiting!.id, harness.run().id]).size).toBe(3)
})

describe('a demotion', () => {
  it('of a paused automation keeps the time of its pause', () => {
    const harness = ready().edit({ status: 'paused' })
    harness.now = day('02', '08:30')
    expect(harness.promote(false).automation.statusUpdatedAt).toBe(day('02', '08:00'))
  })

  it('and a promotion are refused for a clip, and change nothing without need', () => {
    const video = videoThatIs.generated()
    const clip: Video = { ...video, parentVideoId: 'vid_0' }
    expect(refusalCodeOf(() => demote(clip, undefined, day('02')))).toBe('warning-invalid-input')
    expect(refusalCodeOf(() => promote(workspaceOn('starter'), clip, day('02')))).toBe('warning-invalid-input')
    expect(demote(video, undefined, day('02'))).toBeUndefined()
  })

  it('is needed to promote again: a promotion waits for the first generation', () => {
    const open = videoThatIs.generating()
    expect(refusalCodeOf(() => promote(workspaceOn('starter'), open, day('02')))).toBe('warning-source-not-ready')
  })
})

describe('the clip of a manual run whose automation has ended', () => {
  const harness = ready()
  const made = harness.run()
  harness.promote(false)
  const source = harness.videos.get(harness.clips[0]!.parentVideoId!)!
  const clip: Video = {
    ...videoThatIs.generated(),
    ...made,
    media: { ...made.media, renderKey: 'a.mp4' },
    process: null,
  }
  const decide = (fields: Partial<Video>) => decideOrphanedClip({ ...clip, ...fields }, source, day('02'))

  it('ends with the reason, without being published', () => {
    expect(decide({})!.changes).toMatchObject([
      { after: { id: source.id } },
      { after: { id: clip.id, publish: { status: 'FAILED', failedAt: day('02') }, run: { isOver: true } } },
    ])
  })

  it.each<[string, Partial<Video>]>([
    ['is scheduled', { run: { isManual: false, isOver: false } }],
    ['is over', { run: { isManual: true, isOver: true } }],
    ['is published by it', { run: { isManual: true, isOver: false, isPublished: true } }],
    ['was published by the client', { publish: requestPublishOf().video.publish }],
    ['is not rendered', { media: { ...clip.media, renderKey: null } }],
    ['was made by the client', { run: undefined as never }],
  ])('is left alone where it %s', (_name, fields) => {
    expect(decide(fields)).toBeUndefined()
  })
})

describe('a slot that is due', () => {
  it('adopts a clip that the client finished meanwhile, and publishes it', () => {
    const harness = new AutomationHarness().configure({ autoRefill: false })
    const made = harness.run()
    harness.finish(made.id).finishPublish()
    const { run: _run, ...spare } = harness.videos.get(made.id)!
    harness.videos.set('vid_spare', { ...spare, id: 'vid_spare', publish: null, posted: {} })
    harness.at('02 09:05')
    expect(harness.outcomes).toEqual(['02 09:00 published'])
    expect(harness.videos.get('vid_spare')).toMatchObject({
      run: { isManual: false, isOver: false, isPublished: true },
    })
  })

  it('is not used by the failure of a manual run beside it', () => {
    const harness = ready().at('02 09:05')
    harness.fail('process', harness.run().id)
    expect([harness.slots, harness.automation.failures]).toEqual([[], 1])
    expect(harness.finish().outcomes).toEqual(['02 09:00 published'])
  })

  it('is left to another clip, where the clip of the next one fails for the fifth time', () => {
    const harness = ready().finish()
    for (let time = 0; time < 4; time++) harness.fail('process', harness.run().id)
    const clip = harness.waiting!
    const render = { ...clip.render!, status: 'PROCESSING' as const }
    harness.videos.set(clip.id, { ...clip, render, media: { ...clip.media, renderKey: null } })
    harness.fail('render', clip.id)
    expect(harness.videos.get(clip.id)).toMatchObject({ publish: null, run: { isOver: true } })
    expect(harness.automation).toMatchObject({ status: 'paused', waitingClipId: null, failures: 5 })
  })
})
