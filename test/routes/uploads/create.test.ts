/** POST /uploads, and the presigned URL that it answers with. */
import { describe, expect, it } from 'vitest'
import { presignUpload } from '../../../lib/aws/presigned-upload.ts'
import { uploadBytesMax, waitingUploadsMax } from '../../../lib/domain/uploads/upload-lifecycle.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'
import { createUpload, declaredFile, getUploadOf, mp4, sendFile } from './upload-client.ts'

const roomLeft = (world: World, bytes: number) =>
  given.workspaceWith(world, { storageUsedBytes: plans.free.storageBytesMax! - bytes })

describe('POST /uploads', () => {
  rule('uploads.create.answer', async () => {
    const world = await newWorld()
    const { status, body } = await createUpload(world)
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
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThanOrEqual(15)
    expectMatchesOpenApi('POST', '/uploads', 201, body)
  })

  rule('uploads.create.quota', async () => {
    const world = await newWorld({ planId: 'free' })
    await roomLeft(world, declaredFile.bytes - 1)
    expect(await createUpload(world)).toMatchObject({
      status: 402,
      body: { error: { code: 'warning-plan-storage', action: 'upgrade' } },
    })
    await roomLeft(world, declaredFile.bytes)
    const { data } = (await createUpload(world)).body
    await sendFile(data)
    // As on a smaller plan: what was reserved no longer fits.
    await roomLeft(world, -1)
    expect((await getUploadOf(world, data.id)).body.data).toMatchObject({
      status: 'failed',
      videoId: null,
      error: { code: 'warning-plan-storage', blocked: true, action: 'upgrade' },
    })
  })

  it('400: names what may be uploaded', async () => {
    const { status, body } = await createUpload(await newWorld(), { contentType: 'video/x-matroska' })
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
    const answer = await createUpload(await newWorld(), { [name]: value })
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

  it('402: the declared size exceeds the storage of the plan', async () => {
    const world = await newWorld({ planId: 'free' })
    const room = 5_000
    await given.workspaceWith(world, { storageUsedBytes: plans.free.storageBytesMax! - room })
    const refused = await createUpload(world, { bytes: room + 1 })
    expect(refused.status).toBe(402)
    expect(refused.body.error).toMatchObject({ code: 'warning-plan-storage', action: 'upgrade' })
    expectMatchesOpenApi('POST', '/uploads', 402, refused.body)
    expect((await createUpload(world, { bytes: room })).status).toBe(201)
  })

  it('402: a waiting upload reserves its bytes, so that concurrent ones share what is left', async () => {
    const world = await newWorld({ planId: 'free' })
    await roomLeft(world, 2_500)
    const answers = await Promise.all(Array.from({ length: 5 }, () => createUpload(world)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 402, 402, 402])
    const { storage } = (await callApi('GET', '/', { key: world.apiKey })).body.data.limits
    expect(storage.limitBytes - storage.usedBytes).toBe(500)
    expect((await createUpload(world, { bytes: 500 })).status).toBe(201)
    const generation = await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'Tea' } })
    expect(generation.body.error).toMatchObject({ code: 'warning-plan-storage' })
  })

  it('409: more uploads wait than a workspace may have, until one has ended', async () => {
    const world = await newWorld()
    const { data } = (await createUpload(world)).body
    await given.workspaceWith(world, { uploadsWaiting: waitingUploadsMax - 1 })
    const answers = await Promise.all(Array.from({ length: 3 }, () => createUpload(world)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const { body } = answers.find(({ status }) => status === 409)!
    expect(body.error).toMatchObject({ code: 'limit-reached', message: expect.stringContaining('100 uploads') })
    expectMatchesOpenApi('POST', '/uploads', 409, body)
    await sendFile(data)
    expect((await getUploadOf(world, data.id)).body.data.status).toBe('received')
    expect((await createUpload(world)).status).toBe(201)
    expect((await createUpload(world)).status).toBe(409)
  })

  it('401: without a key', async () => {
    expect((await callApi('POST', '/uploads', { body: declaredFile })).status).toBe(401)
    expect((await callApi('GET', '/uploads/upl_none')).status).toBe(401)
  })
})

describe('the presigned URL', () => {
  it('accepts one file of the declared type and length, once', async () => {
    const { data } = (await createUpload(await newWorld())).body
    expect(await sendFile(data, mp4(1_001))).toBe(403)
    expect(await sendFile(data, mp4(999))).toBe(403)
    expect(await sendFile(data, mp4(1_000), { 'Content-Type': 'video/webm' })).toBe(403)
    expect(await sendFile({ ...data, headers: { 'Content-Type': 'video/mp4' } })).toBe(403)
    expect(await sendFile({ ...data, uploadUrl: data.uploadUrl.replace('/sources/', '/renders/') })).toBe(403)
    expect(await sendFile(data)).toBe(200)
    expect(await sendFile(data)).toBe(412)
  })

  it('accepts nothing after its expiry', async () => {
    const sourceKey = 'wsp_1/vid_1/sources/late.mp4'
    const from = (age: number) =>
      presignUpload({ ...declaredFile, sourceKey }, new Date(Date.now() - age * 1000).toISOString(), 60)
    const [late, inTime] = [await from(62), await from(50)]
    expect(await sendFile({ ...late, uploadUrl: late.url })).toBe(403)
    expect(await sendFile({ ...inTime, uploadUrl: inTime.url })).toBe(200)
  })
})
