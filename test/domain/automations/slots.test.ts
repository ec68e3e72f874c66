/** Slots: each is used exactly once, whatever happens to its clips, accounts and schedule. */
import { describe, expect, it } from 'vitest'
import { workspaceOn } from '../support/videos.ts'
import { AutomationHarness, dailySchedule } from './automation-harness.ts'

const ready = () => new AutomationHarness().configure()

describe('a slot', () => {
  it('gets a clip that is made and armed ahead, and published at the slot', () => {
    const stage = ready()
    expect(stage.waiting).toMatchObject({ process: { status: 'QUEUED' }, publish: null, run: { isManual: false } })
    stage.finish()
    expect(stage.waiting?.publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: '2026-11-02T09:00:00.000Z' })
    const { id } = stage.waiting!
    stage.at('02 09:00')
    expect(stage.slots).toMatchObject([{ date: '2026-11-02', index: 0, outcome: 'published', clipId: id }])
    expect(stage.videos.get(id)?.publish).toMatchObject({
      status: 'QUEUED',
      scheduledAt: '2026-11-02T09:00:00.000Z',
      platforms: [],
    })
    stage.finishPublish()
    expect(stage.videos.get(id)).toMatchObject({ publish: { status: 'COMPLETED' }, run: { isOver: true } })
  })

  it('starts the next clip immediately: one waits, never two', () => {
    const stage = ready().finish().at('02 09:00')
    expect(stage.clips).toHaveLength(2)
    stage.finishPublish().reconcile().reconcile().finish()
    expect(stage.clips).toHaveLength(2)
    expect(stage.waiting?.publish?.scheduledAt).toBe('2026-11-03T09:00:00.000Z')
    expect(stage.eventsOfType('automation.clip_created')).toHaveLength(2)
    expect(stage.eventsOfType('video.scheduled')).toHaveLength(2)
  })

  it('waits for a late clip, which is published as soon as it is rendered', () => {
    const stage = ready().at('02 09:00')
    expect(stage.slots).toEqual([])
    stage.at('02 09:59').finish()
    expect(stage.outcomes).toEqual(['02 09:00 published'])
  })

  it('is missed after an hour, and its clip waits for the next one', () => {
    const stage = ready().finish().at('02 10:00')
    expect(stage.outcomes).toEqual(['02 09:00 missed'])
    expect(stage.waiting?.publish).toMatchObject({ status: 'SCHEDULED', scheduledAt: '2026-11-03T09:00:00.000Z' })
    expect(stage.clips).toHaveLength(1)
  })

  it('is decided after six hours of outage: missed if it is older than an hour, used otherwise', () => {
    const stage = new AutomationHarness()
      .configure({ schedule: dailySchedule('09:00', '12:00', '14:30') })
      .finish()
      .at('02 15:00')
    expect(stage.outcomes).toEqual(['02 09:00 missed', '02 12:00 missed', '02 14:30 published'])
  })

  it.each([
    ['Asia/Kolkata', ['15:00', '16:00', '17:00'], ['09:30', '10:30', '11:30']],
    ['America/New_York', ['08:00', '09:00', '10:00'], ['13:00', '14:00', '15:00']],
  ])('follows its zone: %s, three a day', (timezone, local, hours) => {
    const stage = new AutomationHarness().configure({ schedule: { ...dailySchedule(...local), timezone } })
    for (const hour of hours) stage.finish().at(`02 ${hour}`).finishPublish()
    expect(stage.outcomes).toEqual(hours.map((hour) => `02 ${hour} published`))
  })

  it('is used once, however often it is reconciled', () => {
    const stage = ready().finish()
    const { id } = stage.waiting!
    stage.at('02 09:00').reconcile().reconcile(id).reconcile()
    stage.finishPublish().reconcile(id).reconcile(id)
    expect(stage.slots).toHaveLength(1)
    expect(stage.automation.failures).toBe(0)
  })

  it('gets a fresh render of a clip that was edited', () => {
    const stage = ready().finish()
    const clip = stage.waiting!
    stage.videos.set(clip.id, { ...clip, media: { ...clip.media, renderKey: null } })
    stage.at('02 09:00')
    expect(stage.waiting).toMatchObject({ id: clip.id, render: { status: 'QUEUED' } })
    stage.render(clip.id)
    expect(stage.outcomes).toEqual(['02 09:00 published'])
  })

  it('gets the existing render when the attempt to make a new one failed', () => {
    const stage = ready().finish()
    const clip = stage.waiting!
    stage.videos.set(clip.id, { ...clip, render: { ...clip.render!, status: 'FAILED' } })
    stage.at('02 09:00')
    expect(stage.outcomes).toEqual(['02 09:00 published'])
  })

  it('waits while its blueprint is regenerated, if nothing else is missing', () => {
    const stage = ready().finish().at('02 09:00').finishPublish()
    stage.videos.delete(stage.waiting!.id)
    const { blueprint } = stage
    stage.videos.set(blueprint.id, { ...blueprint, process: { ...blueprint.process!, status: 'PROCESSING' } })
    stage.at('03 09:00')
    expect(stage.outcomes).toHaveLength(1)
    stage.videos.set(blueprint.id, { ...stage.blueprint, process: { ...blueprint.process!, status: 'COMPLETED' } })
    stage.at('03 09:10').finish()
    expect(stage.outcomes.at(-1)).toBe('03 09:00 published')
  })

  it('makes another clip when the client deleted the waiting one', () => {
    const stage = ready().finish()
    stage.videos.delete(stage.waiting!.id)
    stage.at('02 09:00')
    expect(stage.clips).toMatchObject([{ process: { status: 'QUEUED' } }])
    stage.finish()
    expect(stage.outcomes).toEqual(['02 09:00 published'])
    expect(new Set(stage.reservedRunIds).size).toBe(stage.reservedRunIds.length)
  })

  it('releases a clip that the client published before it, and makes another', () => {
    const stage = ready().finish()
    const { id, publish } = stage.waiting!
    const byHand = { ...publish!, runId: 'run_hand', status: 'PROCESSING' as const }
    stage.videos.set(id, { ...stage.waiting!, publish: byHand })
    stage.at('02 09:00')
    expect(stage.slots).toEqual([])
    stage.videos.set(id, { ...stage.waiting!, publish: { ...byHand, status: 'COMPLETED' } })
    stage.reconcile(id)
    expect(stage.videos.get(id)?.run?.isOver).toBe(true)
    expect(stage.waiting?.id).not.toBe(id)
  })
})

describe('a publication by the client', () => {
  it('that fails has no effect: its end is on record, and the clip is published at its slot', () => {
    const stage = ready().finish()
    const { id } = stage.waiting!
    stage.publishManually(id, 'badly')
    expect(stage.waiting).toMatchObject({ id, publish: { status: 'FAILED' }, run: { isOver: false } })
    expect(stage.automation.failures).toBe(0)
    stage.at('02 09:00').finishPublish()
    expect(stage.outcomes).toEqual(['02 09:00 published'])
    expect(stage.videos.get(id)).toMatchObject({ publish: { status: 'COMPLETED' }, run: { isOver: true } })
  })

  it.each(['well', 'in doubt'] as const)('that ends %s releases the clip: it is not posted again', (outcome) => {
    const stage = ready().finish()
    const { id, run } = stage.waiting!
    expect(run?.isOver).toBe(false)
    stage.publishManually(id, outcome)
    expect(stage.videos.get(id)).toMatchObject({ run: { isOver: true } })
    expect(stage.waiting).toMatchObject({ process: { status: 'QUEUED' } })
    const { publish } = stage.videos.get(id)!
    stage.finish().at('02 09:00').finishPublish()
    expect(stage.outcomes).toEqual(['02 09:00 published'])
    expect(stage.videos.get(id)?.publish).toEqual(publish)
  })

  it('neither resets nor extends a row of failures', () => {
    const stage = ready().finish().at('02 09:00').finish().finishPublish(false)
    expect(stage.automation.failures).toBe(1)
    stage.publishManually(stage.waiting!.id, 'badly').at('02 12:00')
    expect(stage.automation.failures).toBe(1)
    stage.publishManually(stage.waiting!.id, 'well')
    expect(stage.automation.failures).toBe(1)
  })

  it('of a clip from a manual run leaves its publishing to that run', () => {
    const stage = ready().edit({ status: 'paused' })
    const { id } = stage.run()
    stage.setAccountHealth('expired')
    stage.videos.set(id, { ...stage.videos.get(id)!, run: { isManual: true, isOver: true } })
    stage.finish(id).setAccountHealth('connected')
    stage.videos.set(id, { ...stage.videos.get(id)!, run: { isManual: true, isOver: false } })
    stage.publishManually(id, 'badly')
    expect(stage.videos.get(id)?.publish).toMatchObject({ status: 'QUEUED' })
    expect(stage.finishPublish().automation.failures).toBe(0)
  })
})

describe('blockers', () => {
  it('prevent runs and charges, are reported once, and stop the automation at the second slot in a row', () => {
    const stage = new AutomationHarness().at('02 09:00')
    expect(stage.outcomes).toEqual(['02 09:00 blocked'])
    expect(stage.eventsOfType('automation.blocked')).toMatchObject([
      { facts: { blockers: [{ id: 'no-profile' }, { id: 'no-platforms' }] } },
    ])
    stage.at('03 09:00')
    expect(stage.outcomes).toEqual(['02 09:00 blocked', '03 09:00 stopped'])
    expect(stage.eventsOfType('automation.stopped')).toMatchObject([
      { facts: { reason: 'publish_not_configured', kind: 'config', automation: { status: 'paused' } } },
    ])
    expect(stage.automation).toMatchObject({ status: 'paused', nextSlot: null })
    expect(stage.reservedRunIds).toEqual(['run_first'])
    expect(stage.at('09 09:00').slots).toHaveLength(2)
  })

  it('from an account that expired between arming and slot disarm the clip, and it gets the next slot after a reconnect', () => {
    const stage = ready().finish()
    const { id } = stage.waiting!
    stage.setAccountHealth('expired').at('02 09:00')
    expect(stage.outcomes).toEqual(['02 09:00 blocked'])
    expect(stage.waiting).toMatchObject({ id, publish: null })
    stage.setAccountHealth('connected').at('02 12:00')
    expect(stage.waiting?.publish?.scheduledAt).toBe('2026-11-03T09:00:00.000Z')
    stage.at('03 09:00').finishPublish()
    expect(stage.outcomes).toEqual(['02 09:00 blocked', '03 09:00 published'])
    stage.finish().setAccountHealth('expired').at('04 09:00')
    expect(stage.outcomes.at(-1)).toBe('04 09:00 blocked')
    expect(stage.automation.status).toBe('active')
  })

  it.each([
    ['publish_auth', 'config', (stage: AutomationHarness) => stage.setAccountHealth('expired')],
    ['publish_no_accounts', 'config', (stage: AutomationHarness) => Object.assign(stage, { accounts: [] })],
    ['plan_publish', 'config', (stage: AutomationHarness) => Object.assign(stage, { workspace: workspaceOn('free') })],
  ] as const)('stop with %s, which is of the kind %s', (reason, kind, happens) => {
    const stage = ready().finish()
    happens(stage).at('02 09:00').at('03 09:00')
    expect(stage.automation.stopped).toMatchObject({ reason, kind })
    expect(stage.waiting?.publish).toBeNull()
  })

  it('of credits do not hold back an existing clip; the next one is not made', () => {
    const stage = new AutomationHarness(workspaceOn('starter')).configure().finish()
    stage.workspace = workspaceOn('starter', { creditsBalance: 0 })
    stage.at('02 09:00').finishPublish().at('03 09:00').at('04 09:00')
    expect(stage.outcomes).toEqual(['02 09:00 published', '03 09:00 blocked', '04 09:00 stopped'])
    expect(stage.automation.stopped).toMatchObject({ reason: 'no_credits', kind: 'transient' })
  })

  it('that were not observed for an hour do not count towards two slots in a row', () => {
    const stage = new AutomationHarness().at('02 09:00').at('03 11:00')
    expect(stage.outcomes).toEqual(['02 09:00 blocked', '03 09:00 missed'])
    expect(stage.automation.wasBlocked).toBe(true)
  })
})
