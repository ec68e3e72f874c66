// SQS: fauxqs 2.4.1 in this process, with queues in SQLite. The start function of fauxqs always listens on 0.0.0.0, so this file assembles its
// parts itself and works around its defects.

import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import { CreateQueueCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { buildApp } from 'fauxqs'
import { awsClientConfig } from '../aws-client-config.ts'
import { type RunningServer, runOnce } from '../listen.ts'
import { FORBIDDEN, isLoopbackCaller, isSignedByThisRun } from '../loopback-guard.ts'

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>

/** An internal class of fauxqs: it loads the queues and writes every change through. */
interface Persistence {
  readonly db: { prepare(sql: string): { run(...values: unknown[]): unknown } }
  updateMessageReady(messageId: string): void
  loadSqsAndSns(sqs: Stores['sqsStore'], sns: Stores['snsStore']): void
  close(): void
}

export interface Queue {
  readonly name: string
  /** Attributes of SetQueueAttributes: `VisibilityTimeout`, `RedrivePolicy`, … A dead letter queue must come before its source. */
  readonly attributes?: Readonly<Record<string, string>>
}

interface SqsOptions {
  readonly port: number
  /** Holds `fauxqs.db`. */
  readonly directory: string
  readonly queues: readonly Queue[]
}

// SQS rejects a longer delay; fauxqs accepts it, which would hide errors that occur in AWS.
const DELAY_SECONDS_MAX = 900

/** Starts SQS on 127.0.0.1 and creates missing queues. Messages of an earlier run are still in them. */
export async function startSqs(options: SqsOptions): Promise<RunningServer> {
  const { stores, persistence } = await openStores(options.directory)
  const app = buildApp({ logger: false, stores })
  app.addHook('preClose', (done) => {
    persistence.close()
    done()
  })
  app.addHook('onRequest', (_request, reply, done) => {
    // A long poll whose client disconnected would still receive the next message, which then stays invisible for its whole timeout.
    // Ending all polls releases it; live clients poll again.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) stores.sqsStore.shutdown()
    })
    done()
  })
  app.addHook('onRequest', async (request, reply) => {
    // The inspection pages of fauxqs, for curl, only read.
    const isInspection = request.method === 'GET' && request.url.startsWith('/_fauxqs/')
    if (!isLoopbackCaller(request) || !(isInspection || isSignedByThisRun(request)))
      return reply.code(403).send(FORBIDDEN)
  })
  app.addHook('preValidation', async (request, reply) => {
    if (maximumDelay(request.body) <= DELAY_SECONDS_MAX) return
    const message = `DelaySeconds must be at most ${DELAY_SECONDS_MAX}.`
    reply.code(400).type('application/x-amz-json-1.0')
    return reply.send({ __type: 'com.amazonaws.sqs#InvalidParameterValue', message })
  })
  const url = await app.listen({ port: options.port, host: '127.0.0.1' })
  await ensureQueues(url, options.queues)
  return { url, stop: runOnce(() => app.close()) }
}

async function openStores(directory: string): Promise<{ stores: Stores; persistence: Persistence }> {
  const inside = (file: string) => import(new URL(`dist/${file}`, packageUrl()).href)
  const { SqsStore } = await inside('sqs/sqsStore.js')
  const { SnsStore } = await inside('sns/snsStore.js')
  const { S3Store } = await inside('s3/s3Store.js')
  const { PersistenceManager } = await inside('persistence.js')
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() }
  const persistence: Persistence = new PersistenceManager(directory)

  // The statement of fauxqs sets the receive count to NULL, which its schema forbids: ChangeMessageVisibility(0) responded with 500
  // and lost the message until the next start.
  if (!persistence.updateMessageReady) throw new Error('fauxqs is not the version this file was written for (2.4.1).')
  const makeReady = persistence.db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  )
  persistence.updateMessageReady = (messageId) => makeReady.run(messageId)

  // Load before writing through; otherwise each loaded queue is stored again and its messages are deleted with the old row.
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore)
  const writesThrough = stores.sqsStore as unknown as { persistence: Persistence }
  writesThrough.persistence = persistence
  for (const queue of stores.sqsStore.allQueues()) Object.assign(queue, { persistence })
  // Without a host, queue URLs use the origin of the request instead of sqs.us-east-1.localhost, which does not resolve.
  stores.sqsStore.host = ''
  return { stores, persistence }
}

function packageUrl(): URL {
  const file = findPackageJSON('fauxqs', import.meta.url)
  if (!file) throw new Error('The npm package fauxqs is not installed.')
  return pathToFileURL(file)
}

function maximumDelay(body: unknown): number {
  const { DelaySeconds = 0, Entries = [] } = (body ?? {}) as {
    DelaySeconds?: number
    Entries?: { DelaySeconds?: number }[]
  }
  return Math.max(DelaySeconds, ...Entries.map((entry) => entry.DelaySeconds ?? 0))
}

async function ensureQueues(url: string, queues: readonly Queue[]): Promise<void> {
  const client = new SQSClient(awsClientConfig(url))
  for (const { name, attributes } of queues) {
    // Attributes are set separately, because creating an existing queue with other attributes is an error.
    await client.send(new CreateQueueCommand({ QueueName: name }))
    if (attributes)
      await client.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl(url, name), Attributes: { ...attributes } }))
  }
  client.destroy()
}

/** The queue URL for handlers: the SDK sends requests to the origin of this URL, not to its endpoint. */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/000000000000/${name}`
}

export const queueArn = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`
