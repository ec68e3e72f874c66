/** How delivery attempts affect their endpoint, and what happens to deliveries whose endpoint changed. */
import { describe, expect, it } from 'vitest'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import type { DeliveryOutcome } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import {
  dropDelivery,
  reasonToDrop,
  reasonToGiveUp,
  recordAttempt,
} from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { editWebhook } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import {
  deliveryWith,
  endpointAfter,
  neutralJitter,
  noResponse,
  responded,
  webhookWith,
} from '../support/deliveries.ts'
import { at } from '../support/videos.ts'

describe('the endpoint', () => {
  const attempt = (webhook: Webhook | undefined, outcome: DeliveryOutcome, before = deliveryWith()) =>
    recordAttempt(before, webhook, outcome, neutralJitter, at(5))

  it('counts a failed attempt in the same decision', () => {
    const before = webhookWith({ failureCount: 3 })
    const decision = attempt(before, responded(500))
    expect(endpointAfter(decision)).toEqual({ ...before, version: 2, failureCount: 4 })
    expect(decision.deliveryDrops).toEqual([])
  })

  it('is disabled by the 25th failure in a row, in the same decision, which drops the delivery', () => {
    const before = webhookWith({ failureCount: 24 })
    const decision = attempt(before, noResponse)
    expect(endpointAfter(decision)).toEqual({
      ...before,
      version: 2,
      failureCount: 25,
      enabled: false,
      epoch: 1,
      disabledReason: '25 delivery attempts failed in a row.',
      updatedAt: at(5),
    })
    expect(decision.deliveryDrops).toEqual([{ webhookId: 'whk_1', epoch: 1 }])
    expect(decision.delivery).toMatchObject({
      status: 'failed',
      attempts: 1,
      nextAttemptAt: null,
      dueAt: null,
      lastError: `${noResponse.error} Dropped: the endpoint was disabled.`,
    })
  })

  it('is not disabled by the 24th', () => {
    const decision = attempt(webhookWith({ failureCount: 23 }), noResponse)
    expect(endpointAfter(decision)).toMatchObject({ enabled: true, failureCount: 24, disabledReason: null, epoch: 0 })
    expect(decision.delivery.status).toBe('pending')
  })

  it('is disabled by a 410 immediately', () => {
    const decision = attempt(webhookWith(), responded(410))
    expect(endpointAfter(decision)).toMatchObject({
      enabled: false,
      epoch: 1,
      failureCount: 1,
      disabledReason: 'The endpoint answered 410 Gone.',
    })
    expect(decision.deliveryDrops).toEqual([{ webhookId: 'whk_1', epoch: 1 }])
    expect(decision.delivery).toMatchObject({
      status: 'failed',
      responseStatus: 410,
      lastError: 'The endpoint answered 410. Dropped: the endpoint was disabled.',
    })
  })

  it('resets its failures after a delivery', () => {
    expect(endpointAfter(attempt(webhookWith({ failureCount: 24 }), responded(200)))).toMatchObject({
      failureCount: 0,
      lastDeliveryAt: at(5),
    })
  })

  it('is not written by a delivery within a second of the last one, to limit the writes of a busy endpoint', () => {
    const notedAfter = (lastDeliveryAt: string, failureCount = 0, acknowledgedHost = 'example.com') =>
      endpointAfter(attempt(webhookWith({ lastDeliveryAt, failureCount, acknowledgedHost }), responded(200)))
        ?.lastDeliveryAt
    expect(notedAfter(at(4.001))).toBeUndefined()
    expect(notedAfter(at(4))).toBe(at(5))
    expect(notedAfter(at(4.001), 1)).toBe(at(5))
    expect(notedAfter(at(4.001), 0, 'other.test')).toBe(at(5))
  })

  it('that was deleted meanwhile is not changed; a failed attempt drops the delivery, an acknowledged one delivers it', () => {
    const failed = attempt(undefined, responded(500))
    expect(failed.changes.map(({ record }) => record)).toEqual(['delivery'])
    expect(failed.delivery).toMatchObject({
      status: 'failed',
      lastError: 'The endpoint answered 500. Dropped: the endpoint was deleted.',
    })
    expect(attempt(undefined, responded(200)).delivery).toMatchObject({ status: 'delivered', lastError: null })
  })

  const disabled = editWebhook(webhookWith({ failureCount: 2 }), { enabled: false }, at(3)).webhook
  const enabledAgain = editWebhook(disabled, { enabled: true }, at(4)).webhook

  it('that was disabled meanwhile is not changed, and a failed attempt drops the delivery', () => {
    const decision = attempt(disabled, responded(500))
    expect(endpointAfter(decision)).toBeUndefined()
    expect(decision.deliveryDrops).toBeUndefined()
    expect(decision.delivery).toMatchObject({
      status: 'failed',
      lastError: 'The endpoint answered 500. Dropped: the endpoint was disabled.',
    })
    expect(attempt(disabled, responded(200)).delivery.status).toBe('delivered')
  })

  it.each([responded(500), responded(410), responded(200)])(
    'that was disabled and re-enabled meanwhile keeps its clean record, whatever the response (%j)',
    (outcome) => {
      expect(enabledAgain).toMatchObject({ enabled: true, epoch: 1, failureCount: 0 })
      const decision = attempt(enabledAgain, outcome)
      expect(endpointAfter(decision)).toBeUndefined()
      expect(decision.delivery.status).toBe(outcome.status === 200 ? 'delivered' : 'failed')
    },
  )

  it.each([responded(200), responded(410), responded(500)])(
    'that was moved is not judged by its old address (%j)',
    (outcome) => {
      const moved = webhookWith({ url: 'https://new.example.com/', failureCount: 24 })
      const decision = attempt(moved, outcome)
      expect(endpointAfter(decision)).toBeUndefined()
      expect(decision.delivery.status).toBe(outcome.status === 200 ? 'delivered' : 'pending')
    },
  )

  it('is not charged for a failure on our side, which still costs the delivery an attempt', () => {
    const broken: DeliveryOutcome = {
      status: null,
      error: 'The host example.com cannot be resolved (ETIMEOUT).',
      isSenderFault: true,
    }
    const decision = attempt(webhookWith({ failureCount: 24 }), broken)
    expect(endpointAfter(decision)).toBeUndefined()
    expect(decision.delivery).toMatchObject({ status: 'pending', attempts: 1, lastError: broken.error })
  })

  it("that is disabled by the sixth attempt ends the delivery with that attempt's own error", () => {
    const decision = attempt(webhookWith({ failureCount: 24 }), responded(500), deliveryWith({ attempts: 5 }))
    expect(endpointAfter(decision)).toMatchObject({ enabled: false })
    expect(decision.delivery).toMatchObject({ status: 'failed', attempts: 6, lastError: 'The endpoint answered 500.' })
  })
})

describe('a delivery is dropped', () => {
  it('when its endpoint was deleted, is disabled, or was re-enabled since', () => {
    const reasons = [undefined, webhookWith({ enabled: false }), webhookWith({ epoch: 1 }), webhookWith()].map(
      (webhook) => reasonToDrop(deliveryWith(), webhook),
    )
    expect(reasons).toEqual([
      'Dropped: the endpoint was deleted.',
      'Dropped: the endpoint was disabled.',
      'Dropped: the endpoint was disabled.',
      undefined,
    ])
  })

  it('when it was claimed again and again without a recorded result', () => {
    expect(reasonToGiveUp(deliveryWith({ claims: 18 }))).toBeUndefined()
    expect(reasonToGiveUp(deliveryWith({ claims: 19 }))).toMatch(/^Abandoned:/)
  })

  it('with its previous error beside the reason', () => {
    const before = deliveryWith({ attempts: 1, lastError: 'The endpoint answered 500.' })
    const dropped = dropDelivery(before, 'Dropped: the endpoint was disabled.', at(9)).delivery
    expect(dropped.lastError).toBe('The endpoint answered 500. Dropped: the endpoint was disabled.')
  })

  it('as failed with the reason, and keeps its attempts', () => {
    const before = deliveryWith({ attempts: 2, responseStatus: 500, version: 5, nextAttemptAt: at(20) })
    expect(dropDelivery(before, 'Dropped: the endpoint was deleted.', at(9)).delivery).toEqual({
      ...before,
      version: 6,
      status: 'failed',
      lastError: 'Dropped: the endpoint was deleted.',
      nextAttemptAt: null,
      leaseUntil: null,
      dueAt: null,
    })
  })
})
