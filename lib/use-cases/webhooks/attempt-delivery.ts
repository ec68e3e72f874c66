/** One attempt to deliver: the row is claimed, posted and recorded; the message that woke us only told where to look. */

import { limit } from '../../async.ts'
import { enqueueDeliveries } from '../../aws/delivery-queue.ts'
import { now } from '../../clock.ts'
import { Superseded } from '../../domain/core/failures.ts'
import { secondsBetween } from '../../domain/core/time.ts'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import type { DeliveryDecision, DeliveryOutcome } from '../../domain/webhooks/delivery.ts'
import {
  dropDelivery,
  reasonToDrop,
  reasonToGiveUp,
  recordAttempt,
  secondsUntilAttempt,
} from '../../domain/webhooks/delivery.ts'
import { isSlow } from '../../domain/webhooks/webhook.ts'
import type { EgressDeps } from '../../egress/request.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import { emitMetric } from '../../metrics.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { keys } from '../../store/core/keys.ts'
import { WriteConflict } from '../../store/core/write-conflict.ts'
import { claimDelivery, findDeliveryByKey } from '../../store/deliveries.ts'
import { findWebhook } from '../../store/webhooks.ts'
import { sendWebhook } from './send-webhook.ts'

/** What a message says: which delivery, and how many attempts were made when it was sent. */
export interface DeliveryMessage {
  workspaceId: string
  deliveryId: string
  attempt: number
}

/**
 * Where more messages are in hand than the table serves at once, the claimed ones are worked on before others are claimed: a
 * lease is no place to wait in. Only the local run, all workers in one process, has so many.
 */
const limitClaims = limit(25)

/** Harmless to repeat: an attempt has one worker, and one that was recorded is not made again. */
export async function attemptDelivery(wake: DeliveryMessage, doors?: EgressDeps): Promise<void> {
  const { claimed, at } = await limitClaims(() => claim(wake))
  if (!claimed) return requeueEarly(wake, at)
  emitMetric({ name: 'DeliveryLateness', value: secondsBetween(claimed.nextAttemptAt ?? claimed.createdAt, at) })
  const webhook = await findWebhook(wake.workspaceId, claimed.webhookId)
  const reason = reasonToDrop(claimed, webhook) ?? reasonToGiveUp(claimed)
  if (!webhook || reason) return commitOutcome(claimed, async () => dropDelivery(claimed, reason!, now()))
  const { id: deliveryId, url, event, payload: body } = claimed
  const outcome = await sendWebhook({ webhook, url, event, body, deliveryId, messageId: deliveryId }, doors)
  await commitOutcome(claimed, () => decide(claimed, outcome))
}

async function claim({ workspaceId, deliveryId, attempt }: DeliveryMessage) {
  const at = now()
  return { claimed: await claimDelivery(workspaceId, deliveryId, attempt, at), at }
}

/** Many attempts may fail at once, and each is counted on the one record of the endpoint: patience costs less than a second post. */
const racesOfAttempt = 24

/** The endpoint is read again: it may have changed while it was posted to. */
async function decide(claimed: Delivery, outcome: DeliveryOutcome): Promise<DeliveryDecision> {
  const webhook = await findWebhook(claimed.workspaceId, claimed.webhookId)
  return recordAttempt(claimed, webhook, outcome, { jitter: Math.random(), timeScale: env.timeScale() }, now())
}

/** Commits what was decided of a claimed delivery, and wakes whoever makes its next attempt. */
async function commitOutcome(claimed: Delivery, decideAgain: () => Promise<DeliveryDecision>): Promise<void> {
  const { workspaceId, id } = claimed
  try {
    const decision = await retryOnConflict(async () => {
      const decision = await decideAgain()
      await commit(decision).catch((error) => rethrowAsSuperseded(claimed, error))
      return decision
    }, racesOfAttempt)
    const { status, attempts, webhookId, responseStatus, lastError } = decision.delivery
    log.info('delivery.attempted', {
      workspaceId,
      deliveryId: id,
      webhookId,
      status,
      attempts,
      responseStatus,
      lastError,
    })
    if (status === 'pending') await enqueueNextAttempt(decision.delivery, await findWebhook(workspaceId, webhookId))
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
    log.warn('delivery.overtaken', { workspaceId, deliveryId: id })
  }
}

/** A race about the endpoint is decided again; one about the delivery itself was lost to another worker. */
async function rethrowAsSuperseded({ workspaceId, id, version }: Delivery, error: unknown): Promise<never> {
  if (error instanceof WriteConflict) {
    const current = await findDeliveryByKey(keys.delivery(workspaceId, id))
    if (current?.version !== version) throw new Superseded(`The delivery ${id} has another worker.`)
  }
  throw error
}

/**
 * A message may come before its time: the queue delays at most 15 minutes, and the longest gap is longer. `at` is when it was not
 * due: by now it may be, and would be taken for one that somebody else works on.
 */
async function requeueEarly({ workspaceId, deliveryId, attempt }: DeliveryMessage, at: string): Promise<void> {
  const delivery = await findDeliveryByKey(keys.delivery(workspaceId, deliveryId))
  if (delivery?.status !== 'pending' || delivery.attempts !== attempt || secondsUntilAttempt(delivery, at) < 1) return
  await enqueueNextAttempt(delivery, await findWebhook(workspaceId, delivery.webhookId))
}

const enqueueNextAttempt = (delivery: Delivery, webhook: Webhook | undefined): Promise<void> =>
  enqueueDeliveries([
    {
      workspaceId: delivery.workspaceId,
      deliveryId: delivery.id,
      attempt: delivery.attempts,
      delaySeconds: secondsUntilAttempt(delivery, now()),
      slow: webhook !== undefined && isSlow(webhook),
    },
  ])
