import { describe, expect, it } from 'vitest'
import { changedVideos } from '../../../lib/domain/records/decision.ts'
import {
  createUpload,
  nextUploadCheckAt,
  resolveUpload,
  sourceFolder,
  transferSecondsOf,
  uploadBytesMax,
  uploadOfKey,
} from '../../../lib/domain/uploads/upload-lifecycle.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { createWorkspace, type Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import { at } from '../support/videos.ts'

const workspace = createWorkspace(
  { id: 'wsp_1', name: 'Test', planId: 'starter', organizationId: null, mediaSecret: 'secret' },
  at(0),
)
const input = {
  fileName: 'clip.mp4',
  contentType: 'video/mp4' as const,
  bytes: 1000,
  title: null,
} as unknown as Parameters<typeof createUpload>[1]
const { upload } = createUpload(workspace, input, 'upl_1', at(0))
const mp4 = Uint8Array.from([0, 0, 0, 24, ...Buffer.from('ftypisom'), ...new Uint8Array(12)])
const file = { bytes: 1000, contentType: 'video/mp4', start: mp4 }

describe('a transfer', () => {
  it.each([
    [1, 3_600],
    [450_000_000, 3_600],
    [450_000_001, 3_601],
    [2_700_000_000, 21_600],
    [uploadBytesMax, 21_600],
  ])('of %i bytes may take %i s: as at 1 Mbit/s, from one hour to six', (bytes, seconds) => {
    expect(transferSecondsOf(bytes)).toBe(seconds)
  })
})

describe('a new upload', () => {
  it('reserves its bytes, and waits for its URL and its transfer', () => {
    expect(upload).toMatchObject({
      ...{ status: 'waiting', version: 1, bytes: 1_000, reservedBytes: 1_000, videoId: 'vid_1', error: null },
      ...{ addressEndsAt: at(900), closesAt: at(900 + 3_600), dueAt: at(600) },
      sourceKey: expect.stringMatching(/^wsp_1\/vid_1\/sources\/[0-9a-f]{32}\.mp4$/),
    })
    expect(createUpload(workspace, input, 'upl_1', at(0))).toMatchObject({
      changes: [{ record: 'upload', before: undefined, after: upload }],
      storageBytesMax: plans.starter.storageBytesMax,
    })
    expect(uploadOfKey(upload.sourceKey)).toEqual({ workspaceId: 'wsp_1', uploadId: 'upl_1' })
    expect(upload.sourceKey).toContain(sourceFolder)
  })

  it('is looked at every ten minutes, and at its end', () => {
    expect(nextUploadCheckAt(upload, at(600))).toBe(at(1_200))
    expect(nextUploadCheckAt(upload, at(4_000))).toBe(at(4_500))
  })

  it('is refused where 100 wait already, or where the storage is full', () => {
    const create = (fields: Partial<Workspace>) =>
      refusalCodeOf(() => createUpload({ ...workspace, ...fields }, input, 'upl_2', at(0)))
    expect([create({ uploadsWaiting: 99 }), create({ uploadsWaiting: 100 })]).toEqual([undefined, 'limit-reached'])
    const limit = plans.starter.storageBytesMax!
    expect(create({ storageUsedBytes: limit - 1_000 })).toBeUndefined()
    expect(create({ storageUsedBytes: limit - 999 })).toBe('warning-plan-storage')
  })
})

describe('an upload', () => {
  it('becomes an uploaded video that is ingested for free', () => {
    const decision = resolveUpload(workspace, { ...upload, title: null }, file, at(60))!
    const video = changedVideos(decision)[0]!
    expect(video).toMatchObject({
      ...{ id: 'vid_1', type: 'video', title: 'clip', titleIsWorking: false },
      media: { sourceKey: upload.sourceKey, renderKey: null },
      process: { work: 'ingest', status: 'QUEUED', charge: null },
      brief: {
        prompt: null,
        text: null,
        inputMode: 'auto',
        language: 'en',
        showSubtitles: true,
        connectedBRolls: false,
      },
    })
    expect(decision.changes.at(-1)).toMatchObject({
      source: { name: expect.stringMatching(/^sources\//), bytes: 1_000 },
    })
    expect(decision).toMatchObject({
      charges: [],
      starts: [{ pipeline: 'generate', videoId: 'vid_1', runId: video.process!.runId }],
      events: [{ type: 'video.created' }],
      storageBytesMax: plans.starter.storageBytesMax,
    })
  })

  it.each([
    ['clip.final.mp4', null, 'clip.final'],
    ['.mp4', null, '.mp4'],
    [' clip .mp4', null, 'clip'],
    ['clip', null, 'clip'],
    [`${'a'.repeat(200)}b.mp4`, null, 'a'.repeat(200)],
    ['clip.mp4', 'Mine', 'Mine'],
  ])('of the file “%s” with the title %s is named “%s”', (fileName, title, expected) => {
    const decision = resolveUpload(workspace, { ...upload, fileName, title }, file, at(60))!
    expect(changedVideos(decision)[0]!.title).toBe(expected)
  })

  it('needs room for what it has not reserved', () => {
    const limit = plans.starter.storageBytesMax!
    const statusIn = (storageUsedBytes: number, reservedBytes: number | undefined) => {
      const { reservedBytes: _, ...older } = upload
      const one = reservedBytes === undefined ? older : { ...upload, reservedBytes }
      return resolveUpload({ ...workspace, storageUsedBytes }, one, file, at(60))!.upload.status
    }
    expect([statusIn(limit, 1_000), statusIn(limit + 1, 1_000)]).toEqual(['received', 'failed'])
    expect([statusIn(limit - 1_000, undefined), statusIn(limit - 999, undefined)]).toEqual(['received', 'failed'])
  })

  it('whose file is as declared becomes a video', () => {
    expect(resolveUpload(workspace, upload, file, at(60))?.upload).toMatchObject({ status: 'received', error: null })
  })

  it.each([
    ['has another size', { bytes: 999 }, 'The file has 999 bytes; 1000 were declared.'],
    ['has another type', { contentType: 'video/webm' }, 'The file was sent as video/webm; video/mp4 was declared.'],
    ['has other content', { start: new Uint8Array(24) }, 'The file is not a valid video/mp4 file.'],
  ])('whose file %s fails, at no fault of the service', (_, difference, message) => {
    const decision = resolveUpload(workspace, upload, { ...file, ...difference }, at(60))
    expect(decision?.upload).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-request', message, blocked: true },
    })
    // It is stored, and its file is deleted.
    expect(decision).toMatchObject({
      workspaceId: 'wsp_1',
      at: at(60),
      changes: [{ record: 'upload', before: upload, after: decision!.upload }],
      purges: [{ videoId: upload.videoId, clips: 0, runs: [] }],
    })
  })

  it('waits for its file until its transfer would have ended, and then fails', () => {
    expect(resolveUpload(workspace, upload, undefined, at(60))).toBeUndefined()
    expect(resolveUpload(workspace, upload, undefined, upload.closesAt)?.upload).toMatchObject({
      status: 'failed',
      error: { code: 'timeout', blocked: false },
    })
    const { upload: received } = resolveUpload(workspace, upload, file, at(60))!
    expect(resolveUpload(workspace, received, file, at(61))).toBeUndefined()
  })
})
