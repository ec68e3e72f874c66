import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { expect, onTestFinished, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { queueUrl, startSqs } from '../../local/emulators/sqs.ts'
import { runQueueMapping } from '../../local/event-source-mappings/queue.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'
import { freePort, memoryLog, stopAfterTest } from './support/fixtures.ts'

type Handler = (event: SQSEvent) => Promise<SQSBatchResponse | undefined>

const REDRIVE = JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead', maxReceiveCount: 2 })

const start = async (handler: Handler, delivery = { batchSize: 10, concurrency: 1 }) => {
  const directory = temporaryDirectory()
  const queues = [{ name: 'dead' }, { name: 'work', attributes: { VisibilityTimeout: '2', RedrivePolicy: REDRIVE } }]
  const sqs = await stopAfterTest(startSqs({ directory, queues, port: await freePort(directory) }))
  const client = new SQSClient(awsClientConfig(sqs.url))
  const send = (...bodies: string[]) =>
    client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl(sqs.url, 'work'),
        Entries: bodies.map((MessageBody) => ({ Id: MessageBody, MessageBody })),
      }),
    )
  const counts = async (name: string): Promise<[visible: number, inFlight: number]> => {
    const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
    const QueueUrl = queueUrl(sqs.url, name)
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
    )
    return [Number(Attributes?.[AttributeNames[0]]), Number(Attributes?.[AttributeNames[1]])]
  }
  const visible = async (name: string) => (await counts(name))[0]
  const count = async (name: string) => (await counts(name)).reduce((sum, some) => sum + some)
  const { lines, log } = memoryLog()
  const ending = new AbortController()
  const mapping = runQueueMapping(
    {
      endpoint: sqs.url,
      queueUrl: queueUrl(sqs.url, 'work'),
      handler,
      limits: { name: 'deliver', timeoutMs: 30_000 },
      batching: delivery,
      log,
    },
    ending.signal,
  )
  const stop = () => {
    ending.abort()
    return mapping
  }
  onTestFinished(stop)
  return { send, count, visible, lines, stop }
}

test('messages arrive in the shape of Lambda and are deleted when handled', async () => {
  const seen: SQSEvent['Records'] = []
  const { send, count } = await start(async ({ Records }) => {
    seen.push(...Records)
    return undefined
  })
  await send('a', 'b', 'c')
  await waitFor('all are handled', async () => seen.length === 3 && (await count('work')) === 0)
  expect(seen.map((record) => record.body).sort()).toEqual(['a', 'b', 'c'])
  expect(seen[0]).toMatchObject({
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:work',
    attributes: { ApproximateReceiveCount: '1' },
  })
})

test('only the messages reported as failed are redelivered, and end in the dead-letter queue', async () => {
  const seen: string[] = []
  const { send, count } = await start(async ({ Records }) => {
    seen.push(...Records.map((record) => record.body))
    const bad = Records.filter((record) => record.body === 'bad')
    return { batchItemFailures: bad.map((record) => ({ itemIdentifier: record.messageId })) }
  })
  await send('good', 'bad')
  await waitFor('the bad one is set aside', async () => (await count('dead')) === 1)
  expect(seen.sort()).toEqual(['bad', 'bad', 'good'])
  expect(await count('work')).toBe(0)
})

test('a function that throws leaves the whole batch in the queue and a line in the log', async () => {
  let calls = 0
  const { send, count, lines } = await start(async () => {
    calls += 1
    throw new Error('down')
  })
  await send('a', 'b')
  await waitFor('it was called', () => calls > 0 && lines.length > 0)
  expect(await count('work')).toBe(2)
  expect(lines[0]).toMatch(/^deliver failed on \d messages$/)
})

test('the number of concurrent batches is limited, and stopping waits for them', async () => {
  const gate = Promise.withResolvers<undefined>()
  let running = 0
  let finished = 0
  const { send, stop, count, visible } = await start(
    async () => {
      running += 1
      await gate.promise
      finished += 1
      return undefined
    },
    { batchSize: 1, concurrency: 2 },
  )
  await send('a', 'b', 'c')
  await waitFor('two batches run', () => running === 2)
  expect(await visible('work'), 'what has to wait is not received').toBe(1)
  const stopping = stop()
  gate.resolve(undefined)
  await stopping
  expect({ running, finished, left: await count('work') }).toEqual({ running: 2, finished: 2, left: 1 })
})

test('one hanging invocation delays no other below the concurrency limit', async () => {
  const gate = Promise.withResolvers<undefined>()
  const seen: string[] = []
  const { send, count } = await start(
    async ({ Records }) => {
      seen.push(...Records.map(({ body }) => body))
      if (Records.some(({ body }) => body === 'hangs')) await gate.promise
      return undefined
    },
    { batchSize: 1, concurrency: 2 },
  )
  await send('hangs')
  await waitFor('it hangs', () => seen.length === 1)
  for (const body of ['a', 'b', 'c']) await send(body)
  await waitFor('the others are handled', async () => (await count('work')) === 1)
  expect(seen).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  gate.resolve(undefined)
})

test('it stops although its poll would wait much longer for messages', async () => {
  const { send, stop, count } = await start(async () => undefined)
  await send('a')
  await waitFor('it polls again', async () => (await count('work')) === 0)
  let stopped = false
  void stop().then(() => {
    stopped = true
  })
  await waitFor('it has stopped', () => stopped, 10_000)
})
