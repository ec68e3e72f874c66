/** Slots: each is used exactly once, whatever happens to its clips, accounts and schedule. */
import { describe, expect, it } from 'vitest'
import { workspaceOn } from '../support/videos.ts'
import { AutomationHarness, dailySchedule } from './automation-harness.ts'

const ready = () => new AutomationHarness().configure()

describe('a slot', () => {
  it('gets a clip that is made and armed ahead, and published at the slot', () => {
    const harness = ready()
    expect(harness.waiting).toMatchObject({ process: { status: 'QUEUED' }, publish: null, run: { isManual: false } })
    harness.finish()
    expect(harness.waiting?.publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: '2026-11-02T09:00:00.000Z' })
    const { id } = harness.waiting!
    harness.at('02 09:00')
    expect(harness.slots).toMatchObject([{ date: '2026-11-02', index: 0, outcome: 'published', clipId: id }])
    expect(harness.videos.get(id)?.publish).toMatchObject({
      status: 'QUEUED',
      scheduledAt: '2026-11-02T09:00:00.000Z',
      platforms: [],
    })
    harness.finishPublish()
    expect(harness.videos.get(id)).toMatchObject({ publish: { status: 'COMPLETED' }, run: { isOver: true } })
  })

  it('starts the next clip immediately: one waits, never two', () => {
    const harness = ready().finish().at('02 09:00')
    expect(harness.clips).toHaveLength(2)
    harness.finishPublish().reconcile().reconcile().finish()
    expect(harness.clips).toHaveLength(2)
    expect(harness.waiting?.publish?.scheduledAt).toBe('2026-11-03T09:00:00.000Z')
    expect(harness.eventsOfType('automation.clip_created')).toHaveLength(2)
    expect(harness.eventsOfType('video.scheduled')).toHaveLength(2)
  })

  it('waits for a late clip, which is published as soon as it is rendered', () => {
    const harness = ready().at('02 09:00')
    expect(harness.slots).toEqual([])
    harness.at('02 09:59').finish()
    expect(harness.outcomes).toEqual(['02 09:00 published'])
  })

  it('is missed after an hour, and its clip waits for the next one', () => {
    const harness = ready().finish().at('02 10:00')
    expect(harness.outcomes).toEqual(['02 09:00 missed'])
    expect(harness.waiting?.publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: '2026-11-03T09:00:00.000Z' })
    expect(harness.clips).toHaveLength(1)
  })

  it('is decided after six hours of outage: missed if it is older than an hour, used otherwise', () => {
    const harness = new AutomationHarness()
      .configure({ schedule: dailySchedule('09:00', '12:00', '14:30') })
      .finish()
      .at('02 15:00')
    expect(harness.outcomes).toEqual(['02 09:00 missed', '02 12:00 missed', '02 14:30 published'])
  })

  it.each([
    ['Asia/Kolkata', ['15:00', '16:00', '17:00'], ['09:30', '10:30', '11:30']],
    ['America/New_York', ['08:00', '09:00', '10:00'], ['13:00', '14:00', '15:00']],
  ])('follows its zone: %s, three a day', (timezone, local, hours) => {
    const harness = new AutomationHarness().configure({ schedule: { ...dailySchedule(...local), timezone } })
    for (const hour of hours) harness.finish().at(`02 ${hour}`).finishPublish()
    expect(harness.outcomes).toEqual(hours.map((hour) => `02 ${hour} published`))
  })

  it('is used once, however often it is reconciled', () => {
    const harness = ready().finish()
    const { id } = harness.waiting!
    harness.at('02 09:00').reconcile().reconcile(id).reconcile()
    harness.finishPublish().reconcile(id).reconcile(id)
    expect(harness.slots).toHaveLength(1)
    expect(harness.automation.failures).toBe(0)
  })

  it('gets a fresh render of a clip that was edited', () => {
    const harness = ready().finish()
    const clip = harness.waiting!
    harness.videos.set(clip.id, { ...clip, media: { ...clip.media, renderKey: null } })
    harness.at('02 09:00')
    expect(harness.waiting).toMatchObject({ id: clip.id, render: { status: 'QUEUED' } })
    harness.render(clip.id)
    expect(harness.outcomes).toEqual(['02 09:00 published'])
  })

  it('gets the existing render when the attempt to make a new one failed', () => {
    const harness = ready().finish()
    const clip = harness.waiting!
    harness.videos.set(clip.id, { ...clip, render: { ...clip.render!, status: 'FAILED' } })
    harness.at('02 09:00')
    expect(harness.outcomes).toEqual(['02 09:00 published'])
  })

  it('waits while its blueprint is regenerated, if nothing else is missing', () => {
    const harness = ready().finish().at('02 09:00').finishPublish()
    harness.videos.delete(harness.waiting!.id)
    const { blueprint } = harness
    harness.videos.set(blueprint.id, { ...blueprint, process: { ...blueprint.process!, status: 'PROCESSING' } })
    harness.at('03 09:00')
    expect(harness.outcomes).toHaveLength(1)
    harness.videos.set(blueprint.id, { ...harness.blueprint, process: { ...blueprint.process!, status: 'COMPLETED' } })
    harness.at('03 09:10').finish()
    expect(harness.outcomes.at(-1)).toBe('03 09:00 published')
  })

  it('makes another clip when the client deleted the waiting one', () => {
    const harness = ready().finish()
    harness.videos.delete(harness.waiting!.id)
    harness.at('02 09:00')
    expect(harness.clips).toMatchObject([{ process: { status: 'QUEUED' } }])
    harness.finish()
    expect(harness.outcomes).toEqual(['02 09:00 published'])
    expect(new Set(harness.reservedRunIds).size).toBe(harness.reservedRunIds.length)
  })

  it('releases a clip that the client published before it, and makes another', () => {
    const harness = ready().finish()
    const { id, publish } = harness.waiting!
    const byHand = { ...publish!, runId: 'run_hand', status: 'PROCESSING' as const }
    harness.videos.set(id, { ...harness.waiting!, publish: byHand })
    harness.at('02 09:00')
    expect(harness.slots).toEqual([])
    harness.videos.set(id, { ...harness.waiting!, publish: { ...byHand, status: 'COMPLETED' } })
    harness.reconcile(id)
    expect(harness.videos.get(id)?.run?.isOver).toBe(true)
    expect(harness.waiting?.id).not.toBe(id)
  })
})

describe('a publication by the client', () => {
  it('that fails has no effect: its end is on record, and the clip is published at its slot', () => {
    const harness = ready().finish()
    const { id } = harness.waiting!
    harness.publishManually(id, 'badly')
    expect(harness.waiting).toMatchObject({ id, publish: { status: 'FAILED' }, run: { isOver: false } })
    expect(harness.automation.failures).toBe(0)
    harness.at('02 09:00').finishPublish()
    expect(harness.outcomes).toEqual(['02 09:00 published'])
    expect(harness.videos.get(id)).toMatchObject({ publish: { status: 'COMPLETED' }, run: { isOver: true } })
  })

  it.each(['well', 'in doubt'] as const)('that ends %s releases the clip: it is not posted again', (outcome) => {
    const harness = ready().finish()
    const { id, run } = harness.waiting!
    expect(run?.isOver).toBe(false)
    harness.publishManually(id, outcome)
    expect(harness.videos.get(id)).toMatchObject({ run: { isOver: true } })
    expect(harness.waiting).toMatchObject({ process: { status: 'QUEUED' } })
    const { publish } = harness.videos.get(id)!
    harness.finish().at('02 09:00').finishPublish()
    expect(harness.outcomes).toEqual(['02 09:00 published'])
    expect(harness.videos.get(id)?.publish).toEqual(publish)
  })

  it('neither resets nor extends a row of failures', () => {
    const harness = ready().finish().at('02 09:00').finish().finishPublish(false)
    expect(harness.automation.failures).toBe(1)
    harness.publishManually(harness.waiting!.id, 'badly').at('02 12:00')
    expect(harness.automation.failures).toBe(1)
    harness.publishManually(harness.waiting!.id, 'well')
    expect(harness.automation.failures).toBe(1)
  })

  it('of a clip from a manual run leaves its publishing to that run', () => {
    const harness = ready().edit({ status: 'paused' })
    const { id } = harness.run()
    harness.setAccountHealth('expired')
    harness.videos.set(id, { ...harness.videos.get(id)!, run: { isManual: true, isOver: true } })
    harness.finish(id).setAccountHealth('connected')
    harness.videos.set(id, { ...harness.videos.get(id)!, run: { isManual: true, isOver: false } })
    harness.publishManually(id, 'badly')
    expect(harness.videos.get(id)?.publish).toMatchObject({ status: 'QUEUED' })
    expect(harness.finishPublish().automation.failures).toBe(0)
  })
})

describe('blockers', () => {
  it('prevent runs and charges, are reported once, and stop the automation at the second slot in a row', () => {
    const harness = new AutomationHarness().at('02 09:00')
    expect(harness.outcomes).toEqual(['02 09:00 blocked'])
    expect(harness.eventsOfType('automation.blocked')).toMatchObject([
      { facts: { blockers: [{ id: 'no-profile' }, { id: 'no-platforms' }] } },
    ])
    harness.at('03 09:00')
    expect(harness.outcomes).toEqual(['02 09:00 blocked', '03 09:00 stopped'])
    expect(harness.eventsOfType('automation.stopped')).toMatchObject([
      { facts: { reason: 'publish_not_configured', kind: 'config', automation: { status: 'paused' } } },
    ])
    expect(harness.automation).toMatchObject({ status: 'paused', nextSlot: null })
    expect(harness.reservedRunIds).toEqual(['run_first'])
    expect(harness.at('09 09:00').slots).toHaveLength(2)
  })

  it('from an account that expired between arming and slot disarm the clip, and it gets the next slot after a reconnect', () => {
    const harness = ready().finish()
    const { id } = harness.waiting!
    harness.setAccountHealth('expired').at('02 09:00')
    expect(harness.outcomes).toEqual(['02 09:00 blocked'])
    expect(harness.waiting).toMatchObject({ id, publish: null })
    harness.setAccountHealth('connected').at('02 12:00')
    expect(harness.waiting?.publish?.scheduledAt).toBe('2026-11-03T09:00:00.000Z')
    harness.at('03 09:00').finishPublish()
    expect(harness.outcomes).toEqual(['02 09:00 blocked', '03 09:00 published'])
    harness.finish().setAccountHealth('expired').at('04 09:00')
    expect(harness.outcomes.at(-1)).toBe('04 09:00 blocked')
    expect(harness.automation.status).toBe('active')
  })

  it.each([
    ['publish_auth', 'config', (harness: AutomationHarness) => harness.setAccountHealth('expired')],
    ['publish_no_accounts', 'config', (harness: AutomationHarness) => Object.assign(harness, { accounts: [] })],
    [
      'plan_publish',
      'config',
      (harness: AutomationHarness) => Object.assign(harness, { workspace: workspaceOn('free') }),
    ],
  ] as const)('stop with %s, which is of the kind %s', (reason, kind, happens) => {
    const harness = ready().finish()
    happens(harness).at('02 09:00').at('03 09:00')
    expect(harness.automation.stopped).toMatchObject({ reason, kind })
    expect(harness.waiting?.publish).toBeNull()
  })

  it('of credits do not hold back an existing clip; the next one is not made', () => {
    const harness = new AutomationHarness(workspaceOn('starter')).configure().finish()
    harness.workspace = workspaceOn('starter', { creditsBalance: 0 })
    harness.at('02 09:00').finishPublish().at('03 09:00').at('04 09:00')
    expect(harness.outcomes).toEqual(['02 09:00 published', '03 09:00 blocked', '04 09:00 stopped'])
    expect(harness.automation.stopped).toMatchObject({ reason: 'no_credits', kind: 'transient' })
  })

  it('that were not observed for an hour do not count towards two slots in a row', () => {
    const harness = new AutomationHarness().at('02 09:00').at('03 11:00')
    expect(harness.outcomes).toEqual(['02 09:00 blocked', '03 09:00 missed'])
    expect(harness.automation.wasBlocked).toBe(true)
  })
})
