/**
 * The ceiling of the emulators: only the calls of a delivery (receive and delete its message, claim its row, read its
 * endpoint, commit the outcome), without our code. A separate process with the layout of the local run: the queue
 * inside, the table in another process. Reports the best rate of several concurrency levels.
 */
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { ttlAttribute } from '../../lib/store/core/keys.ts'
import { tableDefinition } from '../../lib/store/core/table-definition.ts'
import { queueUrl } from '../../local/emulators/sqs.ts'
import { DELIVERY_QUEUE, SEALING_KEY, TABLE_NAME } from '../../local/environment.ts'
import { queues } from '../../local/event-source-mappings/event-source-mappings.ts'
import { startStack } from '../../local/stack.ts'

export interface Ceiling {
  perSecond: number
  batchesAtOnce: number
}

const levels = [4, 20, 100]
const events = 400
const endpoints = 5
const total = events * endpoints

const directory = process.argv[2]
if (!directory || !process.send) throw new Error('This process has to be started by bench/webhooks.ts.')
const stack = await startStack({
  directory,
  data: { table: tableDefinition(TABLE_NAME), ttlAttribute },
  queues,
  keys: [SEALING_KEY],
  pipelines: { machines: {}, timeScale: 1, work: { invoke: async () => ({}), command: () => ({ command: [] }) } },
  scheduler: { schedules: [], invoke: async () => ({}) },
  log: () => {},
})
Object.assign(process.env, stack.environment)
const { seedBacklog, seedWorkspace } = await import('./seed.ts')
const { table } = await import('../../lib/store/core/client.ts')
const { keys, listPartitions } = await import('../../lib/store/core/keys.ts')

const sqs = new SQSClient()
const QueueUrl = queueUrl(stack.endpoints.sqs, DELIVERY_QUEUE)
const at = new Date().toISOString()

async function simulateDelivery({ Body }: Message, webhookId: string): Promise<void> {
  const { workspaceId, deliveryId } = JSON.parse(Body!) as { workspaceId: string; deliveryId: string }
  const Key = keys.delivery(workspaceId, deliveryId)
  await table.send(
    new UpdateCommand({
      TableName: TABLE_NAME,
      Key,
      UpdateExpression: 'SET leaseUntil = :lease, #version = #version + :one',
      ConditionExpression: '#status = :pending AND attempts = :none',
      ExpressionAttributeNames: { '#status': 'status', '#version': 'version' },
      ExpressionAttributeValues: { ':lease': at, ':one': 1, ':pending': 'pending', ':none': 0 },
      ReturnValues: 'ALL_NEW',
    }),
  )
  await table.send(
    new GetCommand({ TableName: TABLE_NAME, Key: keys.webhook(workspaceId, webhookId), ConsistentRead: true }),
  )
  await table.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            TableName: TABLE_NAME,
            Key,
            UpdateExpression:
              'SET #status = :delivered, attempts = :one, responseStatus = :ok, deliveredAt = :at, leaseUntil = :null, nextAttemptAt = :null, dueAt = :null, listPk = :list, #version = :next REMOVE duePk, dueSk',
            ConditionExpression: '#version = :seen',
            ExpressionAttributeNames: { '#status': 'status', '#version': 'version' },
            ExpressionAttributeValues: {
              ':delivered': 'delivered',
              ':one': 1,
              ':ok': 200,
              ':at': at,
              ':null': null,
              ':list': listPartitions.deliveries(workspaceId, 'delivered'),
              ':next': 3,
              ':seen': 2,
            },
          },
        },
      ],
    }),
  )
}

async function batch(messages: Message[], webhookId: string): Promise<void> {
  await Promise.all(messages.map((message) => simulateDelivery(message, webhookId)))
  const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
}

async function perSecond(batchesAtOnce: number): Promise<number> {
  const workspace = await seedWorkspace(
    Array.from({ length: endpoints }, (_, index) => `http://127.0.0.1:1024/${index}`),
  )
  await seedBacklog(workspace, events)
  const inFlight = new Set<Promise<void>>()
  const startedAt = performance.now()
  for (let received = 0; received < total; ) {
    if (inFlight.size >= batchesAtOnce) {
      await Promise.race(inFlight)
      continue
    }
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    )
    received += Messages.length
    const working = batch(Messages, workspace.webhooks[0]!.id).finally(() => inFlight.delete(working))
    inFlight.add(working)
  }
  await Promise.all(inFlight)
  return total / ((performance.now() - startedAt) / 1000)
}

try {
  const rates: Ceiling[] = []
  for (const batchesAtOnce of levels) rates.push({ perSecond: await perSecond(batchesAtOnce), batchesAtOnce })
  const best = rates.toSorted((a, b) => b.perSecond - a.perSecond)[0]!
  process.send(best)
} finally {
  await stack.stop()
}
process.exit(0)
