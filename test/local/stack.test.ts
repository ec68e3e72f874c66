import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { env } from '../../lib/env.ts'
import { localEnvironment } from '../../local/environment.ts'
import { type StackOptions, startStack } from '../../local/stack.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { memoryLog, stopAfterTest, TEST_TABLE } from './support/fixtures.ts'

const options = (directory: string, more: Partial<StackOptions> = {}): StackOptions => ({
  directory,
  data: { table: TEST_TABLE, ttlAttribute: 'expiresAt' },
  queues: [{ name: 'deliveries' }],
  keys: ['sealing'],
  pipelines: {
    machines: { render: { StartAt: 'Done', States: { Done: { Type: 'Succeed' } } } },
    work: { invoke: async () => null, command: () => ({ command: ['true'] }) },
    timeScale: 1,
  },
  scheduler: {
    schedules: [
      {
        Name: 'sweep',
        GroupName: 'default',
        ScheduleExpression: 'rate(1 minute)',
        Target: { Arn: 'arn:sweep', RoleArn: 'arn:role' },
      },
    ],
    invoke: async () => null,
  },
  log: memoryLog().log,
  ...more,
})

test('SDK clients configured by the environment alone reach every service, whatever the developer has set', async () => {
  vi.stubEnv('AWS_PROFILE', 'the-developers-own')
  const stack = await stopAfterTest(startStack(options(temporaryDirectory())))
  for (const [name, value] of Object.entries(stack.environment)) vi.stubEnv(name, value)
  const { TABLE_NAME, BUCKET_NAME, STATE_MACHINE_ARN_PREFIX, SEALING_KEY_ID: KeyId } = stack.environment
  await new DynamoDBClient().send(
    new PutItemCommand({ TableName: TABLE_NAME, Item: { pk: { S: 'a' }, sk: { S: 'b' } } }),
  )
  expect((await new S3Client().send(new ListObjectsV2Command({ Bucket: BUCKET_NAME }))).KeyCount).toBe(0)
  expect((await new SQSClient().send(new ListQueuesCommand({}))).QueueUrls).toHaveLength(1)
  const stateMachineArn = `${STATE_MACHINE_ARN_PREFIX}render`
  expect((await new SFNClient().send(new ListExecutionsCommand({ stateMachineArn }))).executions).toEqual([])
  expect((await new SchedulerClient().send(new GetScheduleCommand({ Name: 'sweep' }))).State).toBe('ENABLED')
  const dataKey = new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' })
  expect((await new KMSClient().send(dataKey)).Plaintext).toHaveLength(32)
  vi.unstubAllEnvs()
})

test('if a port is taken at the last moment, another one is chosen', async () => {
  const directory = temporaryDirectory()
  const portsOf = (): Record<string, number> => JSON.parse(readFileSync(join(directory, 'ports.json'), 'utf8'))
  const thief = createServer()
  const scheduler = {
    schedules: [],
    // It is taken after the ports were chosen and before the service listens.
    get invoke() {
      if (!thief.listening) thief.listen(portsOf().scheduler, '127.0.0.1')
      return async () => null
    },
  }
  onTestFinished(async () => void (await promisify(thief.close.bind(thief))()))
  const stack = await stopAfterTest(startStack(options(directory, { scheduler })))
  const { port } = thief.address() as AddressInfo
  expect(stack.endpoints.scheduler).toBe(`http://127.0.0.1:${portsOf().scheduler}`)
  expect(portsOf().scheduler).not.toBe(port)
})

test('a directory in use is refused, and after a stop it starts again at the same URLs', async () => {
  const directory = temporaryDirectory()
  const stack = await stopAfterTest(startStack(options(directory)))
  await expect(startStack(options(directory))).rejects.toThrow('is in use by process')
  await stack.stop()
  const again = await stopAfterTest(startStack(options(directory)))
  expect(again.endpoints).toEqual(stack.endpoints)
})

test('if one service cannot start, none keeps running and the directory is free again', async () => {
  const directory = temporaryDirectory()
  const pipelines = options(directory).pipelines
  const machines = { broken: { StartAt: 'A', States: { A: { Type: 'Succeed' } }, QueryLanguage: 'JSONata' } }
  await expect(startStack(options(directory, { pipelines: { ...pipelines, machines } }))).rejects.toThrow('JSONata')
  await stopAfterTest(startStack(options(directory)))
})

test('the environment is a function of the endpoints and the time scale', () => {
  const url = (port: number) => `http://127.0.0.1:${port}`
  const aws = { dynamodb: url(1), s3: url(2), sqs: url(3), states: url(4), scheduler: url(5) }
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const endpoints = { ...aws, kms: url(6), secrets: url(7), sandbox: url(8), credentials }
  expect(localEnvironment(endpoints, { platformUrls: { reddit: { api: url(8) } }, timeScale: 20 })).toMatchObject({
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: 'http://127.0.0.1:1',
    MEDIA_URL: 'http://127.0.0.1:2/reelsmith-media',
    STATE_MACHINE_ARN_PREFIX: 'arn:aws:states:us-east-1:000000000000:stateMachine:',
    DELIVERY_QUEUE_URL: 'http://127.0.0.1:3/000000000000/deliveries',
    SLOW_DELIVERY_QUEUE_URL: 'http://127.0.0.1:3/000000000000/slow-deliveries',
    PLATFORM_URLS: '{"reddit":{"api":"http://127.0.0.1:8"}}',
    PLATFORMS_STARTED_AT: '',
    TIME_SCALE: '20',
  })
  expect(localEnvironment(endpoints, { platformUrls: {} }).TIME_SCALE).toBe('1')
})

test.each(['0', '0.5', '-1', 'fast', 'NaN'])('a wait is never divided by %s', (scale) => {
  vi.stubEnv('TIME_SCALE', scale)
  expect(() => env.timeScale()).toThrow('at least 1')
  vi.stubEnv('TIME_SCALE', '20')
  expect(env.timeScale()).toBe(20)
  vi.unstubAllEnvs()
})
