/** Deletion of a video with its clips: exact numbers, once, despite crashes and races. */
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hasObject, putObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { removeVideos } from '../../../lib/domain/videos/removal.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../../lib/store/core/outbox.ts'
import { countObject, findVideoUsage } from '../../../lib/store/storage-usage.ts'
import { getVideo, listClipIds } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeArtefact } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { dispatchOutboxRow } from '../../../lib/use-cases/outbox/dispatch-outbox.ts'
import { removeVideo } from '../../../lib/use-cases/videos/remove-videos.ts'
import { creditLedgerOf } from '../../support/credit-ledger.ts'
import { callApi, newWorld, videoInputOf } from '../../support/world.ts'

async function world(planId: 'free' | 'scale' = 'scale') {
  const made = await newWorld({ planId })
  return { ...made, workspace: await getWorkspace(made.workspaceId) }
}

/** A video, or a clip of one, with one object of its own. */
async function make(workspace: Workspace, parentVideoId: string | null = null, bytes = 100): Promise<string> {
  const ids = { videoId: mintId('vid', now()), runId: mintId('run', now()) }
  const decision = createVideo(workspace, videoInputOf({ prompt: 'x' }), ids, now())
  const video = { ...decision.video, parentVideoId }
  await commit({ ...decision, changes: [{ record: 'video', before: undefined, after: video }] })
  const owner = { workspace, videoId: ids.videoId }
  await storeArtefact(owner, artefactKey(owner, 'visuals', 'x', 'png'), Buffer.alloc(bytes), 'image/png')
  return ids.videoId
}

const objectOf = (workspace: Workspace, videoId: string) => artefactKey({ workspace, videoId }, 'visuals', 'x', 'png')
const expectSuperseded = (error: unknown) => expect(error).toMatchObject({ name: 'Superseded' })
const used = async ({ id }: Workspace) => (await getWorkspace(id)).storageUsedBytes
const isGone = (workspace: Workspace, id: string) =>
  getVideo(workspace.id, id).then(
    () => false,
    ({ code }) => code === 'not-found',
  )

afterEach(() => void vi.useRealTimers())

describe('deleting a video', () => {
  it('deletes the whole subtree, reports its numbers, and refunds every byte and every reserved credit', async () => {
    const { workspace } = await world()
    const root = await make(workspace)
    const clips = await Promise.all(Array.from({ length: 45 }, () => make(workspace, root, 10)))
    const below = await make(workspace, clips[7]!, 7)
    const beside = await make(workspace)
    expect(await removeVideo(workspace.id, root)).toEqual({ deletedClips: 46, deletedBytes: 100 + 450 + 7 })
    const gone = await Promise.all([root, ...clips, below].map((id) => isGone(workspace, id)))
    expect(gone.every(Boolean)).toBe(true)
    expect(await isGone(workspace, beside)).toBe(false)
    expect(await used(workspace)).toBe(100)
    const ledger = Map.groupBy(await creditLedgerOf(workspace.id), ({ kind }) => kind)
    expect([ledger.get('reserve')!.length, ledger.get('release')!.length]).toEqual([48, 47])
  })

  it('reports exact numbers while the dispatcher purges it and workers store objects of its clips', async () => {
    const { workspace } = await world()
    const root = await make(workspace)
    const clips = await Promise.all(Array.from({ length: 45 }, () => make(workspace, root, 10)))
    const before = await used(workspace)
    const row = keys.outbox(workspace.id, root)
    let stored = 0
    const storeInto = async (videoId: string) => {
      for (let index = 0; index < 6; index++) {
        await countObject({ workspace, videoId }, `visuals/${index}.png`, 1)
        stored += 1
      }
    }
    const purge = async () => {
      while (!(await findOutboxRow(row))) await immediate()
      await dispatchOutboxRow(row)
    }
    const [counts] = await Promise.all([
      removeVideo(workspace.id, root),
      purge(),
      ...clips.slice(0, 6).map((id) => storeInto(id).catch(expectSuperseded)),
    ])
    expect(counts).toEqual({ deletedClips: 45, deletedBytes: before + stored })
    expect(await used(workspace)).toBe(0)
  })

  it('that is a clip keeps its source, which then has one clip less', async () => {
    const { workspace } = await world()
    const root = await make(workspace)
    const [clip] = [await make(workspace, root), await make(workspace, root)]
    await removeVideo(workspace.id, clip!)
    expect((await findVideoUsage(workspace.id, root))!.clips).toBe(1)
    expect(await removeVideo(workspace.id, root)).toMatchObject({ deletedClips: 1 })
    expect(await used(workspace)).toBe(0)
  })

  it('is completed after a crash following its first commit, and 20 minutes later for objects stored meanwhile', async () => {
    const { workspace } = await world()
    const root = await make(workspace)
    const clip = await make(workspace, root)
    const [video, holdings] = await Promise.all([getVideo(workspace.id, root), findVideoUsage(workspace.id, root)])
    // The request that began a minute ago does not delete the clips any more.
    const aMinuteAgo = secondsAfter(now(), -61)
    await commit(removeVideos(workspace.id, [{ video, holdings: holdings! }], false, aMinuteAgo))

    const row = keys.outbox(workspace.id, root)
    await dispatchOutboxRow(row)
    expect([await isGone(workspace, clip), await used(workspace)]).toEqual([true, 0])
    expect(await hasObject(objectOf(workspace, root))).toBe(false)
    // The stream delivers the row a second time while a worker is storing this very object.
    await dispatchOutboxRow(row)
    await putObject(objectOf(workspace, root), Buffer.from('late'), 'image/png')
    expect(await findOutboxRow(row)).toBeDefined()

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 })
    await dispatchOutboxRow(row)
    expect(await hasObject(objectOf(workspace, root))).toBe(false)
    expect(await findOutboxRow(row)).toBeUndefined()
    await dispatchOutboxRow(row)
    expect(await used(workspace)).toBe(0)
  })

  it('many times concurrently succeeds once, and is a 404 for the others', async () => {
    const { workspace, apiKey: key } = await world()
    const root = await make(workspace)
    await make(workspace, root)
    const answers = await Promise.all(Array.from({ length: 8 }, () => callApi('DELETE', `/videos/${root}`, { key })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)])
    expect(await used(workspace)).toBe(0)
  })

  it('while a clip of it is being made either deletes the clip too, or prevents it', async () => {
    const { workspace } = await world()
    for (let round = 0; round < 10; round++) {
      const root = await make(workspace)
      const [clip, removal] = await Promise.allSettled([make(workspace, root), removeVideo(workspace.id, root)])
      expect(removal.status).toBe('fulfilled')
      await dispatchOutboxRow(keys.outbox(workspace.id, root))
      if (clip.status === 'fulfilled') expect(await isGone(workspace, clip.value)).toBe(true)
      else expect(['LostRace', 'Superseded']).toContain(clip.reason.name)
      expect(await listClipIds(workspace.id, root)).toEqual([])
    }
    expect(await used(workspace)).toBe(0)
  })
})
