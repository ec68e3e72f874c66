import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { expect, onTestFinished, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { startDynamodb } from '../../local/emulators/dynamodb.ts'
import { type BatchPolicy, runStreamMapping } from '../../local/event-source-mappings/stream.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'
import { memoryLog, stopAfterTest, TEST_TABLE } from './support/fixtures.ts'

type Handler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse | undefined>

const keyOf = (record: DynamoDBRecord) => record.dynamodb?.Keys?.sk?.S ?? ''

const start = async () => {
  const directory = temporaryDirectory()
  const { lines, log } = memoryLog()
  const options = { directory, table: TEST_TABLE, ttlAttribute: 'expiresAt', log }
  const dynamodb = await stopAfterTest(startDynamodb(options))
  const client = new DynamoDBClient(awsClientConfig(dynamodb.url))
  const item = (sk: string, more = {}) => ({ TableName: 'reelsmith', Item: { pk: { S: 'a' }, sk: { S: sk }, ...more } })
  const put = (sk: string, more = {}) => client.send(new PutItemCommand(item(sk, more)))
  const putAll = (...keys: string[]) =>
    client.send(new TransactWriteItemsCommand({ TransactItems: keys.map((key) => ({ Put: item(key) })) }))

  const checkpointFile = join(directory, 'checkpoint.json')
  let versionReads = 0
  /** The mapping has seen an unchanged table a few times. */
  const isIdle = () => {
    const before = versionReads
    return () => versionReads > before + 3
  }
  const map = (handler: Handler, delivery: Partial<BatchPolicy> = {}) => {
    const ending = new AbortController()
    const mapping = runStreamMapping(
      {
        endpoint: dynamodb.url,
        streamArn: dynamodb.streamArn,
        tableVersion: () => {
          versionReads += 1
          return dynamodb.version()
        },
        handler,
        limits: { name: 'fan-out', timeoutMs: 30_000 },
        checkpointFile,
        batchPolicy: { batchSize: 10, maximumRetryAttempts: 2, ...delivery },
        log,
      },
      ending.signal,
    )
    const stop = () => {
      ending.abort()
      return mapping
    }
    onTestFinished(stop)
    return stop
  }
  const hasCheckpoint = (sequenceNumber: string) => () => {
    try {
      return readFileSync(checkpointFile, 'utf8').includes(`"${sequenceNumber}"`)
    } catch {
      return false
    }
  }
  return { put, putAll, map, lines, hasCheckpoint, isIdle }
}

test('records arrive in order, in the shape of Lambda, without those that a filter or a no-op drops', async () => {
  const { put, map } = await start()
  const seen: DynamoDBRecord[] = []
  map(
    async ({ Records }) => {
      seen.push(...Records)
      return undefined
    },
    { filter: (record) => keyOf(record) !== 'other' },
  )
  await put('1', { blob: { B: Buffer.from([1, 2]) } })
  await put('1', { blob: { B: Buffer.from([1, 2]) } })
  await put('other')
  await put('1', { n: { N: '5' } })
  await waitFor('both changes are seen', () => seen.length === 2)
  expect(seen.map((record) => record.eventName)).toEqual(['INSERT', 'MODIFY'])
  expect(seen[0]).toMatchObject({
    eventSource: 'aws:dynamodb',
    dynamodb: { SequenceNumber: '1', NewImage: { blob: { B: 'AQI=' } }, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  const at = seen[0]?.dynamodb?.ApproximateCreationDateTime ?? 0
  expect(Math.abs(at - Date.now() / 1000)).toBeLessThan(60)
})

test('a write after a pause is read at once', async () => {
  const { put, map, isIdle } = await start()
  const seen: string[] = []
  map(async ({ Records }) => {
    seen.push(...Records.map(keyOf))
    return undefined
  })
  for (const key of ['1', '2', '3']) {
    await waitFor('nothing has happened for a while', isIdle())
    await put(key)
    const writtenAt = performance.now()
    await waitFor('it is read', () => seen.includes(key))
    // An unchanged stream is read every 5 s.
    expect(performance.now() - writtenAt).toBeLessThan(4_000)
  }
  expect(seen).toEqual(['1', '2', '3'])
})

test('a new mapping continues where the last one stopped', async () => {
  const { put, map, hasCheckpoint } = await start()
  const seen: string[] = []
  const handler: Handler = async ({ Records }) => {
    seen.push(...Records.map(keyOf))
    return undefined
  }
  const stop = map(handler)
  await put('1')
  await waitFor('the first is handled and remembered', hasCheckpoint('1'))
  await stop()
  await put('2')
  map(handler)
  await waitFor('the second is handled', () => seen.includes('2'))
  expect(seen).toEqual(['1', '2'])
})

test('records are retried from the reported failure on, those before it are not', async () => {
  const { putAll, map } = await start()
  const batches: string[][] = []
  map(async ({ Records }) => {
    batches.push(Records.map(keyOf))
    if (batches.length > 1) return undefined
    return { batchItemFailures: [{ itemIdentifier: Records[1]!.dynamodb!.SequenceNumber! }] }
  })
  await putAll('1', '2', '3')
  await waitFor('the rest was tried again', () => batches.length === 2)
  expect(batches).toEqual([
    ['1', '2', '3'],
    ['2', '3'],
  ])
})

test('a poison record is isolated, retried, given up and reported, and the others are handled', async () => {
  const { putAll, map, lines, hasCheckpoint } = await start()
  const handled: string[] = []
  const givenUp: string[] = []
  let alone = 0
  map(
    async ({ Records }) => {
      const keys = Records.map(keyOf)
      if (keys.join() === 'poison') alone += 1
      if (keys.includes('poison')) throw new Error('cannot read this')
      handled.push(...keys)
      return undefined
    },
    { maximumRetryAttempts: 1, onFailure: (record) => void givenUp.push(keyOf(record)) },
  )
  await putAll('1', '2', 'poison', '4')
  await waitFor('the batch is done', hasCheckpoint('4'))
  expect({ handled, givenUp, alone }).toEqual({ handled: ['1', '2', '4'], givenUp: ['poison'], alone: 2 })
  expect(lines).toContain('fan-out exhausted the retries of stream record 3')
})

test('a mapping stopped while a batch keeps failing delivers that batch again later', async () => {
  const { put, map } = await start()
  let tries = 0
  const stop = map(
    async () => {
      tries += 1
      throw new Error('not now')
    },
    { maximumRetryAttempts: 1_000 },
  )
  await put('1')
  await waitFor('it was tried', () => tries > 0)
  await stop()
  const seen: string[] = []
  map(async ({ Records }) => {
    seen.push(...Records.map(keyOf))
    return undefined
  })
  await waitFor('it is handled after all', () => seen.includes('1'))
})
