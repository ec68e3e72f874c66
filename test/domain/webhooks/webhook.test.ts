/** The rules of endpoints: what a new one is, what an edit changes, and what is dropped with it. */
import { describe, expect, it } from 'vitest'
import { eventTypes } from '../../../lib/domain/records/event.ts'
import {
  applyAttempt,
  createWebhook,
  editWebhook,
  isSlow,
  removeWebhook,
  type WebhookEdit,
  webhookSecretSealingContext,
} from '../../../lib/domain/webhooks/webhook.ts'
import { webhookWith } from '../support/deliveries.ts'
import { at, workspaceOn } from '../support/videos.ts'

const wish = { url: 'https://example.com/hook', events: ['video.created'] }
const made = { id: 'whk_1', sealedSecret: 'sealed' }
const create = (events: string[], webhooksUsed = 0) =>
  createWebhook(workspaceOn('free', { webhooksUsed }), { ...wish, events }, made, at(5))

describe('a new endpoint', () => {
  it('is enabled, has no failures and is written as one record', () => {
    const { webhook, changes, ...rest } = create(['video.created'])
    expect(webhook).toEqual({
      ...made,
      ...wish,
      workspaceId: 'wsp_1',
      version: 1,
      enabled: true,
      enabledSince: at(5),
      epoch: 0,
      createdAt: at(5),
      updatedAt: at(5),
      lastDeliveryAt: null,
      failureCount: 0,
      disabledReason: null,
    })
    expect(changes).toEqual([{ record: 'webhook', before: undefined, after: webhook }])
    expect(rest).toEqual({ workspaceId: 'wsp_1', at: at(5), charges: [], events: [], starts: [] })
  })

  it('has each event once, in the order in which they were named first', () => {
    const twice = ['video.published', 'video.created', 'video.published']
    expect(create(twice).webhook.events).toEqual(['video.published', 'video.created'])
  })

  it('409: is the 25th at most', () => {
    expect(create(['video.created'], 24).webhook.id).toBe('whk_1')
    expect(() => create(['video.created'], 25)).toThrow(expect.objectContaining({ code: 'limit-reached' }))
  })

  it.each(['webhook.test', 'VIDEO.CREATED', 'video.created ', '', 'toString', '__proto__'])(
    '400: does not take %j for an event, and says which there are',
    (name) => {
      const refusal = { code: 'warning-invalid-events', extras: { validEvents: [...eventTypes] } }
      expect(() => create(['video.created', name])).toThrow(expect.objectContaining(refusal))
      // What is wrong with the request is told before what is wrong with the workspace.
      expect(() => create([name], 25)).toThrow(expect.objectContaining(refusal))
    },
  )

  it('400: names a few of many wrong events, and none at length', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(1_000)}`)
    expect(() => create(names)).toThrow(expect.objectContaining({ code: 'warning-invalid-events' }))
    try {
      create(names)
    } catch (refusal) {
      expect((refusal as Error).message.length).toBeLessThan(1_000)
    }
  })

  it('has a secret that belongs to it alone', () => {
    const contexts = [webhookWith(), webhookWith({ id: 'whk_2' }), webhookWith({ workspaceId: 'wsp_2' })].map(
      (webhook) => JSON.stringify(webhookSecretSealingContext(webhook)),
    )
    expect(new Set(contexts).size).toBe(3)
  })
})

describe('an edit', () => {
  const before = webhookWith({ version: 4, failureCount: 3, epoch: 2 })
  const disabled = webhookWith({ enabled: false, failureCount: 25, disabledReason: 'Too many.', epoch: 3 })
  const edit = (wish: WebhookEdit, webhook = before) => editWebhook(webhook, wish, at(9))

  it.each<[WebhookEdit]>([
    [{ url: 'https://example.com/hook' }],
    [{ events: ['video.published', 'automation.blocked'] }],
    [{ enabled: true }],
    [{ url: undefined, events: undefined, enabled: undefined }],
  ])('changes what it names and nothing else: %j', (wish) => {
    const named = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))
    const { webhook, deliveryDrops: drops, changes } = edit(wish)
    expect(webhook).toEqual({ ...before, ...named, version: 5, updatedAt: at(9) })
    expect(drops).toEqual([])
    expect(changes).toEqual([{ record: 'webhook', before, after: webhook }])
  })

  it('that enables again tells nothing of what happened before', () => {
    const disabled = { ...before, enabled: false }
    expect(edit({ enabled: true }, disabled).webhook.enabledSince).toBe(at(9))
    expect(edit({ enabled: true }).webhook.enabledSince).toBe(before.enabledSince)
  })

  it('of the address begins with a clean record', () => {
    const url = 'https://example.com/moved'
    expect(edit({ url }).webhook).toEqual({ ...before, url, failureCount: 0, version: 5, updatedAt: at(9) })
  })

  it('400: takes no event that is none', () => {
    expect(() => edit({ events: ['webhook.test'] })).toThrow(
      expect.objectContaining({ code: 'warning-invalid-events' }),
    )
  })

  it('that disables begins an epoch, and drops what was queued before it', () => {
    const { webhook, deliveryDrops: drops } = edit({ enabled: false })
    expect(webhook).toMatchObject({ enabled: false, epoch: 3, disabledReason: null, failureCount: 3 })
    expect(drops).toEqual([{ webhookId: before.id, epoch: 3 }])
  })

  it('that enables what was disabled begins with a clean record, in the epoch of its being disabled', () => {
    const { webhook, deliveryDrops: drops } = edit({ enabled: true }, disabled)
    expect(webhook).toMatchObject({ enabled: true, failureCount: 0, disabledReason: null, epoch: 3 })
    expect(drops).toEqual([])
  })

  it('that says what is so already drops nothing and keeps the failures', () => {
    expect(edit({ enabled: true }).webhook).toMatchObject({ failureCount: 3, epoch: 2 })
    const again = edit({ enabled: false }, disabled)
    expect([again.deliveryDrops, again.webhook.epoch, again.webhook.disabledReason]).toEqual([[], 3, 'Too many.'])
  })
})

describe('a removal', () => {
  it('drops everything that is queued', () => {
    const webhook = webhookWith({ epoch: 2 })
    expect(removeWebhook(webhook, at(9))).toMatchObject({
      changes: [{ record: 'webhook', before: webhook, after: undefined }],
      deliveryDrops: [{ webhookId: 'whk_1', epoch: 3 }],
    })
  })
})

describe('an endpoint that fails', () => {
  it('is served apart from the fifth failure in a row on', () => {
    expect([0, 4, 5, 24].map((failureCount) => isSlow(webhookWith({ failureCount })))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('is disabled once: what fails after that is not counted', () => {
    const last = applyAttempt(webhookWith({ failureCount: 24 }), 'failed', at(9))!
    expect(last.change.after).toMatchObject({ enabled: false, failureCount: 25, epoch: 1, updatedAt: at(9) })
    expect(last.drops).toEqual([{ webhookId: 'whk_1', epoch: 1 }])
    expect(applyAttempt(last.change.after, 'failed', at(10))).toBeUndefined()
    expect(applyAttempt(last.change.after, 'acknowledged', at(10))).toBeUndefined()
  })
})
