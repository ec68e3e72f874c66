/** Errors of DynamoDB under load that the emulator never returns: conflicts, throttling, transactions in progress. */
import {
  DeleteItemCommand,
  DynamoDBClient,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { table, withConflictRetry } from '../../../lib/store/core/client.ts'
import { commit, IdempotencyKeyUsed } from '../../../lib/store/core/commit.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { countObject } from '../../../lib/store/storage-usage.ts'
import { at, videoInputWith, workspaceOn } from '../../domain/support/videos.ts'
import { startTestReceiver } from '../../support/receiver.ts'

const dynamodb = mockClient(table)
beforeEach(() => dynamodb.reset())
afterEach(() => dynamodb.reset())

const cancelled = (...codes: string[]) => cancelledAt(1, ...codes)
/** `attempts`: how many requests the SDK sent; the earlier ones were not answered. */
const cancelledAt = (attempts: number, ...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: { attempts },
    CancellationReasons: codes.map((Code) => ({ Code })),
  })
const underWay = new TransactionInProgressException({ message: 'under way', $metadata: {} })
const owner = { workspace: workspaceOn('starter'), videoId: 'vid_1' }
const decision = createVideo(owner.workspace, videoInputWith(), { videoId: 'vid_1', runId: 'run_1' }, at(0))
const answer = {
  workspaceId: 'wsp_1',
  method: 'POST',
  path: '/',
  key: 'k',
  bodyHash: '',
  status: 201,
  body: '',
  at: at(0),
}

describe('a commit', () => {
  beforeEach(() => {
    // The sequence number of its event is allocated first.
    dynamodb.on(UpdateCommand).resolves({ Attributes: { newest: 1 } })
  })

  it.each([
    ['a conflict', cancelled('None', 'TransactionConflict')],
    ['throttling', cancelled('ThrottlingError', 'None')],
    ['a condition that does not hold', cancelled('None', 'ConditionalCheckFailed')],
  ])('that meets %s throws a WriteConflict, and its decision is retried', async (_name, reason) => {
    dynamodb.on(TransactWriteCommand).rejects(reason)
    await expect(commit(decision)).rejects.toThrow(WriteConflict)
  })

  it('repeats the same transaction while it is in progress: another decision could take effect as well', async () => {
    dynamodb.on(TransactWriteCommand).rejectsOnce(underWay).resolves({})
    await commit(decision)
    const calls = dynamodb.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input)
    expect(calls).toHaveLength(2)
    expect(calls[1]).toEqual(calls[0])
    expect(calls[0]!.ClientRequestToken).toBeDefined()
  })

  it.each([
    ['the first request was not answered', [cancelledAt(2, 'None', 'TransactionConflict')]],
    ['the transaction was in progress', [underWay, cancelled('ThrottlingError', 'None')]],
  ])('repeats the same transaction after a conflict where %s: it may still take effect', async (_name, failures) => {
    const calls = dynamodb.on(TransactWriteCommand)
    for (const failure of failures) calls.rejectsOnce(failure)
    calls.resolves({})
    await commit(decision)
    const inputs = dynamodb.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input)
    expect(inputs).toEqual(Array(failures.length + 1).fill(inputs[0]))
  })

  describe('whose first request was not answered, and whose repeat meets a condition that does not hold', () => {
    const refused = cancelledAt(2, 'TransactionConflict', 'ConditionalCheckFailed')
    const spent = new IdempotentParameterMismatchException({ message: 'another request', $metadata: {} })
    const inputs = () => dynamodb.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input)

    it('spends its token before it is decided again: the first request may still be on its way', async () => {
      dynamodb.on(TransactWriteCommand).rejectsOnce(refused).resolves({})
      await expect(commit(decision)).rejects.toThrow(WriteConflict)
      const [sent, spending] = inputs()
      expect(inputs()).toHaveLength(2)
      expect(spending!.ClientRequestToken).toBe(sent!.ClientRequestToken)
      expect(spending!.TransactItems!.map(Object.keys)).toEqual([['ConditionCheck']])
    })

    it('waits until DynamoDB has decided on the first request', async () => {
      dynamodb.on(TransactWriteCommand).rejectsOnce(refused).rejectsOnce(underWay).resolves({})
      await expect(commit(decision)).rejects.toThrow(WriteConflict)
      expect(inputs()[2]).toEqual(inputs()[1])
    })

    it('is acknowledged where the first request took effect meanwhile', async () => {
      dynamodb.on(TransactWriteCommand).rejectsOnce(refused).rejectsOnce(spent).resolves({})
      await commit(decision)
      expect(inputs()).toHaveLength(3)
      expect(inputs()[2]).toEqual(inputs()[0])
    })

    it('is decided again where it is cancelled once more', async () => {
      dynamodb.on(TransactWriteCommand).rejectsOnce(refused).rejectsOnce(spent).rejects(refused)
      await expect(commit(decision)).rejects.toThrow(WriteConflict)
      expect(inputs()).toHaveLength(3)
    })

    it('has no known outcome where its token cannot be spent', async () => {
      const failure = new Error('No answer.')
      dynamodb.on(TransactWriteCommand).rejectsOnce(refused).rejects(failure)
      await expect(commit(decision)).rejects.toThrow(failure)
    })
  })

  it('whose key was answered meanwhile returns that response instead of a WriteConflict', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', 'None'))
    await expect(commit(decision, answer)).rejects.toThrow(IdempotencyKeyUsed)
  })

  it('with a permanent error is a fault', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled('None', 'ValidationError'))
    await expect(commit(decision)).rejects.toThrow(TransactionCanceledException)
  })
})

describe('counting a stored object', () => {
  it('retries after conflicts, and counts it once', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled('None', 'TransactionConflict', 'TransactionConflict'))
      .rejectsOnce(underWay)
      .resolves({})
    await countObject(owner, 'visuals/a.png', 10)
    expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(3)
  })

  it('succeeds when another worker counted it meanwhile', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', 'None', 'None'))
    await expect(countObject(owner, 'visuals/a.png', 10)).resolves.toBe(false)
  })

  it('stops the worker of a deleted video, even if the quota would refuse the object', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled('None', 'ConditionalCheckFailed', 'ConditionalCheckFailed'))
    await expect(countObject(owner, 'visuals/a.png', 10)).rejects.toMatchObject({ name: 'Superseded' })
  })
})

describe('a single write', () => {
  it('that meets a transaction on the same row is retried', async () => {
    const busy = { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', message: 'busy' }
    const dynamo = await startTestReceiver()
    onTestFinished(dynamo.stop)
    dynamo.answering = (_request, response) => {
      const isFirst = dynamo.posts.length === 1
      response.writeHead(isFirst ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.0' })
      response.end(JSON.stringify(isFirst ? busy : {}))
    }
    const client = withConflictRetry(
      new DynamoDBClient({
        region: 'us-east-1',
        endpoint: dynamo.url,
        credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      }),
    )
    await client.send(new DeleteItemCommand({ TableName: 't', Key: { pk: { S: 'p' }, sk: { S: 's' } } }))
    expect(dynamo.posts).toHaveLength(2)
    client.destroy()
  })
})
