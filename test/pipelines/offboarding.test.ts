/** Suspending and deleting a workspace while it works. */
import { globSync } from 'node:fs'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { pipelineState } from '../../lib/aws/pipelines.ts'
import { now } from '../../lib/clock.ts'
import type { AccountResource, NewUploadResource, VideoResource } from '../../lib/contract/resources/index.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import type { Key } from '../../lib/store/core/keys.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { workspaceRowFilter } from '../../lib/store/workspace-rows.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { deleteWorkspaceData } from '../../lib/use-cases/workspaces/delete-workspace.ts'
import { resume, suspend } from '../../lib/use-cases/workspaces/suspend-workspace.ts'
import { connectedProfile } from '../support/given/automations.ts'
import { callApiOf, fastPollMs, waitForVideo } from './service-process.ts'
import { newApiClient, serviceDirectory } from './shared-service.ts'

async function rowsOf(workspaceId: string): Promise<string[]> {
  const rows: string[] = []
  let ExclusiveStartKey: Record<string, unknown> | undefined
  do {
    const page = await table.send(
      new ScanCommand({
        TableName: tableName(),
        ...workspaceRowFilter(workspaceId),
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    )
    rows.push(...(page.Items as Key[]).map(({ pk }) => pk.replace(`WS#${workspaceId}`, '')))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return rows
}

it('a suspension ends a running generation with its credits released; a resumed workspace generates again', async () => {
  const client = await newApiClient('scale')
  const { workspaceId } = client
  const balance = async () => (await callApiOf<AccountResource>(client, 'GET', '/')).credits.balance
  const before = await balance()
  const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', { prompt: 'Three small habits' })
  await waitForVideo(client, id, ({ process }) => (process?.progress ?? 0) > 45, fastPollMs)
  const { runId } = (await getVideo(workspaceId, id)).process!
  expect(await suspend(workspaceId)).toEqual({ keys: 1, webhooks: 0, automations: 0, jobs: 1 })
  expect(await pipelineState('generate', runId)).toBe('ended')
  await expect(callApiOf(client, 'GET', '/')).rejects.toThrow('is suspended')

  await resume(workspaceId)
  const video = await callApiOf<VideoResource>(client, 'GET', `/videos/${id}`)
  expect(video.process).toMatchObject({
    status: 'FAILED',
    error: { message: 'The workspace is suspended.', blocked: true },
  })
  expect(await balance()).toBe(before)
  await callApiOf(client, 'POST', `/videos/${id}/process`)
  await waitForVideo(client, id, ({ process }) => process?.status === 'PROCESSING', fastPollMs)
  await callApiOf(client, 'DELETE', `/videos/${id}`)
})

it('a deleted workspace keeps its ledger and its id, and nothing else', async () => {
  const client = await newApiClient('scale')
  const { workspaceId } = client
  const objects = () => globSync(`s3/**/${workspaceId}/**/*_S3rver_object`, { cwd: serviceDirectory })
  const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', { prompt: 'Three small habits' })
  await callApiOf(client, 'POST', '/webhooks', { url: 'http://127.0.0.1:1029/', events: ['video.created'] })
  await callApiOf<NewUploadResource>(client, 'POST', '/uploads', {
    fileName: 'a.mp4',
    contentType: 'video/mp4',
    bytes: 9,
  })
  await connectedProfile(client, ['bluesky'])
  await waitForVideo(client, id, ({ process }) => (process?.progress ?? 0) > 45, fastPollMs)
  expect(objects().length).toBeGreaterThan(0)

  await expect(deleteWorkspaceData(workspaceId, 'Other')).rejects.toMatchObject({ code: 'invalid-request' })
  const first = await deleteWorkspaceData(workspaceId, 'Test')
  expect(first).toMatchObject({ deleted: { accounts: 1, webhooks: 1, videos: 1, rows: 0 } })
  await expect(callApiOf(client, 'GET', '/')).rejects.toThrow('401')
  await expect.poll(objects, { interval: 100 }).toEqual([])
  // The upload waits until its time is over.
  const reserved = { storageUsedBytes: 9, uploadsWaiting: 1 }
  expect(await getWorkspace(workspaceId)).toMatchObject({ name: 'Test', creditsReserved: 0, ...reserved })

  expect(first.repeatAfter! > now()).toBe(true)
  const last = await deleteWorkspaceData(workspaceId, 'Test', secondsAfter(first.repeatAfter!, 1))
  expect(last).toMatchObject({ deleted: { accounts: 0, webhooks: 0, videos: 0 }, repeatAfter: null })
  expect([...new Set(await rowsOf(workspaceId))].toSorted()).toEqual(['', '#LEDGER'])
  const empty = { storageUsedBytes: 0, uploadsWaiting: 0 }
  expect(await getWorkspace(workspaceId)).toMatchObject({ name: '', mediaSecret: '', planId: 'scale', ...empty })
  await expect(deleteWorkspaceData(workspaceId, 'Test')).rejects.toMatchObject({ code: 'conflict' })
})
