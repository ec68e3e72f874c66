/** Failed runs, manual runs and automations without autoRefill. */
import { describe, expect, it } from 'vitest'
import { workspaceOn } from '../support/videos.ts'
import { AutomationHarness } from './automation-harness.ts'

const ready = () => new AutomationHarness().configure()

describe('failures', () => {
  it('before the slot are retried by it; at the slot they use it up; the fifth in a row stops the automation', () => {
    const harness = ready().fail()
    expect(harness.waiting).toBeUndefined()
    expect(harness.slots).toEqual([])
    for (const day of ['02', '03', '04', '05']) {
      harness.at(`${day} 09:00`)
      expect(harness.waiting?.process?.status).toBe('QUEUED')
      harness.fail()
    }
    expect(harness.outcomes).toEqual(['02', '03', '04', '05'].map((day) => `${day} 09:00 failed`))
    expect(harness.automation).toMatchObject({
      status: 'paused',
      stopped: { reason: 'repeated_failures', kind: 'transient', detail: 'Nobody answered.' },
    })
    expect(harness.eventsOfType('automation.stopped')).toHaveLength(1)
    expect(harness.reservedRunIds).toHaveLength(6)
  })

  it('are forgotten after a published clip, and the next clip is made ahead again', () => {
    const harness = ready().fail().at('02 09:00').finish().finishPublish()
    expect(harness.automation).toMatchObject({ failures: 0, status: 'active' })
    expect(harness.waiting?.process?.status).toBe('QUEUED')
  })

  it('of renders and of publications count alike, and a stop disarms the waiting clip', () => {
    const harness = ready().finish().at('02 09:00')
    harness.fail('process').finishPublish(false)
    expect(harness.automation.failures).toBe(2)
    for (const day of ['03', '04', '05']) harness.at(`${day} 09:00`).finish().finishPublish(false)
    expect(harness.automation).toMatchObject({ status: 'paused', stopped: { reason: 'repeated_failures' } })

    const other = ready()
    for (const day of ['02', '03', '04', '05', '06']) other.finish().at(`${day} 09:00`)
    other.finish().finishPublish(false)
    expect(other.automation.status).toBe('paused')
    expect(other.waiting?.publish).toBeNull()
  })

  it('of a paused automation are counted, and do not stop it', () => {
    const harness = ready().finish().edit({ status: 'paused' })
    for (let time = 0; time < 6; time++) harness.fail('process', harness.run().id)
    expect(harness.automation).toMatchObject({ status: 'paused', stopped: null })
    expect(harness.edit({ status: 'active' }).automation.failures).toBe(0)
  })
})

describe('a manual run', () => {
  it('makes a clip beside the armed one, and publishes it as soon as it is rendered', () => {
    const harness = ready().finish()
    const { id } = harness.waiting!
    const clip = harness.run()
    harness.finish(clip.id)
    expect(harness.videos.get(clip.id)?.publish).toMatchObject({ status: 'QUEUED', scheduledAt: null })
    harness.finishPublish()
    expect(harness.videos.get(clip.id)?.run?.isOver).toBe(true)
    expect(harness.waiting).toMatchObject({ id, publish: { status: 'SCHEDULED' } })
    expect(harness.slots).toEqual([])
  })

  it('of a paused automation is published too', () => {
    const harness = ready().edit({ status: 'paused' })
    const clip = harness.run()
    expect(harness.finish(clip.id).videos.get(clip.id)?.publish?.status).toBe('QUEUED')
  })

  it('fails when no account is reachable any more', () => {
    const harness = ready()
    const clip = harness.run()
    harness.setAccountHealth('expired').finish(clip.id)
    expect(harness.videos.get(clip.id)).toMatchObject({
      publish: { status: 'FAILED', error: { code: 'warning-publish-auth', blocked: true, action: 'connect' } },
      run: { isOver: true },
    })
    expect(harness.eventsOfType('video.publish_failed')).toMatchObject([{ facts: { video: { id: clip.id } } }])
    expect(harness.automation.failures).toBe(1)
  })

  it('is not published when its blueprint was demoted: the clip stays and states the reason', () => {
    const harness = ready()
    const { id } = harness.run()
    harness.promote(false).finish(id)
    expect(harness.videos.get(id)).toMatchObject({
      media: { renderKey: expect.any(String) },
      publish: { status: 'FAILED', error: { code: 'warning-publish-not-configured', blocked: true } },
      run: { isOver: true },
    })
    expect(harness.eventsOfType('video.publish_failed')).toMatchObject([{ facts: { video: { id } } }])
    harness.reconcile(id).promote(true).reconcile(id)
    expect(harness.eventsOfType('video.publish_failed')).toHaveLength(1)
    expect(harness.automation.failures).toBe(0)
  })

  it('is published when its blueprint is promoted again before the clip is ready', () => {
    const harness = ready()
    const { id } = harness.run()
    harness.promote(false).promote(true).finish(id)
    expect(harness.videos.get(id)?.publish?.status).toBe('QUEUED')
  })
})

describe('autoRefill: false', () => {
  it('publishes what the client made, makes nothing itself, and is blocked without a clip', () => {
    const harness = new AutomationHarness().configure({ autoRefill: false })
    expect(harness.clips).toEqual([])
    const clip = harness.run()
    harness.finish(clip.id).finishPublish()
    const { run: _run, ...spare } = harness.videos.get(clip.id)!
    harness.videos.set('vid_spare', { ...spare, id: 'vid_spare', publish: null, posted: {} })
    harness.reconcile()
    expect(harness.waiting).toMatchObject({ id: 'vid_spare', publish: { status: 'SCHEDULED' } })
    harness.at('02 09:00').finishPublish().at('03 09:00')
    expect(harness.outcomes).toEqual(['02 09:00 published', '03 09:00 blocked'])
    expect(harness.clips).toHaveLength(2)
    expect(harness.eventsOfType('automation.blocked')).toMatchObject([
      { facts: { blockers: [{ id: 'source-not-ready' }] } },
    ])
  })

  it('lists the missing clip first when several blockers apply', () => {
    const harness = new AutomationHarness(workspaceOn('starter')).configure({ autoRefill: false })
    harness.workspace = workspaceOn('starter', { creditsBalance: 0 })
    harness.at('02 09:00').at('03 09:00')
    expect(harness.eventsOfType('automation.blocked')).toMatchObject([
      { facts: { blockers: [{ id: 'source-not-ready' }, { id: 'no-credits' }] } },
    ])
    expect(harness.automation.stopped).toMatchObject({
      reason: 'publish_not_configured',
      detail: expect.stringMatching(/^There is no clip to publish\./),
    })
  })
})
