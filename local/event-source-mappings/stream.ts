// The event source mapping between the table's stream and a function: in order, from a durable checkpoint, at least once.
// https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StoredRecord,
} from '@aws-sdk/client-dynamodb-streams'
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda'
import { awsClientConfig } from '../aws-client-config.ts'
import { invokeLambda, type LambdaHandler, type LambdaLimits } from '../emulators/lambda.ts'
import type { Log } from '../log.ts'

interface StreamMappingOptions {
  readonly endpoint: string
  readonly streamArn: string
  readonly handler: LambdaHandler
  readonly limits: LambdaLimits
  /** Changes with every write to the table. While it stays the same, the stream is read only now and then. */
  readonly tableVersion?: (() => number) | undefined
  /** Stores the position in each shard; one file per function. */
  readonly checkpointFile: string
  readonly batchPolicy: BatchPolicy
  /** Sees every record before the filter, some of them twice. */
  readonly onRecord?: ((record: DynamoDBRecord) => void) | undefined
  readonly log: Log
}

export interface BatchPolicy {
  readonly batchSize: number
  /** Retries after the first attempt; then the record goes to `onFailure` and the shard continues. */
  readonly maximumRetryAttempts: number
  /** Only records for which it returns true reach the function. */
  readonly filter?: (record: DynamoDBRecord) => boolean
  /** The on-failure destination for records that exhausted their retries. */
  readonly onFailure?: (record: DynamoDBRecord) => void | Promise<void>
}

const POLL_MS = 50
// A request for the records of an idle stream takes 2 ms of a processor, and the version of the table 0.02 ms.
const VERSION_POLL_MS = 10
const UNCHANGED_POLL_MS = 5_000
const BACKOFF_FIRST_MS = 100
const BACKOFF_LAST_MS = 10_000

type Image = DynamoDBRecord['dynamodb']

/**
 * Delivers until the signal aborts. Resolves once the batch in flight is done. Emulator failures are logged and retried. Rejects
 * only if the stream does not exist.
 */
export async function runStreamMapping(options: StreamMappingOptions, signal: AbortSignal): Promise<void> {
  const client = new DynamoDBStreamsClient(awsClientConfig(options.endpoint))
  try {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: options.streamArn }))
    const shards = StreamDescription?.Shards ?? []
    const checkpoint = openCheckpoint(options.checkpointFile, options.streamArn)
    await Promise.all(shards.map((shard) => mapShard(shard.ShardId!, { client, checkpoint, options, signal })))
  } finally {
    client.destroy()
  }
}

interface Shard {
  readonly client: DynamoDBStreamsClient
  readonly checkpoint: Checkpoint
  readonly options: StreamMappingOptions
  readonly signal: AbortSignal
}

async function mapShard(shardId: string, { client, checkpoint, options, signal }: Shard): Promise<void> {
  let iterator: string | undefined
  while (!signal.aborted) {
    try {
      const version = options.tableVersion?.()
      iterator ??= await iteratorAt(client, options.streamArn, shardId, checkpoint.get(shardId))
      const page = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: options.batchPolicy.batchSize }),
      )
      const stored = page.Records ?? []
      const records = stored.filter(isChange).map((record) => toRecord(record, options.streamArn))
      if (options.onRecord) records.forEach(options.onRecord)
      await deliver(records, options, signal)
      if (signal.aborted) return
      const last = stored.at(-1)?.dynamodb?.SequenceNumber
      if (last) checkpoint.set(shardId, last)
      iterator = page.NextShardIterator
      // A request per record would take more of the thread than the functions.
      if (stored.length < options.batchPolicy.batchSize) await waitForWrite(version, options, signal)
    } catch (error) {
      if (signal.aborted) return
      options.log(`reading the stream of ${options.limits.name} failed, retrying`, error)
      iterator = undefined
      await sleepUntilAborted(BACKOFF_FIRST_MS * 5, signal)
    }
  }
}

/** Waits until the table may have changed since it had this version. */
async function waitForWrite(version: number | undefined, { tableVersion }: StreamMappingOptions, signal: AbortSignal) {
  if (!tableVersion) return sleepUntilAborted(POLL_MS, signal)
  const deadline = performance.now() + UNCHANGED_POLL_MS
  do await sleepUntilAborted(VERSION_POLL_MS, signal)
  while (!signal.aborted && tableVersion() === version && performance.now() < deadline)
}

async function iteratorAt(
  client: DynamoDBStreamsClient,
  StreamArn: string,
  ShardId: string,
  after: string | undefined,
) {
  const from = after
    ? ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after } as const)
    : ({ ShardIteratorType: 'TRIM_HORIZON' } as const)
  const { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn, ShardId, ...from }))
  return ShardIterator
}

/**
 * Invokes the function until all records are handled or have exhausted their retries. Retries start at the first reported failure. A batch
 * on which the function throws is bisected, which does not count as a retry.
 */
async function deliver(
  records: readonly DynamoDBRecord[],
  options: StreamMappingOptions,
  signal: AbortSignal,
): Promise<void> {
  const { filter, maximumRetryAttempts, onFailure } = options.batchPolicy
  let left = filter ? records.filter(filter) : records
  for (let attempt = 0; left.length > 0 && !signal.aborted; attempt += 1) {
    const result = await attemptBatch(left, options)
    if (result.handled > 0) {
      left = left.slice(result.handled)
      attempt = 0
    }
    if (left.length === 0) return
    if (result.threw && left.length > 1) {
      const middle = Math.ceil(left.length / 2)
      await deliver(left.slice(0, middle), options, signal)
      left = left.slice(middle)
      attempt = -1
      continue
    }
    if (attempt >= maximumRetryAttempts) {
      options.log(`${options.limits.name} exhausted the retries of stream record ${left[0]?.dynamodb?.SequenceNumber}`)
      await onFailure?.(left[0]!)
      left = left.slice(1)
      attempt = -1
      continue
    }
    await sleepUntilAborted(Math.min(BACKOFF_FIRST_MS * 2 ** attempt, BACKOFF_LAST_MS), signal)
  }
}

/** The number of leading records that were handled: those before the first reported failure. */
async function attemptBatch(
  records: readonly DynamoDBRecord[],
  { handler, limits, log }: StreamMappingOptions,
): Promise<{ handled: number; threw: boolean }> {
  try {
    const response = (await invokeLambda(handler, { Records: records }, limits)) as DynamoDBBatchResponse | null
    const failed = new Set(response?.batchItemFailures?.map((failure) => failure.itemIdentifier))
    if (failed.size === 0) return { handled: records.length, threw: false }
    // An unknown identifier fails the whole batch, as in Lambda.
    const first = records.findIndex((record) => failed.has(record.dynamodb?.SequenceNumber ?? ''))
    return { handled: Math.max(first, 0), threw: false }
  } catch (error) {
    log(`${limits.name} failed on ${records.length} stream records`, error)
    return { handled: 0, threw: true }
  }
}

// dynoxide records a write that changed nothing; DynamoDB does not. A stream of keys only does not show the difference.
function isChange({ eventName, dynamodb }: StoredRecord): boolean {
  const { OldImage, NewImage } = dynamodb ?? {}
  return eventName !== 'MODIFY' || NewImage === undefined || !isDeepStrictEqual(OldImage, NewImage)
}

/** A record in the format of Lambda: times in seconds, binary values in base64. */
function toRecord(stored: StoredRecord, streamArn: string): DynamoDBRecord {
  const { ApproximateCreationDateTime: at, ...images } = stored.dynamodb ?? {}
  const binary = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  return {
    eventID: stored.eventID!,
    eventName: stored.eventName!,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    eventSourceARN: streamArn,
    dynamodb: {
      ...(JSON.parse(JSON.stringify(images, binary)) as NonNullable<Image>),
      ApproximateCreationDateTime: Math.floor(Number(at) / 1000),
    },
  }
}

interface Checkpoint {
  get(shardId: string): string | undefined
  set(shardId: string, sequenceNumber: string): void
}

/** Written atomically. A checkpoint of another stream (the table was recreated) counts as empty. */
function openCheckpoint(file: string, streamArn: string): Checkpoint {
  const stored = readCheckpoint(file)
  const shards: Record<string, string> = stored.streamArn === streamArn ? { ...stored.shards } : {}
  return {
    get: (shardId) => shards[shardId],
    set: (shardId, sequenceNumber) => {
      shards[shardId] = sequenceNumber
      writeFileSync(`${file}.new`, JSON.stringify({ streamArn, shards }))
      renameSync(`${file}.new`, file)
    },
  }
}

function readCheckpoint(file: string): { streamArn?: string; shards?: Record<string, string> } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Waits, or returns early when the signal aborts. */
async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}
