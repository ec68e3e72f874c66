/** Rules of endpoints: the fields of a new one, what an edit changes, and which deliveries it drops. */
import { describe, expect, it } from 'vitest'
import { eventTypes } from '../../../lib/domain/records/event.ts'
import {
  applyAttempt,
  createWebhook,
  editWebhook,
  isSlow,
  removeWebhook,
  resumeWebhook,
  suspendWebhook,
  type WebhookEdit,
  webhookSecretSealingContext,
} from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import { webhookWith } from '../support/deliveries.ts'
import { at, workspaceOn } from '../support/videos.ts'

const input = { url: 'https://example.com/hook', events: ['video.created'] }
const made = { id: 'whk_1', sealedSecret: 'sealed' }
const create = (events: string[], webhooksUsed = 0) =>
  createWebhook(workspaceOn('free', { webhooksUsed }), { ...input, events }, made, at(5))

describe('a new endpoint', () => {
  it('is enabled, has no failures and is written as one record', () => {
    const { webhook, changes, ...rest } = create(['video.created'])
    expect(webhook).toEqual({
      ...made,
      ...input,
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

  it('lists each event once, in the order of first mention', () => {
    const twice = ['video.published', 'video.created', 'video.published']
    expect(create(twice).webhook.events).toEqual(['video.published', 'video.created'])
  })

  it('refuses unknown events: the first five, each in short, and all that there are', () => {
    const unknown = ['x'.repeat(300), 'b', 'c', 'b', 'd', 'e', 'f']
    const named = [`"${'x'.repeat(100)}"`, '"b"', '"c"', '"d"', '"e"'].join(', ')
    expect(() => create(['video.created', ...unknown])).toThrow(
      expect.objectContaining({
        code: 'warning-invalid-events',
        message: `Not an event: ${named}.`,
        extras: { validEvents: [...eventTypes] },
      }),
    )
  })

  it('409: a workspace has at most 25', () => {
    expect(create(['video.created'], 24).webhook.id).toBe('whk_1')
    expect(() => create(['video.created'], 25)).toThrow(expect.objectContaining({ code: 'limit-reached' }))
  })

  it.each(['webhook.test', 'VIDEO.CREATED', 'video.created ', '', 'toString', '__proto__'])(
    '400: rejects the event %j and lists the valid ones',
    (name) => {
      const refusal = { code: 'warning-invalid-events', extras: { validEvents: [...eventTypes] } }
      expect(() => create(['video.created', name])).toThrow(expect.objectContaining(refusal))
      // Errors in the request take precedence over errors in the state of the workspace.
      expect(() => create([name], 25)).toThrow(expect.objectContaining(refusal))
    },
  )

  it('400: names only a few of many invalid events, and truncates long ones', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(1_000)}`)
    expect(() => create(names)).toThrow(expect.objectContaining({ code: 'warning-invalid-events' }))
    try {
      create(names)
    } catch (refusal) {
      expect((refusal as Error).message.length).toBeLessThan(1_000)
    }
  })

  it('has a secret of its own', () => {
    const contexts = [webhookWith(), webhookWith({ id: 'whk_2' }), webhookWith({ workspaceId: 'wsp_2' })].map(
      (webhook) => JSON.stringify(webhookSecretSealingContext(webhook)),
    )
    expect(new Set(contexts).size).toBe(3)
  })
})

describe('an edit', () => {
  const before = webhookWith({ version: 4, failureCount: 3, epoch: 2 })
  const disabled = webhookWith({ enabled: false, failureCount: 25, disabledReason: 'Too many.', epoch: 3 })
  const edit = (input: WebhookEdit, webhook = before) => editWebhook(webhook, input, at(9))

  it.each<[WebhookEdit]>([
    [{ url: 'https://example.com/hook' }],
    [{ events: ['video.published', 'automation.blocked'] }],
    [{ enabled: true }],
    [{ url: undefined, events: undefined, enabled: undefined }],
  ])('changes only the named fields: %j', (input) => {
    const named = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const { webhook, deliveryDrops: drops, changes } = edit(input)
    expect(webhook).toEqual({ ...before, ...named, version: 5, updatedAt: at(9) })
    expect(drops).toEqual([])
    expect(changes).toEqual([{ record: 'webhook', before, after: webhook }])
  })

  it('that re-enables the endpoint does not deliver earlier events', () => {
    const disabled = { ...before, enabled: false }
    expect(edit({ enabled: true }, disabled).webhook.enabledSince).toBe(at(9))
    expect(edit({ enabled: true }).webhook.enabledSince).toBe(before.enabledSince)
  })

  it('of the address resets the failures', () => {
    const url = 'https://example.com/moved'
    expect(edit({ url }).webhook).toEqual({ ...before, url, failureCount: 0, version: 5, updatedAt: at(9) })
  })

  it('400: rejects an unknown event', () => {
    expect(() => edit({ events: ['webhook.test'] })).toThrow(
      expect.objectContaining({ code: 'warning-invalid-events' }),
    )
  })

  it('that disables the endpoint begins an epoch, and drops the queued deliveries', () => {
    const { webhook, deliveryDrops: drops } = edit({ enabled: false })
    expect(webhook).toMatchObject({ enabled: false, epoch: 3, disabledReason: null, failureCount: 3 })
    expect(drops).toEqual([{ webhookId: before.id, epoch: 3 }])
  })

  it('that re-enables the endpoint resets the failures, in the epoch in which it was disabled', () => {
    const { webhook, deliveryDrops: drops } = edit({ enabled: true }, disabled)
    expect(webhook).toMatchObject({ enabled: true, failureCount: 0, disabledReason: null, epoch: 3 })
    expect(drops).toEqual([])
  })

  it('that changes nothing drops nothing and keeps the failures', () => {
    expect(edit({ enabled: true }).webhook).toMatchObject({ failureCount: 3, epoch: 2 })
    const again = edit({ enabled: false }, disabled)
    expect([again.deliveryDrops, again.webhook.epoch, again.webhook.disabledReason]).toEqual([[], 3, 'Too many.'])
  })
})

describe('a deletion', () => {
  it('drops every queued delivery', () => {
    const webhook = webhookWith({ epoch: 2 })
    expect(removeWebhook(webhook, at(9))).toMatchObject({
      changes: [{ record: 'webhook', before: webhook, after: undefined }],
      deliveryDrops: [{ webhookId: 'whk_1', epoch: 3 }],
    })
  })
})

describe('a failing endpoint', () => {
  it('gets the separate queue from the fifth failure in a row on', () => {
    expect([0, 4, 5, 24].map((failureCount) => isSlow(webhookWith({ failureCount })))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('is disabled once: later failures are not counted', () => {
    const last = applyAttempt(webhookWith({ failureCount: 24 }), 'failed', at(9))!
    expect(last.change.after).toMatchObject({ enabled: false, failureCount: 25, epoch: 1, updatedAt: at(9) })
    expect(last.drops).toEqual([{ webhookId: 'whk_1', epoch: 1 }])
    expect(applyAttempt(last.change.after, 'failed', at(10))).toBeUndefined()
    expect(applyAttempt(last.change.after, 'acknowledged', at(10))).toBeUndefined()
  })
})

describe('the endpoints of a suspended workspace', () => {
  it('are disabled, and enabled again for events from then on', () => {
    const before = webhookWith({ epoch: 2, failureCount: 3 })
    const suspended = suspendWebhook(before, at(9))!
    expect(suspended).toMatchObject({
      changes: [{ record: 'webhook', before, after: suspended.webhook }],
      deliveryDrops: [{ webhookId: 'whk_1', epoch: 3 }],
    })
    expect(suspended.webhook).toEqual({
      ...before,
      ...{ version: 2, updatedAt: at(9), enabled: false, epoch: 3, isSuspended: true },
      disabledReason: 'The workspace is suspended.',
    })
    const resumed = resumeWebhook(suspended.webhook, at(20))!
    expect(resumed.changes).toEqual([{ record: 'webhook', before: suspended.webhook, after: resumed.webhook }])
    expect(resumed.webhook).toEqual({ ...before, version: 3, updatedAt: at(20), enabledSince: at(20), epoch: 3 })
  })

  it('stay as they are where another has disabled them', () => {
    const disabled = webhookWith({ enabled: false })
    expect([
      suspendWebhook(disabled, at(9)),
      resumeWebhook(disabled, at(9)),
      resumeWebhook(webhookWith(), at(9)),
    ]).toEqual([undefined, undefined, undefined])
  })
})
