/** Deleting a video while it is generated. */
import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AccountResource, VideoResource } from '../../lib/contract/resources/index.ts'
import { callApiOf, fastPollMs, waitForVideo } from './service-process.ts'
import { eventTypesOf, newApiClient, serviceDirectory } from './shared-service.ts'

const objectsOf = (videoId: string) => globSync(`s3/**/${videoId}/**/*_S3rver_object`, { cwd: serviceDirectory })

it('stops the job, drops its results, releases all storage and reports no failure', async () => {
  const client = await newApiClient()
  const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', {
    prompt: 'Three small habits that make mornings calm',
    process: { render: true },
  })
  await waitForVideo(client, id, ({ process }) => (process?.progress ?? 0) > 45, fastPollMs)
  expect(objectsOf(id).length).toBeGreaterThan(0)
  const { deletedBytes } = await callApiOf<{ deletedBytes: number }>(client, 'DELETE', `/videos/${id}`)
  expect(deletedBytes).toBeGreaterThan(0)
  await expect.poll(() => objectsOf(id), { interval: 100 }).toEqual([])
  const { limits } = await callApiOf<AccountResource>(client, 'GET', '/')
  expect(limits.storage.usedBytes).toBe(0)
  expect(await eventTypesOf(client)).toEqual(['video.created'])
})
