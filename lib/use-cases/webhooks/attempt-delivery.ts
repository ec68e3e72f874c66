/**
 * Makes one attempt of a delivery: claims the row, sends the request, commits the outcome. Called by the worker
 * `deliver-webhook` for each message, which only carries ids.
 */

import { limit } from '../../async.ts'
import { type DeliveryMessage, enqueueDeliveries } from '../../aws/delivery-queue.ts'
import { now } from '../../clock.ts'
import { Superseded } from '../../domain/core/failures.ts'
import { secondsBetween } from '../../domain/core/time.ts'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import type { DeliveryDecision, DeliveryOutcome } from '../../domain/webhooks/delivery-attempts.ts'
import {
  dropDelivery,
  reasonToDrop,
  reasonToGiveUp,
  recordAttempt,
  secondsUntilAttempt,
} from '../../domain/webhooks/delivery-attempts.ts'
import { isSlow } from '../../domain/webhooks/webhook-lifecycle.ts'
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
import { reserveAttempt } from './receiver-limits.ts'
import { sendWebhook } from './send-webhook.ts'

/**
 * With more messages than the table serves at once, claimed deliveries are finished before others are claimed, so that
 * no lease expires while it waits, and requests to the API find the table free. Only the local run, with all workers in one process, has so many.
 */
const limitClaims = limit(3)
/** Responses of a busy receiver arrive together: their commits on one endpoint would cancel each other. */
const limitCommits = limit(3)

/** Idempotent: an attempt has one worker, and a recorded attempt is not repeated. */
export async function attemptDelivery(message: DeliveryMessage, deps?: EgressDeps): Promise<void> {
  const result = await limitClaims(async () => {
    const reserved = message.isReserved ? {} : await reserve(message)
    return reserved && { ...reserved, ...(await claim(message)) }
  })
  if (!result) return
  const { claimed, at } = result
  if (!claimed) return requeueEarly(message, at)
  emitMetric({ name: 'DeliveryLateness', value: secondsBetween(claimed.nextAttemptAt ?? claimed.createdAt, at) })
  const webhook = result.webhook ?? (await findWebhook(message.workspaceId, claimed.webhookId))
  const reason = reasonToDrop(claimed, webhook) ?? reasonToGiveUp(claimed)
  if (!webhook || reason) return commitOutcome(claimed, async () => dropDelivery(claimed, reason!, now()))
  const { id: deliveryId, url, event, payload: body } = claimed
  const outcome = await sendWebhook({ webhook, url, event, body, deliveryId, messageId: deliveryId }, deps)
  await commitOutcome(claimed, () => decide(claimed, outcome))
}

/**
 * Takes a token of the receiver, and returns the endpoint where it was read for that. Undefined where the attempt has to
 * wait for its token: the message is enqueued again.
 */
async function reserve(message: DeliveryMessage): Promise<{ webhook?: Webhook } | undefined> {
  const { workspaceId, deliveryId, attempt } = message
  const delivery = await findDeliveryByKey(keys.delivery(workspaceId, deliveryId))
  if (delivery?.status !== 'pending' || delivery.attempts !== attempt) return {}
  // An early message takes its token when it is due.
  if (secondsUntilAttempt(delivery, now()) >= 1) return {}
  const webhook = await findWebhook(workspaceId, delivery.webhookId)
  const { waitMs, isReserved } = await reserveAttempt(delivery, webhook, now())
  if (waitMs === 0) return webhook ? { webhook } : {}
  const slow = webhook !== undefined && isSlow(webhook)
  await enqueueDeliveries([
    { workspaceId, deliveryId, attempt, ...(isReserved && { isReserved }), delaySeconds: waitMs / 1000, slow },
  ])
  return undefined
}

async function claim({ workspaceId, deliveryId, attempt }: DeliveryMessage) {
  const at = now()
  return { claimed: await claimDelivery(workspaceId, deliveryId, attempt, at), at }
}

/**
 * Many attempts may fail at once, and each is counted on the record of the endpoint: retrying the commit is cheaper
 * than a second request.
 */
const commitAttemptsMax = 24

/** Reads the endpoint again: it may have changed during the request. */
async function decide(claimed: Delivery, outcome: DeliveryOutcome): Promise<DeliveryDecision> {
  const webhook = await findWebhook(claimed.workspaceId, claimed.webhookId)
  return recordAttempt(claimed, webhook, outcome, { jitter: Math.random(), timeScale: env.timeScale() }, now())
}

/** Commits the outcome of a claimed delivery and enqueues its next attempt. */
async function commitOutcome(claimed: Delivery, decideOutcome: () => Promise<DeliveryDecision>): Promise<void> {
  const { workspaceId, id } = claimed
  try {
    const decideAndCommit = async () => {
      const decision = await decideOutcome()
      await commit(decision).catch((error) => rethrowAsSuperseded(claimed, error))
      return decision
    }
    const decision = await limitCommits(() => retryOnConflict(decideAndCommit, commitAttemptsMax))
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

/** A conflict on the endpoint is retried; one on the delivery itself means that another worker has it. */
async function rethrowAsSuperseded({ workspaceId, id, version }: Delivery, error: unknown): Promise<never> {
  if (error instanceof WriteConflict) {
    const current = await findDeliveryByKey(keys.delivery(workspaceId, id))
    if (current?.version !== version) throw new Superseded(`The delivery ${id} has another worker.`)
  }
  throw error
}

/**
 * A message may arrive early: the queue delays at most 15 minutes, and the longest backoff is longer. `at` is the time of
 * the failed claim; a later clock could make an early message look due.
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
