import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { expect, test } from 'vitest'
import { awsClientConfig } from '../../local/aws-client-config.ts'
import { startDynamodb } from '../../local/emulators/dynamodb.ts'
import { deleteExpired, trimStream } from '../../local/emulators/dynamodb-maintenance.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { waitFor } from '../support/wait-for.ts'
import { memoryLog, stopAfterTest, TEST_TABLE } from './support/fixtures.ts'

const start = async (directory = temporaryDirectory()) => {
  const { lines, log } = memoryLog()
  const options = { directory, table: TEST_TABLE, ttlAttribute: 'expiresAt', log }
  const dynamodb = await stopAfterTest(startDynamodb(options))
  const client = new DynamoDBClient(awsClientConfig(dynamodb.url))
  const put = (sk: string, rest = {}) =>
    client.send(new PutItemCommand({ TableName: 'reelsmith', Item: { pk: { S: 'a' }, sk: { S: sk }, ...rest } }))
  return { directory, dynamodb, client, put, lines }
}

test('the table and its items survive a restart, at the same URL and with the same stream', async () => {
  const { directory, dynamodb, put } = await start()
  await put('1')
  await dynamodb.stop()
  const again = await start(directory)
  expect(again.dynamodb.url).toBe(dynamodb.url)
  expect(again.dynamodb.streamArn).toBe(dynamodb.streamArn)
  const { Count } = await again.client.send(new ScanCommand({ TableName: 'reelsmith' }))
  expect(Count).toBe(1)
  const streams = new DynamoDBStreamsClient(awsClientConfig(dynamodb.url))
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: dynamodb.streamArn }))
  expect(StreamDescription?.StreamStatus).toBe('ENABLED')
})

test('a crashed emulator restarts at the same port with all acknowledged writes', async () => {
  const { dynamodb, client, put, lines } = await start()
  await put('kept')
  process.kill(dynamodb.pid, 'SIGKILL')
  const key = { TableName: 'reelsmith', Key: { pk: { S: 'a' }, sk: { S: 'kept' } } }
  const found = await waitFor('it answers again', () => client.send(new GetItemCommand(key)).catch(() => undefined))
  expect(found.Item).toBeDefined()
  expect(lines).toEqual([expect.stringContaining('restarting it')])
})

test('expired items are deleted, all others are kept', async () => {
  const { directory, client, put } = await start()
  const now = Date.now()
  const seconds = (at: number) => ({ expiresAt: { N: String(Math.floor(at / 1000)) } })
  await Promise.all([put('past', seconds(now - 2_000)), put('future', seconds(now + 60_000)), put('lasting')])
  const file = join(directory, 'dynamodb.sqlite')
  expect(await deleteExpired({ client, file, table: TEST_TABLE, ttlAttribute: 'expiresAt' }, now)).toBe(1)
  const { Items } = await client.send(new ScanCommand({ TableName: 'reelsmith' }))
  expect(Items?.map((item) => item.sk?.S).sort()).toEqual(['future', 'lasting'])
})

test('trimming deletes all old stream records but the newest, so numbering continues', async () => {
  const { directory, client, put } = await start()
  for (const sk of ['1', '2', '3']) await put(sk)
  const file = join(directory, 'dynamodb.sqlite')
  trimStream(file, -60)
  const numbers = () => {
    const database = new DatabaseSync(file)
    const rows = database.prepare('SELECT sequence_number AS n FROM _stream_records ORDER BY id').all()
    database.close()
    return rows.map((row) => row.n)
  }
  const newest = numbers()
  expect(newest).toEqual(['3'])
  await client.send(new DeleteItemCommand({ TableName: 'reelsmith', Key: { pk: { S: 'a' }, sk: { S: '1' } } }))
  expect(numbers()).toEqual(['3', '4'])
})

test('a stored table with another schema is refused', async () => {
  const { directory, dynamodb } = await start()
  await dynamodb.stop()
  const index = {
    IndexName: 'list',
    KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' as const }],
    Projection: { ProjectionType: 'KEYS_ONLY' as const },
  }
  const table = { ...TEST_TABLE, GlobalSecondaryIndexes: [index] }
  const starting = startDynamodb({ directory, table, ttlAttribute: 'expiresAt', log() {} })
  await expect(starting).rejects.toThrow('this version needs [list]')
})
