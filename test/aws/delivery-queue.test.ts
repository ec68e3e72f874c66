import {
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { enqueueDeliveries } from '../../lib/aws/delivery-queue.ts'
import { env } from '../../lib/env.ts'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { queueUrl, startSqs } from '../../local/emulators/sqs.ts'
import { freePort, stopAfterTest } from '../local/support/fixtures.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const wake = (deliveryId: string, more: object = {}) => ({
  workspaceId: 'wsp_1',
  deliveryId,
  attempt: 1,
  delaySeconds: 0,
  slow: false,
  ...more,
})
const wakes = (count: number) => Array.from({ length: count }, (_, at) => wake(`dlv_${at}`))

it('sends ids and the attempt to the requested queue, also for the longest gap', async () => {
  const directory = temporaryDirectory()
  const queues = [{ name: 'usual' }, { name: 'slow' }]
  const { url } = await stopAfterTest(startSqs({ directory, queues, port: await freePort(directory) }))
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', url)
  vi.stubEnv('DELIVERY_QUEUE_URL', queueUrl(url, 'usual'))
  vi.stubEnv('SLOW_DELIVERY_QUEUE_URL', queueUrl(url, 'slow'))
  await enqueueDeliveries([
    wake('dlv_usual'),
    wake('dlv_later', { delaySeconds: 1_024 }),
    wake('dlv_slow', { attempt: 3, slow: true, workspaceId: 'wsp_2' }),
  ])
  vi.unstubAllEnvs()
  const sqs = new SQSClient(awsClientConfig(url))
  const received = async (name: string) => {
    const command = new ReceiveMessageCommand({ QueueUrl: queueUrl(url, name), MaxNumberOfMessages: 10 })
    return (await sqs.send(command)).Messages?.map(({ Body }) => JSON.parse(Body!))
  }
  expect(await received('usual')).toEqual([{ workspaceId: 'wsp_1', deliveryId: 'dlv_usual', attempt: 1 }])
  expect(await received('slow')).toEqual([{ workspaceId: 'wsp_2', deliveryId: 'dlv_slow', attempt: 3 }])
})

describe('requests to SQS', () => {
  const mock = () => mockClient(SQSClient)
  let sqs: ReturnType<typeof mock>
  beforeEach(() => {
    sqs = mock()
    sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] })
  })
  afterEach(() => void sqs.restore())

  const sent = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input)
  const entries = () => sent().flatMap(({ Entries = [] }) => Entries)
  const idOf = ({ MessageBody }: SendMessageBatchRequestEntry) => JSON.parse(MessageBody!).deliveryId
  const refuse = (...ids: string[]) => ({
    Successful: [],
    Failed: ids.map((Id) => ({ Id, Code: 'InternalError', SenderFault: false })),
  })

  it('are not made when there is nothing to wake', async () => {
    await enqueueDeliveries([])
    expect(sent()).toEqual([])
    await enqueueDeliveries([wake('dlv_1')])
    expect(sent().map(({ QueueUrl }) => QueueUrl)).toEqual([env.deliveryQueueUrl()])
  })

  it('use the message group of the workspace, for SQS fair queues', async () => {
    await enqueueDeliveries([wake('dlv_1'), wake('dlv_2', { workspaceId: 'wsp_2' })])
    expect(entries()).toMatchObject([{ MessageGroupId: 'wsp_1' }, { MessageGroupId: 'wsp_2' }])
  })

  it.each([
    [10, [10]],
    [11, [10, 1]],
    [25, [10, 10, 5]],
  ])('send %i wake-ups in batches of at most ten', async (count, sizes) => {
    await enqueueDeliveries(wakes(count))
    expect(sent().map(({ Entries }) => Entries?.length)).toEqual(sizes)
    expect(entries().map(idOf)).toEqual(wakes(count).map(({ deliveryId }) => deliveryId))
    for (const { Entries = [] } of sent()) expect(new Set(Entries.map(({ Id }) => Id)).size).toBe(Entries.length)
  })

  it.each([
    [-3, 0],
    [0, 0],
    [0.2, 1],
    [4, 4],
    [4.4, 5],
    [899.5, 900],
    [900, 900],
    [901, 900],
    [1_024, 900],
  ])('send a delay of %d s as %d s', async (delaySeconds, DelaySeconds) => {
    await enqueueDeliveries([wake('dlv_1', { delaySeconds })])
    expect(entries()).toMatchObject([{ DelaySeconds }])
  })

  it('retry once the failed entries only', async () => {
    sqs.on(SendMessageBatchCommand).resolvesOnce(refuse('0', '2')).resolves(refuse())
    await enqueueDeliveries(wakes(3))
    expect(sent().map(({ Entries = [] }) => Entries.map(idOf))).toEqual([
      ['dlv_0', 'dlv_1', 'dlv_2'],
      ['dlv_0', 'dlv_2'],
    ])
  })

  it('throw when SQS fails an entry twice', async () => {
    sqs.on(SendMessageBatchCommand).resolves(refuse('1'))
    await expect(enqueueDeliveries(wakes(3))).rejects.toThrow('1 of 3 messages')
    expect(sent()).toHaveLength(2)
  })
})
