/** Deleting a video while it is made: on a service of its own, whose pipelines run. */
import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Account, VideoResource } from '../../lib/api/resources.ts'
import { admin, ask, newDirectory, type Service, startService, until } from './service.ts'

const { directory, remove } = newDirectory()
let service: Service
beforeAll(async () => {
  service = await startService(directory)
})
afterAll(async () => {
  await service.stop()
  remove()
})

const objectsOf = (videoId: string) => globSync(`s3/**/${videoId}/**/*_S3rver_object`, { cwd: directory })

it('stops what runs, drops its results, gives every byte back and tells no failure', async () => {
  const { runtime } = service
  const { id } = await ask<VideoResource>(runtime, 'POST', '/videos', {
    prompt: 'Three small habits that make mornings calm',
    process: { render: true },
  })
  await until(runtime, id, ({ process }) => (process?.progress ?? 0) > 45)
  expect(objectsOf(id).length).toBeGreaterThan(0)
  const { deletedBytes } = await ask<{ deletedBytes: number }>(runtime, 'DELETE', `/videos/${id}`)
  expect(deletedBytes).toBeGreaterThan(0)
  await expect.poll(() => objectsOf(id), { timeout: 30_000, interval: 100 }).toEqual([])
  const { limits } = await ask<Account>(runtime, 'GET', '/')
  expect(limits.storage.usedBytes).toBe(0)
  const events = await admin<{ type: string }[]>(directory, 'event', 'list', '--workspace', runtime.workspaceId)
  expect(events.map(({ type }) => type)).toEqual(['video.created'])
})
