/** Deliveries: all of them, spaced, counted and signed. */
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import { deliveryAttemptsMax } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { bodyDigest, standardDigest, webhookHeaders } from '../../../lib/domain/webhooks/signature.ts'
import { differs, type Facts, skewMs } from './facts.ts'

const sequenceOf = ({ payload }: Delivery) => Number(/"sequence":(\d+)/.exec(payload)?.[1])

export function delivered({ journal, deliveries, world: { received, monitor } }: Facts): string[] {
  const rows = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const acknowledged = new Set(
    received.filter(({ status }) => status !== null && status < 300).map(({ deliveryId }) => deliveryId),
  )
  const lost = journal.flatMap(({ id, deliveryIds }) =>
    deliveryIds.filter((one) => !rows.has(one)).map((one) => `The delivery ${one} of the event ${id} is lost.`),
  )
  const expected = journal.flatMap(({ id, event, createdAt, workspaceId, sequence }) => {
    const subscribed = [...monitor.webhooks.values()].filter(
      (webhook) =>
        webhook.workspaceId === workspaceId &&
        !monitor.changedWebhooks.has(webhook.id) &&
        webhook.events.includes(event) &&
        webhook.storedAt < Date.parse(createdAt) - skewMs,
    )
    return subscribed.flatMap((webhook) =>
      deliveries.filter((one) => one.webhookId === webhook.id && sequenceOf(one) === sequence).length > 0
        ? []
        : [`The event ${id} has no delivery to ${webhook.id}.`],
    )
  })
  const untrue = deliveries.flatMap(({ id, status, attempts, lastError }) => {
    if (status === 'delivered' && !acknowledged.has(id)) return [`The delivery ${id} was not acknowledged.`]
    const isDropped = /Dropped|Abandoned/.test(lastError ?? '')
    const isEnded = attempts >= deliveryAttemptsMax || isDropped || /410/.test(lastError ?? '')
    return status === 'failed' && !isEnded ? [`The delivery ${id} failed after ${attempts} attempts: ${lastError}`] : []
  })
  return [...lost, ...expected, ...untrue]
}

/** An event has one delivery to an endpoint, and one more for each replay. */
export function replayedOnce({ journal, deliveries, world: { monitor } }: Facts): string[] {
  const numbers = new Map(journal.map(({ id, workspaceId, sequence }) => [`${workspaceId} ${sequence}`, id]))
  const made = Map.groupBy(
    deliveries.filter(({ id }) => !monitor.resent.has(id)),
    (one) => `${one.webhookId} ${numbers.get(`${one.workspaceId} ${sequenceOf(one)}`)}`,
  )
  return [...made].flatMap(([name, found]) => {
    const allowed = 1 + (monitor.replays.get(name) ?? 0)
    return found.length > allowed ? [`${name} has ${found.length} deliveries in place of ${allowed}.`] : []
  })
}

const attemptsOf = ({ world: { received } }: Facts) => {
  const requests = Map.groupBy(received, ({ deliveryId }) => deliveryId)
  return (id: string) => requests.get(id) ?? []
}

/** Each attempt is claimed before it is sent, and all of them have one body. */
export function attemptsCounted(facts: Facts): string[] {
  const made = attemptsOf(facts)
  return facts.deliveries.flatMap(({ id, attempts, claims, payload }) => [
    ...(attempts > deliveryAttemptsMax ? [`The delivery ${id} has ${attempts} attempts.`] : []),
    ...(made(id).length > claims
      ? [`The delivery ${id} was claimed ${claims} times and sent ${made(id).length} times.`]
      : []),
    ...(made(id).some(({ body }) => body !== payload) ? [`The delivery ${id} was sent with another body.`] : []),
  ])
}

/** The first delay is 4 s with 10 % jitter, and clocks may differ by a second; a lease is longer. */
const gapMsMin = 2_500

export function attemptsSpaced(facts: Facts): string[] {
  const attemptsTo = attemptsOf(facts)
  return facts.deliveries.flatMap(({ id }) => {
    const made = attemptsTo(id)
    const close = made.slice(1).filter(({ at }, index) => at - made[index]!.at < gapMsMin)
    return [
      ...made.flatMap(({ at, dueAt }) =>
        dueAt !== null && at < dueAt - skewMs ? [`The delivery ${id} was sent ${dueAt - at} ms early.`] : [],
      ),
      ...(made.slice(1).some(({ at }, index) => at < made[index]!.endedAt)
        ? [`The delivery ${id} was sent while another request of it was open.`]
        : []),
      ...(close.length > 0 ? [`The delivery ${id} was sent twice within ${gapMsMin} ms.`] : []),
    ]
  })
}

export function failuresCounted({ webhooks, deliveries, world: { received, monitor } }: Facts): string[] {
  const endpoints = new Map(deliveries.map(({ id, webhookId }) => [id, webhookId]))
  const hasFailed = ({ status }: { status: number | null }) => status === null || status >= 300
  return webhooks.flatMap(({ id, url, failureCount, enabled, disabledReason }) => {
    const failedHere = received.filter(
      (one) => one.url === url && endpoints.get(one.deliveryId) === id && hasFailed(one),
    ).length
    const isLastOk = monitor.changedWebhooks.has(id) ? undefined : monitor.lastAttempts.get(id)
    const failed = received.filter((one) => one.url === url && hasFailed(one)).length
    const unanswered = monitor.failedAttempts.get(id) ?? 0
    return [
      ...(isLastOk === true && failureCount > 0 ? [`The endpoint ${id} counts failures after a success.`] : []),
      ...(isLastOk === false && failureCount === 0 ? [`The endpoint ${id} does not count its last failure.`] : []),
      ...(failureCount > unanswered ? [`The endpoint ${id} counts ${failureCount} failures of ${unanswered}.`] : []),
      ...(failureCount > failedHere
        ? [`The endpoint ${id} counts ${failureCount} failures at a URL that failed ${failedHere} times.`]
        : []),
      ...(failed === 0 && failureCount > 0 && received.some((one) => one.url === url) && unanswered === 0
        ? [`The endpoint ${id} counts failures without one.`]
        : []),
      ...(enabled && failureCount >= 25 ? [`The endpoint ${id} is enabled after ${failureCount} failures.`] : []),
      // A new URL begins at 0.
      ...(!enabled && disabledReason && /in a row/.test(disabledReason) && failureCount > 0 && failureCount < 25
        ? [`The endpoint ${id} was disabled after ${failureCount} failures.`]
        : []),
    ]
  })
}

export function signaturesValid({ world: { received }, deliveries, secrets }: Facts): string[] {
  const endpoints = new Map(deliveries.map(({ id, webhookId }) => [id, webhookId]))
  return received.flatMap(({ deliveryId, body, headers }) => {
    const secret = secrets.get(endpoints.get(deliveryId) ?? '')
    if (!secret) return []
    const [id = '', timestamp = ''] = [headers[webhookHeaders.id], headers[webhookHeaders.timestamp]]
    return [
      ...differs(
        `The signature of ${deliveryId}`,
        headers[webhookHeaders.signature],
        bodyDigest(secret, body).toString('hex'),
      ),
      ...differs(
        `The standard signature of ${deliveryId}`,
        headers[webhookHeaders.standardSignature],
        `v1,${standardDigest(secret, { id, timestamp, body }).toString('base64')}`,
      ),
    ]
  })
}

/** A minute of the five that receivers tolerate. */
const signatureAgeMsMax = 60_000

export function signaturesFresh({ world: { received } }: Facts): string[] {
  return received.flatMap(({ at, deliveryId, headers }) => {
    const signedAt = Number(headers[webhookHeaders.timestamp]) * 1000
    return Math.abs(signedAt - at) > signatureAgeMsMax ? [`The signature of ${deliveryId} is old.`] : []
  })
}
