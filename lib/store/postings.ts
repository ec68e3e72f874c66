/**
 * Postings: one row for each run and account, under its video. Every write is fenced by the version that was read, so
 * that only one of two workers can persist the intent to send.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { Superseded } from '../domain/core/failures.ts'
import type { Posting } from '../domain/publishing/posting.ts'
import { table, tableName } from './core/client.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { expiryOf, keys, postingPrefix, ttlAttribute } from './core/keys.ts'
import { queryAll } from './core/query.ts'
import type { Row } from './core/rows.ts'
import { recordOf } from './core/rows.ts'
import { conditionFailed, WriteConflict } from './core/write-conflict.ts'

export type PostingKey = Pick<Posting, 'workspaceId' | 'videoId' | 'runId' | 'accountId'>

/** Long enough to investigate the outcome of a post. */
const retentionDays = 30

const postingRow = (posting: Posting): Row => ({
  ...keys.posting(posting.workspaceId, posting.videoId, posting.runId, posting.accountId),
  ...posting,
  [ttlAttribute]: expiryOf(posting.deadlineAt, retentionDays * 24 * 60 * 60),
})

/** Keeps an existing posting unchanged: the first step of a run may be retried. */
export async function createPosting(posting: Posting): Promise<void> {
  try {
    await table.send(
      new PutCommand({
        TableName: tableName(),
        Item: postingRow(posting),
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}

export async function findPosting({
  workspaceId,
  videoId,
  runId,
  accountId,
}: PostingKey): Promise<Posting | undefined> {
  const Key = keys.posting(workspaceId, videoId, runId, accountId)
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }))
  return Item && recordOf<Posting>(Item)
}

/**
 * Writes the next state and returns it under its new version.
 * @throws Superseded where the posting was deleted with its video, WriteConflict where it has changed, since it was read.
 */
export async function writePosting(posting: Posting): Promise<Posting> {
  const next = { ...posting, version: posting.version + 1 }
  try {
    await table.send(
      new PutCommand({
        TableName: tableName(),
        Item: postingRow(next),
        ConditionExpression: '#version = :seen',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':seen': posting.version },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    return next
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    if (!error.Item) throw new Superseded(`The posting to ${posting.accountId} was deleted.`)
    throw new WriteConflict(`The posting to ${posting.accountId} has changed since it was read.`)
  }
}

/** The postings of one run: at most one per platform. */
export async function listPostings(workspaceId: string, videoId: string, runId: string): Promise<Posting[]> {
  const { pk, sk } = keys.posting(workspaceId, videoId, runId, '')
  const rows = await queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :run)',
    ExpressionAttributeValues: { ':pk': pk, ':run': sk },
    ConsistentRead: true,
  })
  return rows.map((row) => recordOf<Posting>(row))
}

/** Deletes the postings of a deleted video. */
export const deletePostings = (workspaceId: string, videoId: string): Promise<void> =>
  deleteByPrefix({ pk: keys.posting(workspaceId, videoId, '', '').pk, sk: postingPrefix })
