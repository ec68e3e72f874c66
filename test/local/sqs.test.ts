import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { expect, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { queueUrl, startSqs } from '../../local/emulators/sqs.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { freePort, stopAfterTest } from './support/fixtures.ts'

const REDRIVE = JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead', maxReceiveCount: 2 })
const QUEUES = [{ name: 'dead' }, { name: 'work', attributes: { VisibilityTimeout: '30', RedrivePolicy: REDRIVE } }]

const start = async (directory = temporaryDirectory()) => {
  const sqs = await stopAfterTest(startSqs({ directory, queues: QUEUES, port: await freePort(directory) }))
  const client = new SQSClient(awsClientConfig(sqs.url))
  const QueueUrl = queueUrl(sqs.url, 'work')
  const receive = async (url = QueueUrl, WaitTimeSeconds = 0) =>
    (await client.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds }))).Messages ?? []
  const send = (MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }))
  return { directory, sqs, client, QueueUrl, receive, send }
}

test('messages and queues survive a restart', async () => {
  const { directory, sqs, send } = await start()
  await send('kept')
  await sqs.stop()
  const again = await start(directory)
  expect((await again.receive()).map((message) => message.Body)).toEqual(['kept'])
})

test('it listens on 127.0.0.1 and answers queue URLs that work', async () => {
  const { sqs, client, QueueUrl } = await start()
  expect(sqs.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect((await client.send(new GetQueueUrlCommand({ QueueName: 'work' }))).QueueUrl).toBe(QueueUrl)
})

test('a message made visible at once is received again, and is a dead letter after its maximum receives', async () => {
  const { sqs, client, QueueUrl, receive, send } = await start()
  await send('poison')
  for (const _ of [1, 2]) {
    const [message] = await receive()
    const { ReceiptHandle } = message!
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }))
  }
  expect(await receive()).toEqual([])
  expect((await receive(queueUrl(sqs.url, 'dead'))).map((message) => message.Body)).toEqual(['poison'])
})

test('a long poll whose client disconnected takes no message', async () => {
  const { client, QueueUrl, receive, send } = await start()
  const leaving = new AbortController()
  const poll = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }), {
    abortSignal: leaving.signal,
  })
  // A response on another connection shows that the server has handled the events on this one before.
  const roundTrip = () => client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))
  await roundTrip()
  leaving.abort()
  await expect(poll).rejects.toThrow('aborted')
  await roundTrip()
  await roundTrip()
  await send('for the living')
  expect((await receive()).map((message) => message.Body)).toEqual(['for the living'])
})

test('a delay above the 900 seconds of SQS is refused, alone and in a batch', async () => {
  const { client, QueueUrl } = await start()
  const late = { MessageBody: 'late', DelaySeconds: 901 }
  await expect(client.send(new SendMessageCommand({ QueueUrl, ...late }))).rejects.toThrow('at most 900')
  const batch = new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '1', ...late }] })
  await expect(client.send(batch)).rejects.toThrow('at most 900')
})
