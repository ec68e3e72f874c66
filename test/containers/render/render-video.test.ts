/**
 * The work around a render: its file is stored and committed, and unused objects are deleted. Rendering itself is not
 * tested here.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderVideo } from '../../../containers/media/render/render-video.ts'
import { segmentStore } from '../../../containers/media/render/segment-store.ts'
import { hasObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey, videoKeyPrefix } from '../../../lib/domain/core/artefact.ts'
import { timeoutError } from '../../../lib/domain/core/failures.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { beginRender, failJob, requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { listObjects, type StorageOwner } from '../../../lib/store/storage-usage.ts'
import { claimAttempt, getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import * as dropping from '../../../lib/use-cases/artefacts/delete-artefacts.ts'
import { storeArtefact, storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { composition, newRenderDirectory } from '../../render/compositions.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld } from '../../support/world.ts'

vi.mock(import('../../../lib/use-cases/artefacts/delete-artefacts.ts'), { spy: true })
vi.mock(import('../../../containers/media/render/render-quality.ts'), () => ({
  measureRenderQuality: async () => ({ passed: true, checks: [] }),
}))
vi.mock(import('../../../containers/media/render/render-composition.ts'), async (original) => ({
  ...(await original()),
  renderComposition: async ({ directory }) => {
    const [videoPath, thumbnailPath] = [join(directory, 'film.mp4'), join(directory, 'thumbnail.jpg')]
    writeFileSync(videoPath, filmText)
    writeFileSync(thumbnailPath, 'A picture')
    const reuse = { segments: 1, reused: 0, secondsRendered: 1 }
    return { videoPath, thumbnailPath, bytes: filmText.length, sha256: '', durationMs: 1, frames: 1, reuse, parts: [] }
  },
}))
const filmText = 'A film of a few bytes'

let owner: StorageOwner
beforeEach(async () => {
  const { workspaceId } = await newWorld({ planId: 'free' })
  const { id } = await given.generatedVideo({ workspaceId })
  owner = { workspace: await getWorkspace(workspaceId), videoId: id }
})
afterEach(() => vi.resetAllMocks())

/** Starts a render of a video that differs from all others by `length`, and claims it as its task does. */
async function begun(length: number) {
  const { videoId } = owner
  const workspace = await getWorkspace(owner.workspace.id)
  const run = { workspaceId: workspace.id, videoId, runId: mintId('run', now()) }
  const manifest = composition({ durationMs: length })
  const manifestKey = artefactKey(owner, 'manifests', manifest, 'json')
  await storeJson(owner, manifestKey, manifest)
  await changeVideo(run, (video) => requestRender(workspace, video, run.runId, now()))
  await changeVideo(run, (video) => beginRender(video, run.runId, manifestKey, now()))
  const video = await claimAttempt(run.workspaceId, videoId, 'render', run.runId)
  return { run, video, rest: [], directory: newRenderDirectory(), signal: new AbortController().signal }
}
const filmNow = async () => (await getVideo(owner.workspace.id, owner.videoId)).media.renderKey!
const held = (kind: string) => listObjects(owner.workspace.id, owner.videoId, `${kind}/`)
const used = async () => (await getWorkspace(owner.workspace.id)).storageUsedBytes

async function keepSegment(name: string): Promise<string> {
  const key = segmentStore(owner).keyOf(name)
  await storeArtefact(owner, key, Buffer.from('A segment'), 'video/mp4')
  return key
}

describe('a render', () => {
  it('is deleted with its unused segments when the second render after it exists', async () => {
    const films: string[] = []
    for (const length of [1_000, 2_000, 3_000]) {
      await keepSegment(`${length}.mp4`)
      await renderVideo(await begun(length))
      films.push(await filmNow())
    }
    const [first, ...others] = films
    expect(await hasObject(first!)).toBe(false)
    const stems = (await held('renders')).map((name) => name.replace(/\.\w+$/, ''))
    expect(new Set(stems)).toEqual(
      new Set(others.map((key) => key.slice(videoKeyPrefix(owner).length).replace('.mp4', ''))),
    )
    expect(stems).toHaveLength(6)
    expect(await held('segments')).toEqual([])
  })

  it('of a video that was changed back after its render was deleted is made again', async () => {
    for (const length of [1_000, 2_000, 3_000, 1_000]) await renderVideo(await begun(length))
    expect(await hasObject(await filmNow())).toBe(true)
  })

  it('succeeds also if nothing can be deleted', async () => {
    vi.mocked(dropping.deleteArtefactsExcept).mockRejectedValue(new Error('storage is away'))
    await renderVideo(await begun(1_000))
    expect((await getVideo(owner.workspace.id, owner.videoId)).render).toMatchObject({ status: 'COMPLETED' })
  })

  it('whose run is over removes nothing and completes nothing, also if another run is in progress', async () => {
    const overtaken = await begun(1_000)
    const error = timeoutError
    await changeVideo(overtaken.run, (video) => failJob(video, 'render', overtaken.run.runId, error, now()))
    await begun(2_000)
    const segment = await keepSegment('of-the-newer.mp4')
    await expect(renderVideo(overtaken)).rejects.toMatchObject({ name: 'Superseded' })
    expect(await hasObject(segment)).toBe(true)
    const { render, media } = await getVideo(owner.workspace.id, owner.videoId)
    expect(render!.status).toBe('PROCESSING')
    expect(media.renderKey).toBeNull()
  })

  it('that was taken over by another task of its run removes nothing', async () => {
    const overtaken = await begun(1_000)
    await claimAttempt(owner.workspace.id, owner.videoId, 'render', overtaken.run.runId)
    const segment = await keepSegment('of-the-newer.mp4')
    await expect(renderVideo(overtaken)).rejects.toMatchObject({ name: 'Superseded' })
    expect(await hasObject(segment)).toBe(true)
  })

  it('takes the space of segments and of older renders if there is no other', async () => {
    for (const length of [1_000, 2_000]) await renderVideo(await begun(length))
    const task = await begun(3_000)
    await keepSegment('large.mp4')
    await given.workspaceWith(task.run, { storageUsedBytes: plans.free.storageBytesMax! })
    await renderVideo(task)
    expect(await held('segments')).toEqual([])
    expect(await hasObject(await filmNow())).toBe(true)
  })

  it('that has space for its mp4 but not for all other artefacts leaves nothing behind', async () => {
    const task = await begun(1_000)
    const storageUsedBytes = plans.free.storageBytesMax! - filmText.length - 20
    await given.workspaceWith(task.run, { storageUsedBytes })
    await expect(renderVideo(task)).rejects.toMatchObject({ code: 'warning-plan-storage' })
    expect(await held('renders')).toEqual([])
    expect(await used()).toBe(storageUsedBytes)
  })
})
