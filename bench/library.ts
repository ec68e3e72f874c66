/** Fills a workspace with finished videos, as fast as the table takes them. */
import { randomBytes } from 'node:crypto'
import { BatchWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { createVideoRequest } from '../lib/api/requests/videos.ts'
import { now } from '../lib/clock.ts'
import { hashKey, mintKey } from '../lib/domain/api-key.ts'
import { mintId } from '../lib/domain/id.ts'
import { secondsAfter } from '../lib/domain/time.ts'
import { createVideo } from '../lib/domain/video.ts'
import { createWorkspace } from '../lib/domain/workspace.ts'
import { createApiKey } from '../lib/store/api-keys.ts'
import { table, tableName } from '../lib/store/client.ts'
import { keys } from '../lib/store/keys.ts'
import { videoRow } from '../lib/store/rows.ts'
import { putWorkspace } from '../lib/store/workspaces.ts'

const wish = v.parse(createVideoRequest, { prompt: 'Three small habits that make mornings calm and evenings quiet' })
const batch = 25

export async function newLibrary(size: number): Promise<{ apiKey: string; videoIds: string[] }> {
  const at = now()
  const workspaceId = mintId('wsp', at)
  const workspace = createWorkspace(
    {
      id: workspaceId,
      name: 'Bench',
      planId: 'self-hosted',
      organizationId: null,
      mediaSecret: randomBytes(16).toString('hex'),
    },
    at,
  )
  await putWorkspace(workspace)
  const apiKey = mintKey()
  await createApiKey({
    id: mintId('key', at),
    workspaceId,
    name: 'bench',
    hash: hashKey(apiKey),
    lastFour: apiKey.slice(-4),
    createdAt: at,
    revokedAt: null,
  })

  const videoIds: string[] = []
  for (let made = 0; made < size; made += batch) {
    const rows = Array.from({ length: Math.min(batch, size - made) }, (_, index) => {
      const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
      videoIds.push(ids.videoId)
      const video = createVideo(workspace, wish, ids, secondsAfter(at, -(made + index))).change.after
      const process = { ...video.process!, status: 'COMPLETED' as const, progress: 100, statusText: null }
      const media = { ...video.media, audioKey: `${workspaceId}/narrations/${randomBytes(16).toString('hex')}.wav` }
      return videoRow({ ...video, process, media, durationSeconds: 22, dueAt: null })
    })
    await table.send(
      new BatchWriteCommand({ RequestItems: { [tableName()]: rows.map((Item) => ({ PutRequest: { Item } })) } }),
    )
  }
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: 'SET videoCounts.#drafts = :size',
      ExpressionAttributeNames: { '#drafts': 'faceless#draft' },
      ExpressionAttributeValues: { ':size': size },
    }),
  )
  return { apiKey, videoIds }
}
