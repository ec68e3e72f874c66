/**
 * Postings: one row for each post of a run to one account, under its video. Every write is fenced by the version that was read, so of
 * two who would send the same post one alone writes the intent.
 */
import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { secondsAfter } from '../domain/core/time.ts'
import type { Posting } from '../domain/publishing/posting.ts'
import { table, tableName } from './core/client.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { keys, postingPrefix, ttlAttribute } from './core/keys.ts'
import type { Row } from './core/rows.ts'
import { recordOf } from './core/rows.ts'
import { conditionFailed, WriteConflict } from './core/write-conflict.ts'

export type PostingKey = Pick<Posting, 'workspaceId' | 'videoId' | 'runId' | 'accountId'>

/** Long enough for whoever asks what became of a post. */
const keptDays = 30

const postingRow = (posting: Posting): Row => ({
  ...keys.posting(posting.workspaceId, posting.videoId, posting.runId, posting.accountId),
  ...posting,
  [ttlAttribute]: Math.floor(Date.parse(secondsAfter(posting.deadlineAt, keptDays * 24 * 60 * 60)) / 1000),
})

/** Leaves one that is there as it is: whoever begins a run may begin it twice. */
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

/** Writes what was decided on the posting as it was read, and answers it with its new version; `LostRace` where it is no longer so. */
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
      }),
    )
    return next
  } catch (error) {
    if (conditionFailed(error)) throw new WriteConflict(`The posting to ${posting.accountId} was changed meanwhile.`)
    throw error
  }
}

/** Those of one run: at most one for each platform. */
export async function listPostings(workspaceId: string, videoId: string, runId: string): Promise<Posting[]> {
  const { pk, sk } = keys.posting(workspaceId, videoId, runId, '')
  const postings: Posting[] = []
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :run)',
        ExpressionAttributeValues: { ':pk': pk, ':run': sk },
        ConsistentRead: true,
        ...(cursor ? { ExclusiveStartKey: cursor } : {}),
      }),
    )
    postings.push(...Items.map((item) => recordOf<Posting>(item)))
    cursor = LastEvaluatedKey
  } while (cursor)
  return postings
}

/** Forgets all that was posted of a removed video. */
export const deletePostings = (workspaceId: string, videoId: string): Promise<void> =>
  deleteByPrefix({ pk: keys.posting(workspaceId, videoId, '', '').pk, sk: postingPrefix })
