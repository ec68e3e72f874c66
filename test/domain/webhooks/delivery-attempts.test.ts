/** The six attempts of a delivery, on a simulated clock. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import type { DeliveryOutcome } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import {
  fanOutDeliveries,
  recordAttempt,
  requeueDelivery,
  secondsUntilAttempt,
} from '../../../lib/domain/webhooks/delivery-attempts.ts'
import {
  backoffMs,
  deliveryWith,
  event,
  neutralJitter,
  noResponse,
  payload,
  responded,
  webhookWith,
} from '../support/deliveries.ts'
import { at } from '../support/videos.ts'

describe('an event', () => {
  it('becomes one delivery for each enabled and subscribed endpoint', () => {
    const webhooks = [
      webhookWith(),
      webhookWith({ id: 'whk_2', url: 'https://example.com/other', epoch: 3 }),
      webhookWith({ id: 'whk_3', enabled: false }),
      webhookWith({ id: 'whk_4', events: ['video.render_failed'] }),
    ]
    const deliveries = fanOutDeliveries(event, payload, webhooks)
    expect(deliveries.map(({ webhookId, url, epoch }) => [webhookId, url, epoch])).toEqual([
      ['whk_1', 'https://example.com/hook', 0],
      ['whk_2', 'https://example.com/other', 3],
    ])
    expect(deliveries[0]).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      workspaceId: 'wsp_1',
      version: 1,
      webhookId: 'whk_1',
      epoch: 0,
      event: 'video.created',
      url: 'https://example.com/hook',
      status: 'pending',
      attempts: 0,
      responseStatus: null,
      lastError: null,
      nextAttemptAt: at(0),
      createdAt: at(0),
      deliveredAt: null,
      payload,
      claims: 0,
      leaseUntil: null,
      dueAt: at(60),
    })
  })

  it('that is fanned out late makes deliveries that are late at once, and that the sweeper leaves to their wake-ups', () => {
    const [late] = fanOutDeliveries(event, payload, [webhookWith()], at(600))
    expect(late).toMatchObject({ nextAttemptAt: at(0), createdAt: at(0), dueAt: at(660) })
  })

  it('is not delivered to an endpoint that was created or re-enabled after it; clocks may differ by a second', () => {
    const deliveryCount = (enabledSince: string) =>
      fanOutDeliveries(event, payload, [webhookWith({ enabledSince })]).length
    expect([deliveryCount(at(-1)), deliveryCount(at(0)), deliveryCount(at(1)), deliveryCount(at(1.001))]).toEqual([
      1, 1, 1, 0,
    ])
  })

  it('makes the same deliveries whenever it is fanned out, and others for another event or endpoint', () => {
    const idOf = (deliveryCount: typeof event, webhook: Webhook) =>
      fanOutDeliveries(deliveryCount, payload, [webhook])[0]!.id
    expect(idOf(event, webhookWith({ epoch: 7, url: 'https://example.com/moved' }))).toBe(idOf(event, webhookWith()))
    const ids = ['evt_1', 'evt_2'].flatMap((id) =>
      ['whk_1', 'whk_2'].map((webhookId) => idOf({ ...event, id }, webhookWith({ id: webhookId }))),
    )
    expect(new Set(ids).size).toBe(4)
  })

  it('gives its deliveries chronologically sorted ids', () => {
    const ids = [0, 0.001, 1, 3_600].map(
      (second) => fanOutDeliveries({ ...event, createdAt: at(second) }, payload, [webhookWith()])[0]!.id,
    )
    expect(ids).toEqual(ids.toSorted())
  })
})

describe('a delivery that always fails', () => {
  const bounds: [jitter: number, gaps: number[]][] = [
    [0, [3_600, 14_400, 57_600, 230_400, 921_600]],
    [0.5, [4_000, 16_000, 64_000, 256_000, 1_024_000]],
    [1, [4_400, 17_600, 70_400, 281_600, 1_126_400]],
  ]

  it.each(bounds)('with the random value %d is attempted six times, %j ms apart', (chance, gaps) => {
    let delivery = deliveryWith()
    let now = delivery.nextAttemptAt!
    for (const [index, gap] of gaps.entries()) {
      const before: Delivery = { ...delivery, version: delivery.version + 1, leaseUntil: at(999) }
      delivery = recordAttempt(before, webhookWith(), responded(500), { jitter: chance, timeScale: 1 }, now).delivery
      const nextAttemptAt = new Date(Date.parse(now) + gap).toISOString()
      expect(delivery).toEqual({
        ...before,
        version: before.version + 1,
        status: 'pending',
        attempts: index + 1,
        responseStatus: 500,
        lastError: 'The endpoint answered 500.',
        nextAttemptAt,
        leaseUntil: null,
        dueAt: new Date(Date.parse(nextAttemptAt) + 60_000).toISOString(),
      })
      now = nextAttemptAt
    }
    expect(recordAttempt(delivery, webhookWith(), responded(503), neutralJitter, now).delivery).toMatchObject({
      status: 'failed',
      attempts: 6,
      responseStatus: 503,
      lastError: 'The endpoint answered 503.',
      nextAttemptAt: null,
      deliveredAt: null,
      leaseUntil: null,
      dueAt: null,
    })
  })

  it('backs off by 4^n seconds with 10 % jitter, for any random value', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 4 }), (chance, attempts) => {
        const pace = { jitter: chance, timeScale: 1 }
        const { delivery } = recordAttempt(deliveryWith({ attempts }), webhookWith(), noResponse, pace, at(0))
        const nominal = 4 ** (attempts + 1) * 1000
        expect(backoffMs(delivery, at(0))).toBeGreaterThanOrEqual(nominal * 0.9 - 1)
        expect(backoffMs(delivery, at(0))).toBeLessThanOrEqual(nominal * 1.1)
      }),
    )
  })

  it('divides its waits by the time scale, including those of Retry-After', () => {
    const scaled = (outcome: DeliveryOutcome) =>
      backoffMs(
        recordAttempt(deliveryWith(), webhookWith(), outcome, { jitter: 0.5, timeScale: 20 }, at(0)).delivery,
        at(0),
      )
    expect(scaled(responded(500))).toBe(200)
    expect(scaled(responded(503, '10'))).toBe(500)
  })
})

describe('a response', () => {
  const decidedOn = (outcome: DeliveryOutcome) =>
    recordAttempt(deliveryWith(), webhookWith(), outcome, neutralJitter, at(5)).delivery

  it.each([200, 201, 202, 204, 206, 299])('%i acknowledges the delivery', (status) => {
    expect(decidedOn(responded(status))).toMatchObject({
      status: 'delivered',
      attempts: 1,
      responseStatus: status,
      lastError: null,
      nextAttemptAt: null,
      deliveredAt: at(5),
      leaseUntil: null,
      dueAt: null,
    })
  })

  it('that acknowledges after failures clears the last error, and counts every attempt', () => {
    const before = deliveryWith({ attempts: 5, responseStatus: 500, lastError: 'The endpoint answered 500.' })
    expect(
      recordAttempt(before, webhookWith({ failureCount: 5 }), responded(204), neutralJitter, at(5)).delivery,
    ).toMatchObject({ status: 'delivered', attempts: 6, responseStatus: 204, lastError: null })
  })

  it.each([100, 199, 300, 304, 399, 400, 401, 404, 409, 429, 499, 500, 503, 599])(
    '%i does not acknowledge the delivery',
    (status) => {
      const redirected = status >= 300 && status < 400
      expect(decidedOn(responded(status))).toMatchObject({
        status: 'pending',
        attempts: 1,
        responseStatus: status,
        lastError: `The endpoint answered ${status}${redirected ? ': redirects are not followed' : ''}.`,
        nextAttemptAt: at(9),
        deliveredAt: null,
      })
    },
  )

  it('that is missing is a failure without a status, with the reason', () => {
    expect(
      recordAttempt(deliveryWith({ responseStatus: 500 }), webhookWith(), noResponse, neutralJitter, at(5)).delivery,
    ).toMatchObject({
      status: 'pending',
      attempts: 1,
      responseStatus: null,
      lastError: noResponse.error,
      nextAttemptAt: at(9),
    })
  })
})

describe('Retry-After', () => {
  /** Seconds until the next attempt after this many. */
  const gapAfter = (attempts: number, retryAfter: string) => {
    const before = deliveryWith({ attempts: attempts - 1 })
    return (
      backoffMs(
        recordAttempt(before, webhookWith(), responded(503, retryAfter), neutralJitter, at(0)).delivery,
        at(0),
      ) / 1000
    )
  }
  const date = (second: number) => new Date(at(second)).toUTCString()

  it.each([
    ['more seconds than the gap', '9', 9],
    ['seconds with spaces around them', ' 9 ', 9],
    ['fewer seconds than the gap', '1', 4],
    ['no seconds', '0', 4],
    ['a date', date(12), 12],
    ['a date that has passed', date(-100), 4],
    ['as much as the following gap', '16', 16],
    ['more than the following gap', '17', 16],
    ['a date beyond the following gap', date(400), 16],
    ['ten years', '315360000', 16],
    ['a date in ten years', date(315_360_000), 16],
    ['a number beyond all numbers', '9'.repeat(400), 16],
    ['a negative number', '-5', 4],
    ['a fraction', '9.5', 4],
    ['nothing', '', 4],
    ['words', 'soon', 4],
    ['two values that were joined', '9, 12', 4],
  ])('of %s (%s) means %d s after the first attempt', (_what, retryAfter, seconds) => {
    expect(gapAfter(1, retryAfter)).toBe(seconds)
  })

  it('is limited to the following gap after every attempt', () => {
    expect([1, 2, 3, 4, 5].map((attempts) => gapAfter(attempts, '999999'))).toEqual([16, 64, 256, 1_024, 4_096])
  })

  it('never leads to a wait of zero', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 5 }), (retryAfter, attempts) => {
        const gap = gapAfter(attempts, retryAfter)
        expect(gap).toBeGreaterThanOrEqual(4 ** attempts)
        expect(gap).toBeLessThanOrEqual(4 ** (attempts + 1))
      }),
    )
  })

  it('does not lead to a seventh attempt', () => {
    const sixth = recordAttempt(deliveryWith({ attempts: 5 }), webhookWith(), responded(503, '9'), neutralJitter, at(0))
    expect(sixth.delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
  })
})

describe('a resend', () => {
  const ended = deliveryWith({
    status: 'failed',
    attempts: 6,
    responseStatus: 500,
    lastError: 'e',
    nextAttemptAt: null,
  })
  const moved = webhookWith({ url: 'https://example.com/moved', epoch: 2 })

  it('is a new delivery of the same bytes to the current address of the endpoint', () => {
    const decision = requeueDelivery(ended, moved, 'dlv_new', at(100))
    expect(decision.delivery).toEqual({
      ...deliveryWith(),
      id: 'dlv_new',
      url: 'https://example.com/moved',
      epoch: 2,
      createdAt: at(100),
      nextAttemptAt: at(100),
      dueAt: at(160),
    })
    expect(decision.changes).toEqual([{ record: 'delivery', before: undefined, after: decision.delivery }])
    expect(decision.deliveryWakeUps).toEqual([{ deliveryId: 'dlv_new', slow: false }])
  })

  it.each(['pending', 'delivered', 'failed'] as const)('of a %s delivery leaves that unchanged', (status) => {
    const before = deliveryWith({ status })
    const decision = requeueDelivery(before, moved, 'dlv_new', at(100))
    expect(decision.changes.map((change) => change.before)).toEqual([undefined])
    expect(decision.delivery.status).toBe('pending')
  })

  it('409: a disabled endpoint receives no new deliveries', () => {
    expect(() => requeueDelivery(ended, webhookWith({ enabled: false }), 'dlv_new', at(100))).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    )
  })
})

describe('the delay of a wake-up', () => {
  it('is rounded to whole seconds, the unit of queues; a worker may be up to a second early', () => {
    const until = (nextAttemptAt: string | null) => secondsUntilAttempt({ nextAttemptAt }, at(0))
    expect([at(-5), at(0), at(0.4), at(0.6), at(4.4), at(1_024), null].map(until)).toEqual([0, 0, 0, 1, 4, 1_024, 0])
  })
})
