/** Deleting a video while it is made. */
import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Account, VideoResource } from '../../lib/contract/resources/index.ts'
import { ask, pollMsOfMoments, until } from './service-process.ts'
import { directory, eventsOf, newClient } from './shared-service.ts'

const objectsOf = (videoId: string) => globSync(`s3/**/${videoId}/**/*_S3rver_object`, { cwd: directory })

it('stops what runs, drops its results, gives every byte back and tells no failure', async () => {
  const client = await newClient()
  const { id } = await ask<VideoResource>(client, 'POST', '/videos', {
    prompt: 'Three small habits that make mornings calm',
    process: { render: true },
  })
  await until(client, id, ({ process }) => (process?.progress ?? 0) > 45, pollMsOfMoments)
  expect(objectsOf(id).length).toBeGreaterThan(0)
  const { deletedBytes } = await ask<{ deletedBytes: number }>(client, 'DELETE', `/videos/${id}`)
  expect(deletedBytes).toBeGreaterThan(0)
  await expect.poll(() => objectsOf(id), { interval: 100 }).toEqual([])
  const { limits } = await ask<Account>(client, 'GET', '/')
  expect(limits.storage.usedBytes).toBe(0)
  expect(await eventsOf(client)).toEqual(['video.created'])
})
