/** GET /uploads/{id}: the life of an upload, whichever process finds its file first. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { handler as fileHasCome } from '../../../functions/workers/receive-upload.ts'
import { hasObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import type { UploadResource } from '../../../lib/contract/resources/index.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { Upload } from '../../../lib/domain/records/upload.ts'
import {
  createUpload as decideUpload,
  resolveUpload,
  transferSecondsOf,
  uploadBytesMax,
  uploadUrlTtlSeconds,
} from '../../../lib/domain/uploads/upload-lifecycle.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { findVideoUsage } from '../../../lib/store/storage-usage.ts'
import { getUpload } from '../../../lib/store/uploads.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { dispatchOutboxRow } from '../../../lib/use-cases/outbox/dispatch-outbox.ts'
import { recoverStalled } from '../../../lib/use-cases/recovery/recover-stalled.ts'
import { countSource } from '../../../lib/use-cases/uploads/receive-upload.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'
import { createUpload, declaredFile, getUploadOf, mp4, sendFile } from './upload-client.ts'

const read = async (world: World, id: string) => (await getUploadOf(world, id)).body.data

const usedBytes = async ({ apiKey }: World) =>
  (await callApi('GET', '/', { key: apiKey })).body.data.limits.storage.usedBytes

/** Whether the file of an upload exists once the purge that a failure queues has been dispatched. */
async function storedAt({ workspaceId }: World, id: string): Promise<boolean> {
  const { videoId, sourceKey } = await getUpload(workspaceId, id)
  await dispatchOutboxRow(keys.outbox(workspaceId, videoId))
  return hasObject(sourceKey)
}

const waitingUploads = async ({ workspaceId }: World) => (await getWorkspace(workspaceId)).uploadsWaiting

/** How long a small file is awaited. */
const openSeconds = uploadUrlTtlSeconds + transferSecondsOf(declaredFile.bytes)

/** As an earlier version wrote it. */
const withoutReservation = ({ workspaceId }: World, id: string) =>
  table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.upload(workspaceId, id),
      UpdateExpression: 'REMOVE reservedBytes',
    }),
  )

/** An upload that was made some time ago. */
async function uploadFrom(world: World, createdAt: string): Promise<Upload> {
  const workspace = await getWorkspace(world.workspaceId)
  const decision = decideUpload(
    workspace,
    {
      ...declaredFile,
      contentType: 'video/mp4',
      title: null,
      wishes: { transcribe: true, addBRolls: true, render: false },
    },
    mintId('upl', createdAt),
    createdAt,
  )
  await commit(decision)
  return decision.upload
}

describe('GET /uploads/{id}', () => {
  rule('uploads.get', async () => {
    const world = await newWorld()
    const [one, other] = [(await createUpload(world)).body.data, (await createUpload(world, { bytes: 12 })).body.data]
    expect(await read(world, one.id)).toMatchObject({ id: one.id, status: 'waiting', videoId: null, error: null })
    await sendFile(one)
    expect(await read(world, one.id)).toMatchObject({ status: 'received', videoId: expect.stringMatching(/^vid_/) })
    await fetch(other.uploadUrl, { method: 'PUT', headers: other.headers, body: 'not a video.' })
    expect(await read(world, other.id)).toMatchObject({ status: 'failed', videoId: null, error: { blocked: true } })
  })

  rule('uploads.arrival', async () => {
    const world = await newWorld()
    const { data } = (await createUpload(world, { title: 'Dawn' })).body
    await sendFile(data)
    const { videoId } = await read(world, data.id)
    expect((await callApi('GET', `/videos/${videoId}`, { key: world.apiKey })).body.data).toMatchObject({
      type: 'video',
      title: 'Dawn',
      process: { status: 'QUEUED', progress: 0 },
      render: null,
      publish: null,
    })
    expect((await listEvents(world.workspaceId)).map(({ type }) => type)).toEqual(['video.created'])
  })

  it('200: the status is waiting until the file has arrived', async () => {
    const world = await newWorld()
    const { id, expiresAt } = (await createUpload(world)).body.data
    const { status, body } = await getUploadOf(world, id)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id,
      status: 'waiting',
      expiresAt,
      videoId: null,
      ...declaredFile,
      createdAt: expect.any(String),
      error: null,
    })
    expectMatchesOpenApi('GET', '/uploads/{id}', 200, body)
  })

  it('200: the file has become a video with a queued generation, which costs storage only', async () => {
    const world = await newWorld({ planId: 'free' })
    const { data } = (await createUpload(world, { process: { render: true } })).body
    await sendFile(data)
    const upload: UploadResource = (await getUploadOf(world, data.id)).body.data
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

  it('200: concurrent notifications of one file create one video and count it once', async () => {
    const world = await newWorld()
    const { data } = (await createUpload(world, { title: 'Mine' })).body
    await sendFile(data)
    const { sourceKey } = await getUpload(world.workspaceId, data.id)
    const told = () => fileHasCome({ detail: { object: { key: sourceKey } } })
    const asked = () => getUploadOf(world, data.id)
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

  it('200: failed, and nothing is stored, where the quota was used up in the meantime', async () => {
    const world = await newWorld({ planId: 'free' })
    const limit = plans.free.storageBytesMax!
    for (const [more, status] of [
      [-1, 'received'],
      [0, 'received'],
      [1, 'failed'],
    ] as const) {
      await given.workspaceWith(world, { storageUsedBytes: 0 })
      const { data } = (await createUpload(world)).body
      await sendFile(data)
      // As on a smaller plan: these bytes contain those that are reserved.
      await given.workspaceWith(world, { storageUsedBytes: limit + more })
      const upload = (await getUploadOf(world, data.id)).body.data
      expect(upload.status).toBe(status)
      expect(await storedAt(world, data.id)).toBe(status === 'received')
      expect(await usedBytes(world)).toBe(limit + more - (status === 'received' ? 0 : 1_000))
      if (status === 'failed')
        expect(upload).toMatchObject({
          videoId: null,
          error: { code: 'warning-plan-storage', blocked: true, action: 'upgrade' },
        })
    }
  })

  it('200: its video is created with the bytes of its file, in place of those that the upload reserved', async () => {
    const world = await newWorld()
    const { data } = (await createUpload(world)).body
    expect([await usedBytes(world), await waitingUploads(world)]).toEqual([1_000, 1])
    await sendFile(data)
    const upload = await getUpload(world.workspaceId, data.id)
    const decision = resolveUpload(
      await getWorkspace(world.workspaceId),
      upload,
      { bytes: 1_000, contentType: 'video/mp4', start: mp4(16) },
      now(),
    )
    await commit(decision!)
    expect([await usedBytes(world), await waitingUploads(world)]).toEqual([1_000, 0])
    expect(await findVideoUsage(world.workspaceId, upload.videoId)).toEqual({ storedBytes: 1_000, clips: 0 })
    await callApi('DELETE', `/videos/${upload.videoId}`, { key: world.apiKey })
    expect(await usedBytes(world)).toBe(0)
  })

  it('200: of two files without a reservation that compete for the last storage, one becomes a video', async () => {
    const world = await newWorld({ planId: 'free' })
    const uploads = [(await createUpload(world)).body.data, (await createUpload(world)).body.data]
    for (const data of uploads) {
      await withoutReservation(world, data.id)
      await sendFile(data)
    }
    const used = plans.free.storageBytesMax! - 1_999
    await given.workspaceWith(world, { storageUsedBytes: used, uploadsWaiting: 0 })
    const ended = await Promise.all(uploads.map(async ({ id }) => (await getUploadOf(world, id)).body.data))
    expect(await usedBytes(world)).toBe(used + 1_000)
    expect(await waitingUploads(world)).toBe(0)
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['failed', 'received'])
    const going = await Promise.all(
      ended.map(async ({ videoId }) => {
        const { process } = videoId ? (await callApi('GET', `/videos/${videoId}`, { key: world.apiKey })).body.data : {}
        return process?.status === 'QUEUED'
      }),
    )
    expect(going.filter(Boolean)).toHaveLength(1)
    expect(await Promise.all(uploads.map(({ id }) => storedAt(world, id)))).toEqual(going)
  })

  it('200: failed, and nothing is stored, where the file is not a video of the declared type', async () => {
    const world = await newWorld()
    const { data } = (await createUpload(world)).body
    await sendFile(data, Buffer.alloc(1_000, 7))
    expect((await getUploadOf(world, data.id)).body.data).toMatchObject({
      status: 'failed',
      videoId: null,
      error: { code: 'invalid-request', message: 'The file is not a valid video/mp4 file.', blocked: true },
    })
    expect(await storedAt(world, data.id)).toBe(false)
    // The address still works for a while: what comes to it is removed.
    expect(await sendFile(data)).toBe(200)
    await fileHasCome({ detail: { object: { key: (await getUpload(world.workspaceId, data.id)).sourceKey } } })
    expect(await storedAt(world, data.id)).toBe(false)
    expect((await getUploadOf(world, data.id)).body.data.status).toBe('failed')
  })

  it('200: a file that is sent again after its video was deleted is removed', async () => {
    const world = await newWorld()
    const { data } = (await createUpload(world)).body
    await sendFile(data)
    const { videoId } = (await getUploadOf(world, data.id)).body.data
    await callApi('DELETE', `/videos/${videoId}`, { key: world.apiKey })
    await fileHasCome({ detail: { object: { key: (await getUpload(world.workspaceId, data.id)).sourceKey } } })
    expect(await storedAt(world, data.id)).toBe(false)
    expect((await getUploadOf(world, data.id)).body.data).toMatchObject({ status: 'received', videoId })
    expect(await usedBytes(world)).toBe(0)
  })

  it('200: failed where no file arrived in time', async () => {
    const world = await newWorld()
    const ended = await uploadFrom(world, secondsAfter(now(), -openSeconds))
    const open = await uploadFrom(world, secondsAfter(now(), -openSeconds + 60))
    expect([await usedBytes(world), await waitingUploads(world)]).toEqual([2_000, 2])
    const answers = await Promise.all(Array.from({ length: 3 }, () => getUploadOf(world, ended.id)))
    for (const { body } of answers)
      expect(body.data).toMatchObject({ status: 'failed', error: { code: 'timeout', blocked: false } })
    expect((await getUploadOf(world, open.id)).body.data.status).toBe('waiting')
    expect([await usedBytes(world), await waitingUploads(world)]).toEqual([1_000, 1])
  })

  it('404: the upload of another workspace, an unknown id and a malformed id', async () => {
    const { id } = (await createUpload(await newWorld())).body.data
    const stranger = await newWorld()
    for (const one of [id, 'upl_none', 'no-id'])
      expect((await getUploadOf(stranger, one)).body.error).toMatchObject({ status: 404, code: 'not-found' })
  })
})

describe('the sweeper', () => {
  const sweep = (upload: Upload) => recoverStalled(keys.upload(upload.workspaceId, upload.id))

  it('receives a file whose notification was lost', async () => {
    const world = await newWorld()
    const { data } = (await createUpload(world)).body
    await sendFile(data)
    const upload = await getUpload(world.workspaceId, data.id)
    await sweep(upload)
    expect(await getUpload(world.workspaceId, data.id)).toMatchObject({ status: 'received', dueAt: null })
  })

  it('fails an upload whose file is overdue, and leaves others waiting', async () => {
    const world = await newWorld()
    const [ended, open] = [
      await uploadFrom(world, secondsAfter(now(), -openSeconds)),
      await uploadFrom(world, secondsAfter(now(), -60)),
    ]
    expect(await usedBytes(world)).toBe(2_000)
    await Promise.all([sweep(ended), sweep(ended)])
    await sweep(open)
    expect([await usedBytes(world), await waitingUploads(world)]).toEqual([1_000, 1])
    expect(await getUpload(world.workspaceId, ended.id)).toMatchObject({ status: 'failed', dueAt: null })
    expect(await getUpload(world.workspaceId, open.id)).toEqual(open)
  })
})

describe('the time limit of a transfer', () => {
  it.each([
    [1, 60 * 60],
    [450_000_000, 60 * 60],
    [900_000_000, 2 * 60 * 60],
    [uploadBytesMax, 6 * 60 * 60],
  ])('of %i bytes is %i seconds after the URL expires', (bytes, seconds) => {
    expect(transferSecondsOf(bytes)).toBe(seconds)
  })
})

describe('the file of an upload', () => {
  it.each([
    [{ bytes: 999 }, 'The file has 999 bytes; 1000 were declared.'],
    [{ contentType: 'video/webm' }, 'The file was sent as video/webm; video/mp4 was declared.'],
    [{ bytes: 0, start: Buffer.alloc(0) }, 'The file has 0 bytes; 1000 were declared.'],
  ])('must match its declaration: %o', async (other, message) => {
    const world = await newWorld()
    const upload = await uploadFrom(world, now())
    const file = { bytes: 1_000, contentType: 'video/mp4', start: mp4(16), ...other }
    const decision = resolveUpload(await getWorkspace(world.workspaceId), upload, file, now())
    expect(decision?.upload).toMatchObject({ status: 'failed', error: { code: 'invalid-request', message } })
    expect(decision?.changes).toHaveLength(1)
  })
})
