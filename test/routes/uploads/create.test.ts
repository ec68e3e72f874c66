/** POST /uploads and GET /uploads/{id}. */
import { describe, expect } from 'vitest'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { listEvents } from '../../../lib/store/core/outbox.ts'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const file = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(492)])
const tell = ({ apiKey }: World, fields: object = {}) =>
  callApi('POST', '/uploads', {
    key: apiKey,
    body: { fileName: 'Harbour.mp4', contentType: 'video/mp4', bytes: file.length, ...fields },
  })
const ask = async ({ apiKey }: World, id: string) => (await callApi('GET', `/uploads/${id}`, { key: apiKey })).body.data
const put = async ({
  method,
  uploadUrl,
  headers,
}: {
  method: string
  uploadUrl: string
  headers: Record<string, string>
}) => (await fetch(uploadUrl, { method, headers, body: file })).status
const roomLeft = (world: World, bytes: number) =>
  given.workspaceWith(world, { storageUsedBytes: plans.free.storageBytesMax! - bytes })

describe('uploads', () => {
  rule('uploads.create.answer', async () => {
    const { status, body } = await tell(await newWorld())
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^upl_/),
        status: 'waiting',
        method: 'PUT',
        uploadUrl: expect.stringMatching(/^https?:/),
        headers: expect.objectContaining({ 'Content-Type': 'video/mp4' }),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
        videoId: null,
      },
    })
    expect(await put(body.data)).toBe(200)
  })

  rule('uploads.create.quota', async () => {
    const world = await newWorld({ planId: 'free' })
    await roomLeft(world, file.length - 1)
    expect(await tell(world)).toMatchObject({
      status: 402,
      body: { error: { code: 'warning-plan-storage', action: 'upgrade' } },
    })
    await roomLeft(world, file.length)
    const { data } = (await tell(world)).body
    await put(data)
    await roomLeft(world, file.length - 1)
    expect(await ask(world, data.id)).toMatchObject({
      status: 'failed',
      videoId: null,
      error: { code: 'warning-plan-storage', blocked: true, action: 'upgrade' },
    })
  })

  rule('uploads.arrival', async () => {
    const world = await newWorld()
    const { data } = (await tell(world, { title: 'Dawn' })).body
    await put(data)
    const { videoId } = await ask(world, data.id)
    expect((await callApi('GET', `/videos/${videoId}`, { key: world.apiKey })).body.data).toMatchObject({
      type: 'video',
      title: 'Dawn',
      process: { status: 'QUEUED', progress: 0 },
      render: null,
      publish: null,
    })
    expect((await listEvents(world.workspaceId)).map(({ type }) => type)).toEqual(['video.created'])
  })

  rule('uploads.get', async () => {
    const world = await newWorld()
    const [one, other] = [(await tell(world)).body.data, (await tell(world, { bytes: 12 })).body.data]
    expect(await ask(world, one.id)).toMatchObject({ id: one.id, status: 'waiting', videoId: null, error: null })
    await put(one)
    expect(await ask(world, one.id)).toMatchObject({ status: 'received', videoId: expect.stringMatching(/^vid_/) })
    await fetch(other.uploadUrl, { method: 'PUT', headers: other.headers, body: 'not a video.' })
    expect(await ask(world, other.id)).toMatchObject({ status: 'failed', videoId: null, error: { blocked: true } })
  })
})
