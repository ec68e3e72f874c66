import { describe, expect, it } from 'vitest'
import { createUpload, resolveUpload } from '../../../lib/domain/uploads/upload-lifecycle.ts'
import { createWorkspace } from '../../../lib/domain/workspaces/workspace.ts'
import { at } from '../support/videos.ts'

const workspace = createWorkspace(
  { id: 'wsp_1', name: 'Test', planId: 'starter', organizationId: null, mediaSecret: 'secret' },
  at(0),
)
const input = {
  fileName: 'clip.mp4',
  contentType: 'video/mp4' as const,
  bytes: 1000,
} as unknown as Parameters<typeof createUpload>[1]
const { upload } = createUpload(workspace, input, 'upl_1', at(0))
const mp4 = Uint8Array.from([0, 0, 0, 24, ...Buffer.from('ftypisom'), ...new Uint8Array(12)])
const file = { bytes: 1000, contentType: 'video/mp4', start: mp4 }

describe('an upload', () => {
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
