import { describe, expect, it } from 'vitest'
import { handler as fileHasCome } from '../../functions/workers/receive-upload.ts'
import { hasObject } from '../../lib/aws/media-bucket.ts'
import { presignUpload } from '../../lib/aws/presigned-upload.ts'
import { now } from '../../lib/clock.ts'
import type { UploadResource } from '../../lib/contract/resources/index.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { Upload } from '../../lib/domain/records/upload.ts'
import { createUpload, resolveUpload, uploadBytesMax } from '../../lib/domain/uploads/upload.ts'
import { plans } from '../../lib/domain/workspaces/plan.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { getUpload } from '../../lib/store/uploads.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { recoverStalled } from '../../lib/use-cases/recovery/recover-stalled.ts'
import { countSource } from '../../lib/use-cases/uploads/receive-upload.ts'
import { given } from '../support/given/videos.ts'
import { expectMatchesOpenApi } from '../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

/** Begins like an mp4, which is all that is looked at before a generation reads it. */
const mp4 = (bytes: number) => Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(bytes - 8, 7)])
const wish = { fileName: 'Harbour at dawn.mp4', contentType: 'video/mp4', bytes: 1_000 }

const tell = ({ apiKey }: World, body: object = {}) =>
  callApi('POST', '/uploads', { key: apiKey, body: { ...wish, ...body } })
const ask = ({ apiKey }: World, id: string) => callApi('GET', `/uploads/${id}`, { key: apiKey })
const put = async (
  { uploadUrl, headers }: { uploadUrl: string; headers: Record<string, string> },
  file: Uint8Array<ArrayBuffer>,
  more: Record<string, string> = {},
) => (await fetch(uploadUrl, { method: 'PUT', headers: { ...headers, ...more }, body: file })).status
const usedBytes = async ({ apiKey }: World) =>
  (await callApi('GET', '/', { key: apiKey })).body.data.limits.storage.usedBytes
const storedAt = async ({ workspaceId }: World, id: string) => hasObject((await getUpload(workspaceId, id)).sourceKey)

/** An upload that was made some time ago. */
async function uploadFrom(world: World, createdAt: string): Promise<Upload> {
  const workspace = await getWorkspace(world.workspaceId)
  const decision = createUpload(
    workspace,
    { ...wish, contentType: 'video/mp4', title: null, wishes: { transcribe: true, addBRolls: true, render: false } },
    mintId('upl', createdAt),
    createdAt,
  )
  await commit(decision)
  return decision.upload
}

describe('POST /uploads', () => {
  it('201: tells where and how the file is put, and until when', async () => {
    const world = await newWorld()
    const { status, body } = await tell(world)
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.stringMatching(/^upl_[0-9a-z]{26}$/),
      status: 'waiting',
      method: 'PUT',
      uploadUrl: expect.stringMatching(/^http.*\/sources\/[0-9a-f]{32}\.mp4\?.*X-Amz-Signature=/),
      headers: { 'Content-Type': 'video/mp4', 'If-None-Match': '*' },
      expiresAt: expect.any(String),
      videoId: null,
    })
    const minutes = (Date.parse(body.data.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(59)
    expect(minutes).toBeLessThanOrEqual(60)
    expectMatchesOpenApi('POST', '/uploads', 201, body)
  })

  it('400: names what may be uploaded', async () => {
    const { status, body } = await tell(await newWorld(), { contentType: 'video/x-matroska' })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'invalid-request',
      details: [{ path: 'body.contentType', allowed: ['video/mp4', 'video/quicktime', 'video/webm'] }],
    })
  })

  it.each([
    ['bytes', 0, 400],
    ['bytes', 1, 201],
    ['bytes', 1.5, 400],
    ['bytes', uploadBytesMax - 1, 201],
    ['bytes', uploadBytesMax, 201],
    ['bytes', uploadBytesMax + 1, 400],
    ['bytes', '1000', 400],
    ['fileName', ' ', 400],
    ['fileName', 'a', 201],
    ['fileName', 'a'.repeat(254), 201],
    ['fileName', 'a'.repeat(255), 201],
    ['fileName', 'a'.repeat(256), 400],
    ['title', ' ', 400],
    ['title', null, 201],
    ['title', 'a'.repeat(199), 201],
    ['title', 'a'.repeat(200), 201],
    ['title', 'a'.repeat(201), 400],
    ['process', { render: 'yes' }, 400],
    ['process', { render: true, later: 1 }, 201],
    ['process', [], 400],
    ['contentType', 'video/quicktime', 201],
    ['contentType', 'video/webm', 201],
  ])('%s %j: %i', async (name, value, status) => {
    const answer = await tell(await newWorld(), { [name]: value })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.error.details[0].path).toContain(`body.${name}`)
  })

  it('400: needs a name, a type and a size', async () => {
    const { body } = await callApi('POST', '/uploads', { key: (await newWorld()).apiKey, body: {} })
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'body.fileName',
      'body.contentType',
      'body.bytes',
    ])
  })

  it('402: what the plan has no room for is refused before it is sent', async () => {
    const world = await newWorld({ planId: 'free' })
    const room = 5_000
    await given.workspaceWith(world, { storageUsedBytes: plans.free.storageBytesMax! - room })
    expect((await tell(world, { bytes: room - 1 })).status).toBe(201)
    expect((await tell(world, { bytes: room })).status).toBe(201)
    const refused = await tell(world, { bytes: room + 1 })
    expect(refused.status).toBe(402)
    expect(refused.body.error).toMatchObject({ code: 'warning-plan-storage', action: 'upgrade' })
    expectMatchesOpenApi('POST', '/uploads', 402, refused.body)
  })

  it('401 without a key', async () => {
    expect((await callApi('POST', '/uploads', { body: wish })).status).toBe(401)
    expect((await callApi('GET', '/uploads/upl_none')).status).toBe(401)
  })
})

describe('the address', () => {
  it('takes a file of the type and length that were told, once', async () => {
    const { data } = (await tell(await newWorld())).body
    expect(await put(data, mp4(1_001))).toBe(403)
    expect(await put(data, mp4(999))).toBe(403)
    expect(await put(data, mp4(1_000), { 'Content-Type': 'video/webm' })).toBe(403)
    expect(await put({ ...data, headers: { 'Content-Type': 'video/mp4' } }, mp4(1_000))).toBe(403)
    expect(await put({ ...data, uploadUrl: data.uploadUrl.replace('/sources/', '/renders/') }, mp4(1_000))).toBe(403)
    expect(await put(data, mp4(1_000))).toBe(200)
    expect(await put(data, mp4(1_000))).toBe(412)
  })

  it('takes nothing after its time', async () => {
    const sourceKey = 'wsp_1/vid_1/sources/late.mp4'
    const from = (age: number) =>
      presignUpload({ ...wish, sourceKey }, new Date(Date.now() - age * 1000).toISOString(), 60)
    const [late, inTime] = [await from(62), await from(50)]
    expect(await put({ ...late, uploadUrl: late.url }, mp4(1_000))).toBe(403)
    expect(await put({ ...inTime, uploadUrl: inTime.url }, mp4(1_000))).toBe(200)
  })
})

describe('GET /uploads/{id}', () => {
  it('200: waits for the file', async () => {
    const world = await newWorld()
    const { id, expiresAt } = (await tell(world)).body.data
    const { status, body } = await ask(world, id)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id,
      status: 'waiting',
      expiresAt,
      videoId: null,
      ...wish,
      createdAt: expect.any(String),
      error: null,
    })
    expectMatchesOpenApi('GET', '/uploads/{id}', 200, body)
  })

  it('200: the file became a video whose generation is queued; it costs nothing but its storage', async () => {
    const world = await newWorld({ planId: 'free' })
    const { data } = (await tell(world, { process: { render: true } })).body
    await put(data, mp4(1_000))
    const upload: UploadResource = (await ask(world, data.id)).body.data
    expect(upload).toMatchObject({ status: 'received', videoId: expect.stringMatching(/^vid_/), error: null })
    const { body } = await callApi('GET', `/videos/${upload.videoId}`, { key: world.apiKey })
    expect(body.data).toMatchObject({
      type: 'video',
      title: 'Harbour at dawn',
      status: 'processing',
      brief: { prompt: null, text: null, language: 'en', voiceId: 'en-clara', aspectRatio: '9:16' },
      process: { status: 'QUEUED', progress: 0 },
      render: null,
    })
    expect((await fetch(body.data.media.sourceUrl)).headers.get('content-length')).toBe('1000')
    const account = (await callApi('GET', '/', { key: world.apiKey })).body.data
    expect(account.credits).toMatchObject({ balance: 200, used: 0 })
    expect(account.limits).toMatchObject({ generations: { used: 0 }, storage: { usedBytes: 1_000 } })
  })

  it('200: told many times at once, a file makes one video and is counted once', async () => {
    const world = await newWorld()
    const { data } = (await tell(world, { title: 'Mine' })).body
    await put(data, mp4(1_000))
    const { sourceKey } = await getUpload(world.workspaceId, data.id)
    const told = () => fileHasCome({ detail: { object: { key: sourceKey } } })
    const asked = () => ask(world, data.id)
    await Promise.all([told(), asked(), told(), asked()])
    await told()
    const { status, videoId } = (await asked()).body.data
    expect(status).toBe('received')
    const page = (await callApi('GET', '/videos', { key: world.apiKey })).body
    expect(page.data.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([[videoId, 'Mine']])
    expect(page.paging.total).toBe(1)
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId }
    await countSource(owner, sourceKey, 1_000)
    expect(await usedBytes(world)).toBe(1_000)
  })

  it('200: fails on arrival where the room was taken meanwhile, and keeps nothing', async () => {
    const world = await newWorld({ planId: 'free' })
    const used = plans.free.storageBytesMax! - 1_000
    for (const [more, status] of [
      [-1, 'received'],
      [0, 'received'],
      [1, 'failed'],
    ] as const) {
      await given.workspaceWith(world, { storageUsedBytes: 0 })
      const { data } = (await tell(world)).body
      await put(data, mp4(1_000))
      await given.workspaceWith(world, { storageUsedBytes: used + more })
      const upload = (await ask(world, data.id)).body.data
      expect(upload.status).toBe(status)
      expect(await storedAt(world, data.id)).toBe(status === 'received')
      expect(await usedBytes(world)).toBe(used + more + (status === 'received' ? 1_000 : 0))
      if (status === 'failed')
        expect(upload).toMatchObject({
          videoId: null,
          error: { code: 'warning-plan-storage', blocked: true, action: 'upgrade' },
        })
    }
  })

  it('200: of two files that race for the last room one becomes a video that can go on', async () => {
    const world = await newWorld({ planId: 'free' })
    const uploads = [(await tell(world)).body.data, (await tell(world)).body.data]
    for (const data of uploads) await put(data, mp4(1_000))
    const used = plans.free.storageBytesMax! - 1_999
    await given.workspaceWith(world, { storageUsedBytes: used })
    const ended = await Promise.all(uploads.map(async ({ id }) => (await ask(world, id)).body.data))
    expect(await usedBytes(world)).toBe(used + 1_000)
    const going = await Promise.all(
      ended.map(async ({ videoId }) => {
        const { process } = videoId ? (await callApi('GET', `/videos/${videoId}`, { key: world.apiKey })).body.data : {}
        return process?.status === 'QUEUED'
      }),
    )
    expect(going.filter(Boolean)).toHaveLength(1)
    expect(await Promise.all(uploads.map(({ id }) => storedAt(world, id)))).toEqual(going)
  })

  it('200: fails where the file is no video of the type that was told, and keeps nothing', async () => {
    const world = await newWorld()
    const { data } = (await tell(world)).body
    await put(data, Buffer.alloc(1_000, 7))
    expect((await ask(world, data.id)).body.data).toMatchObject({
      status: 'failed',
      videoId: null,
      error: { code: 'invalid-request', message: 'The file is no video/mp4.', blocked: true },
    })
    expect(await storedAt(world, data.id)).toBe(false)
    // The address still works for a while: what comes to it is removed.
    expect(await put(data, mp4(1_000))).toBe(200)
    await fileHasCome({ detail: { object: { key: (await getUpload(world.workspaceId, data.id)).sourceKey } } })
    expect(await storedAt(world, data.id)).toBe(false)
    expect((await ask(world, data.id)).body.data.status).toBe('failed')
  })

  it('200: a file that comes again after its video was deleted is removed', async () => {
    const world = await newWorld()
    const { data } = (await tell(world)).body
    await put(data, mp4(1_000))
    const { videoId } = (await ask(world, data.id)).body.data
    await callApi('DELETE', `/videos/${videoId}`, { key: world.apiKey })
    await fileHasCome({ detail: { object: { key: (await getUpload(world.workspaceId, data.id)).sourceKey } } })
    expect(await storedAt(world, data.id)).toBe(false)
    expect((await ask(world, data.id)).body.data).toMatchObject({ status: 'received', videoId })
    expect(await usedBytes(world)).toBe(0)
  })

  it('200: fails when no file came in time', async () => {
    const world = await newWorld()
    const ended = await uploadFrom(world, secondsAfter(now(), -7 * 60 * 60))
    expect((await ask(world, ended.id)).body.data).toMatchObject({
      status: 'failed',
      error: { code: 'timeout', blocked: false },
    })
    const open = await uploadFrom(world, secondsAfter(now(), -7 * 60 * 60 + 60))
    expect((await ask(world, open.id)).body.data.status).toBe('waiting')
  })

  it('404: another workspace cannot tell that the upload exists', async () => {
    const { id } = (await tell(await newWorld())).body.data
    const stranger = await newWorld()
    for (const one of [id, 'upl_none', 'no-id'])
      expect((await ask(stranger, one)).body.error).toMatchObject({ status: 404, code: 'not-found' })
  })
})

describe('the sweeper', () => {
  const sweep = (upload: Upload) => recoverStalled(keys.upload(upload.workspaceId, upload.id))

  it('finds a file of which nothing was told', async () => {
    const world = await newWorld()
    const { data } = (await tell(world)).body
    await put(data, mp4(1_000))
    const upload = await getUpload(world.workspaceId, data.id)
    await sweep(upload)
    expect(await getUpload(world.workspaceId, data.id)).toMatchObject({ status: 'received', dueAt: null })
  })

  it('ends an upload to which no file came, and waits for any other', async () => {
    const world = await newWorld()
    const [ended, open] = [
      await uploadFrom(world, secondsAfter(now(), -7 * 60 * 60)),
      await uploadFrom(world, secondsAfter(now(), -60)),
    ]
    await sweep(ended)
    await sweep(open)
    expect(await getUpload(world.workspaceId, ended.id)).toMatchObject({ status: 'failed', dueAt: null })
    expect(await getUpload(world.workspaceId, open.id)).toEqual(open)
  })
})

describe('what came', () => {
  it.each([
    [{ bytes: 999 }, 'The file has 999 bytes; 1000 were declared.'],
    [{ contentType: 'video/webm' }, 'The file came as video/webm; video/mp4 was declared.'],
    [{ bytes: 0, start: Buffer.alloc(0) }, 'The file has 0 bytes; 1000 were declared.'],
  ])('is held against what was told: %o', async (other, message) => {
    const world = await newWorld()
    const upload = await uploadFrom(world, now())
    const file = { bytes: 1_000, contentType: 'video/mp4', start: mp4(16), ...other }
    const decision = resolveUpload(await getWorkspace(world.workspaceId), upload, file, now())
    expect(decision?.upload).toMatchObject({ status: 'failed', error: { code: 'invalid-request', message } })
    expect(decision?.changes).toHaveLength(1)
  })
})
