/** One attempt to deliver: the row is claimed, posted and recorded; the message that woke us only told where to look. */
import { wakeDeliveries } from '../../aws/delivery-queue.ts'
import { now } from '../../clock.ts'
import { Superseded } from '../../domain/core/failures.ts'
import { secondsBetween } from '../../domain/core/time.ts'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import type { DeliveryDecision, Outcome } from '../../domain/webhooks/delivery.ts'
import { drop, noteAttempt, reasonToDrop, reasonToGiveUp, secondsUntil } from '../../domain/webhooks/delivery.ts'
import { isSlow } from '../../domain/webhooks/webhook.ts'
import type { EgressDoors } from '../../egress/request.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'
import { measure } from '../../metrics.ts'
import { commit } from '../../store/core/commit.ts'
import { racing } from '../../store/core/conflict-retry.ts'
import { keys } from '../../store/core/keys.ts'
import { turns } from '../../store/core/semaphore.ts'
import { LostRace } from '../../store/core/write-conflict.ts'
import { claimDelivery, findDeliveryByKey } from '../../store/deliveries.ts'
import { findWebhook } from '../../store/webhooks.ts'
import { postWebhook } from './send-webhook.ts'

/** What a message says: which delivery, and how many attempts were made when it was sent. */
export interface Wake {
  workspaceId: string
  deliveryId: string
  attempt: number
}

/**
 * Where more messages are in hand than the table serves at once, the claimed ones are worked on before others are claimed: a
 * lease is no place to wait in. Only the local run, all workers in one process, has so many.
 */
const claimInTurn = turns(25)

/** Harmless to repeat: an attempt has one worker, and one that was recorded is not made again. */
export async function deliver(wake: Wake, doors?: EgressDoors): Promise<void> {
  const { claimed, at } = await claimInTurn(() => claim(wake))
  if (!claimed) return waitOn(wake, at)
  measure({ name: 'DeliveryLateness', value: secondsBetween(claimed.nextAttemptAt ?? claimed.createdAt, at) })
  const webhook = await findWebhook(wake.workspaceId, claimed.webhookId)
  const reason = reasonToDrop(claimed, webhook) ?? reasonToGiveUp(claimed)
  if (!webhook || reason) return recorded(claimed, async () => drop(claimed, reason!, now()))
  const { id: deliveryId, url, event, payload: body } = claimed
  const outcome = await postWebhook({ webhook, url, event, body, deliveryId, messageId: deliveryId }, doors)
  await recorded(claimed, () => decide(claimed, outcome))
}

async function claim({ workspaceId, deliveryId, attempt }: Wake) {
  const at = now()
  return { claimed: await claimDelivery(workspaceId, deliveryId, attempt, at), at }
}

/** Many attempts may fail at once, and each is counted on the one record of the endpoint: patience costs less than a second post. */
const racesOfAttempt = 24

/** The endpoint is read again: it may have changed while it was posted to. */
async function decide(claimed: Delivery, outcome: Outcome): Promise<DeliveryDecision> {
  const webhook = await findWebhook(claimed.workspaceId, claimed.webhookId)
  return noteAttempt(claimed, webhook, outcome, { chance: Math.random(), timeScale: env.timeScale() }, now())
}

/** Commits what was decided of a claimed delivery, and wakes whoever makes its next attempt. */
async function recorded(claimed: Delivery, decideAgain: () => Promise<DeliveryDecision>): Promise<void> {
  const { workspaceId, id } = claimed
  try {
    const decision = await racing(async () => {
      const decision = await decideAgain()
      await commit(decision).catch((error) => refuseOvertaken(claimed, error))
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
    if (status === 'pending') await wakeNext(decision.delivery, await findWebhook(workspaceId, webhookId))
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
    log.warn('delivery.overtaken', { workspaceId, deliveryId: id })
  }
}

/** A race about the endpoint is decided again; one about the delivery itself was lost to another worker. */
async function refuseOvertaken({ workspaceId, id, version }: Delivery, error: unknown): Promise<never> {
  if (error instanceof LostRace) {
    const current = await findDeliveryByKey(keys.delivery(workspaceId, id))
    if (current?.version !== version) throw new Superseded(`The delivery ${id} has another worker.`)
  }
  throw error
}

/**
 * A message may come before its time: the queue delays at most 15 minutes, and the longest gap is longer. `at` is when it was not
 * due: by now it may be, and would be taken for one that somebody else works on.
 */
async function waitOn({ workspaceId, deliveryId, attempt }: Wake, at: string): Promise<void> {
  const delivery = await findDeliveryByKey(keys.delivery(workspaceId, deliveryId))
  if (delivery?.status !== 'pending' || delivery.attempts !== attempt || secondsUntil(delivery, at) < 1) return
  await wakeNext(delivery, await findWebhook(workspaceId, delivery.webhookId))
}

const wakeNext = (delivery: Delivery, webhook: Webhook | undefined): Promise<void> =>
  wakeDeliveries([
    {
      workspaceId: delivery.workspaceId,
      deliveryId: delivery.id,
      attempt: delivery.attempts,
      delaySeconds: secondsUntil(delivery, now()),
      slow: webhook !== undefined && isSlow(webhook),
    },
  ])
