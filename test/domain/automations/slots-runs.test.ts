/** Failed runs, manual runs and automations without autoRefill. */
import { describe, expect, it } from 'vitest'
import { workspaceOn } from '../support/videos.ts'
import { AutomationHarness } from './automation-harness.ts'

const ready = () => new AutomationHarness().configure()

describe('failures', () => {
  it('before the slot are retried by it; at the slot they use it up; the fifth in a row stops the automation', () => {
    const stage = ready().fail()
    expect(stage.waiting).toBeUndefined()
    expect(stage.slots).toEqual([])
    for (const day of ['02', '03', '04', '05']) {
      stage.at(`${day} 09:00`)
      expect(stage.waiting?.process?.status).toBe('QUEUED')
      stage.fail()
    }
    expect(stage.outcomes).toEqual(['02', '03', '04', '05'].map((day) => `${day} 09:00 failed`))
    expect(stage.automation).toMatchObject({
      status: 'paused',
      stopped: { reason: 'repeated_failures', kind: 'transient', detail: 'Nobody answered.' },
    })
    expect(stage.eventsOfType('automation.stopped')).toHaveLength(1)
    expect(stage.reservedRunIds).toHaveLength(6)
  })

  it('are forgotten after a published clip, and the next clip is made ahead again', () => {
    const stage = ready().fail().at('02 09:00').finish().finishPublish()
    expect(stage.automation).toMatchObject({ failures: 0, status: 'active' })
    expect(stage.waiting?.process?.status).toBe('QUEUED')
  })

  it('of renders and of publications count alike, and a stop disarms the waiting clip', () => {
    const stage = ready().finish().at('02 09:00')
    stage.fail('process').finishPublish(false)
    expect(stage.automation.failures).toBe(2)
    for (const day of ['03', '04', '05']) stage.at(`${day} 09:00`).finish().finishPublish(false)
    expect(stage.automation).toMatchObject({ status: 'paused', stopped: { reason: 'repeated_failures' } })

    const other = ready()
    for (const day of ['02', '03', '04', '05', '06']) other.finish().at(`${day} 09:00`)
    other.finish().finishPublish(false)
    expect(other.automation.status).toBe('paused')
    expect(other.waiting?.publish).toBeNull()
  })

  it('of a paused automation are counted, and do not stop it', () => {
    const stage = ready().finish().edit({ status: 'paused' })
    for (let time = 0; time < 6; time++) stage.fail('process', stage.run().id)
    expect(stage.automation).toMatchObject({ status: 'paused', stopped: null })
    expect(stage.edit({ status: 'active' }).automation.failures).toBe(0)
  })
})

describe('a manual run', () => {
  it('makes a clip beside the armed one, and publishes it as soon as it is rendered', () => {
    const stage = ready().finish()
    const { id } = stage.waiting!
    const clip = stage.run()
    stage.finish(clip.id)
    expect(stage.videos.get(clip.id)?.publish).toMatchObject({ status: 'QUEUED', scheduledAt: null })
    stage.finishPublish()
    expect(stage.videos.get(clip.id)?.run?.isOver).toBe(true)
    expect(stage.waiting).toMatchObject({ id, publish: { status: 'SCHEDULED' } })
    expect(stage.slots).toEqual([])
  })

  it('of a paused automation is published too', () => {
    const stage = ready().edit({ status: 'paused' })
    const clip = stage.run()
    expect(stage.finish(clip.id).videos.get(clip.id)?.publish?.status).toBe('QUEUED')
  })

  it('fails when no account is reachable any more', () => {
    const stage = ready()
    const clip = stage.run()
    stage.setAccountHealth('expired').finish(clip.id)
    expect(stage.videos.get(clip.id)).toMatchObject({
      publish: { status: 'FAILED', error: { code: 'warning-publish-auth', blocked: true, action: 'connect' } },
      run: { isOver: true },
    })
    expect(stage.eventsOfType('video.publish_failed')).toMatchObject([{ facts: { video: { id: clip.id } } }])
    expect(stage.automation.failures).toBe(1)
  })

  it('is not published when its blueprint was demoted: the clip stays and states the reason', () => {
    const stage = ready()
    const { id } = stage.run()
    stage.promote(false).finish(id)
    expect(stage.videos.get(id)).toMatchObject({
      media: { renderKey: expect.any(String) },
      publish: { status: 'FAILED', error: { code: 'warning-publish-not-configured', blocked: true } },
      run: { isOver: true },
    })
    expect(stage.eventsOfType('video.publish_failed')).toMatchObject([{ facts: { video: { id } } }])
    stage.reconcile(id).promote(true).reconcile(id)
    expect(stage.eventsOfType('video.publish_failed')).toHaveLength(1)
    expect(stage.automation.failures).toBe(0)
  })

  it('is published when its blueprint is promoted again before the clip is ready', () => {
    const stage = ready()
    const { id } = stage.run()
    stage.promote(false).promote(true).finish(id)
    expect(stage.videos.get(id)?.publish?.status).toBe('QUEUED')
  })
})

describe('autoRefill: false', () => {
  it('publishes what the client made, makes nothing itself, and is blocked without a clip', () => {
    const stage = new AutomationHarness().configure({ autoRefill: false })
    expect(stage.clips).toEqual([])
    const clip = stage.run()
    stage.finish(clip.id).finishPublish()
    const { run: _run, ...spare } = stage.videos.get(clip.id)!
    stage.videos.set('vid_spare', { ...spare, id: 'vid_spare', publish: null, posted: {} })
    stage.reconcile()
    expect(stage.waiting).toMatchObject({ id: 'vid_spare', publish: { status: 'SCHEDULED' } })
    stage.at('02 09:00').finishPublish().at('03 09:00')
    expect(stage.outcomes).toEqual(['02 09:00 published', '03 09:00 blocked'])
    expect(stage.clips).toHaveLength(2)
    expect(stage.eventsOfType('automation.blocked')).toMatchObject([
      { facts: { blockers: [{ id: 'source-not-ready' }] } },
    ])
  })

  it('lists the missing clip first when several blockers apply', () => {
    const stage = new AutomationHarness(workspaceOn('starter')).configure({ autoRefill: false })
    stage.workspace = workspaceOn('starter', { creditsBalance: 0 })
    stage.at('02 09:00').at('03 09:00')
    expect(stage.eventsOfType('automation.blocked')).toMatchObject([
      { facts: { blockers: [{ id: 'source-not-ready' }, { id: 'no-credits' }] } },
    ])
    expect(stage.automation.stopped).toMatchObject({
      reason: 'publish_not_configured',
      detail: expect.stringMatching(/^There is no clip to publish\./),
    })
  })
})
