// A process that runs the webhook workers until its test kills it: `node chaos-worker.ts <orders as JSON>`. It loads
// everything, reports that it is ready, and starts at SIGUSR2.

import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { handler as deliverWebhook } from '../../../functions/workers/deliver-webhook.ts'
import { handler as dispatchOutbox } from '../../../functions/workers/dispatch-outbox.ts'
import { handler as sweep } from '../../../functions/workers/sweep.ts'
import { env } from '../../../lib/env.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { dispatchOutboxRow } from '../../../lib/use-cases/outbox/dispatch-outbox.ts'
import { attemptDelivery } from '../../../lib/use-cases/webhooks/attempt-delivery.ts'
import { isOutboxInsert } from '../../../local/event-source-mappings/outbox-filter.ts'
import { runQueueMapping } from '../../../local/event-source-mappings/queue.ts'
import { runStreamMapping } from '../../../local/event-source-mappings/stream.ts'
import type { Stack } from '../../../local/stack.ts'

export interface ChaosWorkerOptions extends Pick<Stack, 'endpoints' | 'streamArn'> {
  directory: string
  /** How far its clock is ahead of the machine's. */
  aheadSeconds: number
  /** The sweep interval, or never. */
  sweepEveryMs: number | null
}

const { endpoints, streamArn, directory, aheadSeconds, sweepEveryMs } = JSON.parse(
  process.argv[2]!,
) as ChaosWorkerOptions

const Machine = Date
globalThis.Date = class extends Machine {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [Machine.now() + aheadSeconds * 1000] : given) as [number]))
  }
  static override now() {
    return Machine.now() + aheadSeconds * 1000
  }
} as DateConstructor

// First calls are slow: a worker that lives only for moments must not spend its time on them.
const nothing = { workspaceId: 'wsp_none', deliveryId: 'dlv_none', attempt: 0 }
await Promise.all([dispatchOutboxRow(keys.outbox('wsp_none', 'none')), attemptDelivery(nothing)])
flushCompileCache()
// Without this the process exits, because a pending signal handler does not keep it alive.
const waiting = setInterval(() => {}, 1_000)
const begun = once(process, 'SIGUSR2')
console.log('ready')
await begun
clearInterval(waiting)

const forever = new AbortController().signal
const log = console.log
const limits = (name: string) => ({ name, timeoutMs: 30_000 })

void runStreamMapping(
  {
    endpoint: endpoints.dynamodb,
    streamArn,
    handler: dispatchOutbox,
    limits: limits('dispatch-outbox'),
    checkpointFile: join(directory, 'dispatch-outbox.checkpoint'),
    batchPolicy: { batchSize: 25, maximumRetryAttempts: 8, filter: isOutboxInsert },
    log,
  },
  forever,
)
for (const queueUrl of [env.deliveryQueueUrl(), env.slowDeliveryQueueUrl()]) {
  const batching = { batchSize: 10, concurrency: 5 }
  const options = { endpoint: endpoints.sqs, queueUrl, handler: deliverWebhook, batching, log }
  void runQueueMapping({ ...options, limits: limits('deliver-webhook') }, forever)
}
while (sweepEveryMs !== null) {
  await sweep().catch((error: unknown) => log(`sweeping failed, trying again: ${error}`))
  await delay(sweepEveryMs)
}
