/** Seeds a workspace with videos of every type and status by writing rows, without requests to the API. */
import { randomBytes } from 'node:crypto'
import { BatchWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { now } from '../lib/clock.ts'
import { createVideoRequest } from '../lib/contract/requests/videos.ts'
import { mintId } from '../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../lib/domain/core/time.ts'
import type { Video } from '../lib/domain/records/video.ts'
import { createVideo } from '../lib/domain/videos/create-video.ts'
import { hashApiKey, mintApiKey } from '../lib/domain/workspaces/api-key.ts'
import type { PlanId } from '../lib/domain/workspaces/plan.ts'
import { createWorkspace } from '../lib/domain/workspaces/workspace.ts'
import { createApiKey } from '../lib/store/api-keys.ts'
import { table, tableName } from '../lib/store/core/client.ts'
import { keys } from '../lib/store/core/keys.ts'
import { counterNameOf, videoRow } from '../lib/store/core/rows.ts'
import { putWorkspace } from '../lib/store/workspaces.ts'

const rowsPerBatch = 25
const batchesAtOnce = 4

const subjects = 'mornings,gardens,cats,old maps,bread,rivers,sleep,bicycles,winter,markets,bridges,tea'.split(',')
const lines = [
  'Three small habits that make {it} calm',
  'Why {it} matter more than you think',
  'What nobody tells you about {it}',
  'A short history of {it}',
]
const subTypes = [null, null, 'presentation', 'ugc', 'generic']

const request = v.parse(createVideoRequest, {
  prompt: 'Three small habits that make mornings calm and evenings quiet',
  description: 'Three small habits for calm mornings. Which one will you try first? #mornings #habits #calm',
})

export interface SeededWorkspace {
  workspaceId: string
  apiKey: string
  videoIds: string[]
}

/** A workspace with `size` videos, created one a minute until now. */
export async function seedVideos(size: number, planId: PlanId = 'self-hosted'): Promise<SeededWorkspace> {
  const at = now()
  const workspaceId = mintId('wsp', at)
  const mediaSecret = randomBytes(16).toString('hex')
  const workspace = createWorkspace({ id: workspaceId, name: 'Bench', planId, organizationId: null, mediaSecret }, at)
  await putWorkspace(workspace)
  const apiKey = mintApiKey()
  const hash = hashApiKey(apiKey)
  const key = { id: mintId('key', at), workspaceId, name: 'bench', hash, lastFour: apiKey.slice(-4) }
  await createApiKey({ ...key, createdAt: at, revokedAt: null })

  const videoIds: string[] = []
  const counts = new Map<string, number>()
  const make = (index: number): Video => {
    const time = secondsAfter(at, -60 * index)
    const ids = { videoId: mintId('vid', time), runId: mintId('run', time) }
    const video = withSampleState(createVideo(workspace, request, ids, time).video, index)
    videoIds.push(video.id)
    const counter = counterNameOf(video)!
    counts.set(counter, (counts.get(counter) ?? 0) + 1)
    return video
  }
  for (let seeded = 0; seeded < size; seeded += rowsPerBatch * batchesAtOnce) {
    const batches = Array.from({ length: batchesAtOnce }, (_, batch) => {
      const first = seeded + batch * rowsPerBatch
      return Array.from({ length: Math.max(Math.min(rowsPerBatch, size - first), 0) }, (_, index) =>
        make(first + index),
      )
    })
    await Promise.all(batches.filter((batch) => batch.length > 0).map(write))
  }
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: 'SET videoCounts = :counts',
      ExpressionAttributeValues: { ':counts': Object.fromEntries(counts) },
    }),
  )
  return { workspaceId, apiKey, videoIds }
}

const write = (videos: Video[]) =>
  table.send(
    new BatchWriteCommand({
      RequestItems: { [tableName()]: videos.map((video) => ({ PutRequest: { Item: videoRow(video) } })) },
    }),
  )

/** Most videos are ready, some are drafts, a few have failed or are being processed; one in a hundred is an upload. */
function withSampleState(video: Video, index: number): Video {
  const title = lines[index % lines.length]!.replace('{it}', subjects[index % subjects.length]!)
  const type = index % 100 === 17 ? ('video' as const) : index % 10 === 3 ? ('ai' as const) : ('faceless' as const)
  const status =
    index % 50 === 7 ? ('FAILED' as const) : index % 200 === 11 ? ('PROCESSING' as const) : ('COMPLETED' as const)
  const keyOf = (kind: string, ending: string) =>
    `${video.workspaceId}/${video.id}/${kind}/${randomBytes(16).toString('hex')}.${ending}`
  const isReady = status === 'COMPLETED' && index % 4 !== 2
  return {
    ...video,
    title: `${title}, part ${index}`,
    type,
    subType: subTypes[index % subTypes.length]!,
    durationSeconds: 22,
    process: { ...video.process!, status, progress: status === 'COMPLETED' ? 100 : 40, statusText: null },
    media: {
      ...video.media,
      audioKey: keyOf('narrations', 'wav'),
      captionsKey: keyOf('subtitles', 'vtt'),
      renderKey: isReady ? keyOf('renders', 'mp4') : null,
      thumbnailKey: isReady ? keyOf('renders', 'jpg') : null,
      bytes: isReady ? 8_412_903 : null,
    },
    timelines: {
      captions: keyOf('timelines', 'json'),
      captionsPages: keyOf('timelines', 'json'),
      bRolls: keyOf('timelines', 'json'),
    },
    dueAt: null,
  }
}
