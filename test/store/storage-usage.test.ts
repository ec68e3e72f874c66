/**
 * Objects of a video: counted once and before they are stored, limited by the plan to the byte, deleted with the
 * video.
 */

import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { removeVideos } from '../../lib/domain/videos/removal.ts'
import { plans } from '../../lib/domain/workspaces/plan.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import {
  countObject,
  countObjects,
  findVideoUsage,
  listObjects,
  recountObject,
  releaseObjects,
} from '../../lib/store/storage-usage.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { given } from '../support/given/videos.ts'
import { newWorld, videoInputOf } from '../support/world.ts'

async function owner(planId: 'free' | 'self-hosted' = 'free') {
  const { workspaceId } = await newWorld({ planId })
  const workspace = await getWorkspace(workspaceId)
  const videoId = mintId('vid', now())
  await commit(createVideo(workspace, videoInputOf({ prompt: 'x' }), { videoId, runId: mintId('run', now()) }, now()))
  return { workspace, videoId }
}

const used = async (workspaceId: string) => (await getWorkspace(workspaceId)).storageUsedBytes

describe('a stored object', () => {
  it('is counted once, also with repeated and concurrent requests', async () => {
    const own = await owner()
    await Promise.all(Array.from({ length: 10 }, () => countObject(own, 'visuals/a.png', 1_000)))
    await countObject(own, 'visuals/b.png', 24)
    expect(await used(own.workspace.id)).toBe(1_024)
    expect(await findVideoUsage(own.workspace.id, own.videoId)).toEqual({ storedBytes: 1_024, clips: 0 })
  })

  it('is recounted with the size that it has, also by workers that recount it together', async () => {
    const own = await owner()
    const [workspaceId, videoId] = [own.workspace.id, own.videoId]
    expect(await countObject(own, 'visuals/a.png', 10)).toBe(true)
    expect(await countObject(own, 'visuals/a.png', 25)).toBe(false)
    await Promise.all([25, 25, 25].map((bytes) => recountObject(own, 'visuals/a.png', bytes)))
    await recountObject(own, 'visuals/a.png', undefined)
    await recountObject(own, 'visuals/uncounted.png', 25)
    expect([await used(workspaceId), await findVideoUsage(workspaceId, videoId)]).toEqual([
      25,
      { storedBytes: 25, clips: 0 },
    ])
    await releaseObjects(own, ['visuals/a.png'])
    expect(await used(workspaceId)).toBe(0)
  })

  it.each([
    [-1, 'counted'],
    [0, 'counted'],
    [1, 'warning-plan-storage'],
  ])('that ends %i bytes relative to the limit is %s', async (beside, expected) => {
    const own = await owner()
    const limit = plans.free.storageBytesMax!
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.workspace(own.workspace.id),
        UpdateExpression: 'SET storageUsedBytes = :used',
        ExpressionAttributeValues: { ':used': limit - 100 },
      }),
    )
    const outcome = await countObject(own, 'renders/a.mp4', 100 + beside).then(
      () => 'counted',
      ({ code }) => code,
    )
    expect(outcome).toBe(expected)
    expect(await used(own.workspace.id)).toBe(expected === 'counted' ? limit + beside : limit - 100)
  })

  it('that is deleted is refunded once, also with repeated and concurrent requests, and may be counted again', async () => {
    const own = await owner()
    await Promise.all([countObject(own, 'segments/a.mp4', 300), countObject(own, 'segments/b.mp4', 40)])
    await Promise.all(Array.from({ length: 10 }, () => releaseObjects(own, ['segments/a.mp4'])))
    await releaseObjects(own, ['segments/never-counted.mp4'])
    expect(await used(own.workspace.id)).toBe(40)
    expect(await findVideoUsage(own.workspace.id, own.videoId)).toEqual({ storedBytes: 40, clips: 0 })
    await countObject(own, 'segments/a.mp4', 5)
    expect(await used(own.workspace.id)).toBe(45)
  })

  it('is listed by its name prefix', async () => {
    const own = await owner()
    for (const name of ['segments/a.mp4', 'renders/a.mp4', 'segments/b.m4a']) await countObject(own, name, 1)
    expect(await listObjects(own.workspace.id, own.videoId, 'segments/')).toEqual(['segments/a.mp4', 'segments/b.m4a'])
    expect(await listObjects(own.workspace.id, own.videoId, 'visuals/')).toEqual([])
  })

  it('is not limited on a plan without a storage limit', async () => {
    const own = await owner('self-hosted')
    await countObject(own, 'renders/a.mp4', 10 ** 15)
    expect(await used(own.workspace.id)).toBe(10 ** 15)
  })

  it('of a deleted video is not counted: its worker is stopped, and the bytes were refunded once', async () => {
    const own = await owner()
    await countObject(own, 'visuals/a.png', 500)
    const [video, holdings] = await Promise.all([
      getVideo(own.workspace.id, own.videoId),
      findVideoUsage(own.workspace.id, own.videoId),
    ])
    const remove = () => commit(removeVideos(own.workspace.id, [{ video, holdings: holdings! }], false, now()))
    const outcomes = await Promise.allSettled([remove(), remove(), countObject(own, 'visuals/b.png', 70)])
    const counted = outcomes[2]!.status === 'fulfilled'
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await used(own.workspace.id)).toBe(counted ? 570 : 0)
    if (!counted) await expect(countObject(own, 'visuals/c.png', 1)).rejects.toMatchObject({ name: 'Superseded' })
  })
})

describe('objects that are counted together', () => {
  const numbered = (count: number, bytes: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ name: `segments/${from + index}.mp4`, bytes }))

  /** Calls of the transaction that counts. */
  function countTransactions() {
    const send = vi.spyOn(table, 'send')
    onTestFinished(() => send.mockRestore())
    return () => send.mock.calls.filter(([command]) => (command as object) instanceof TransactWriteCommand).length
  }

  it('take one transaction for up to 98', async () => {
    const own = await owner()
    const transactions = countTransactions()
    expect(await countObjects(own, numbered(98, 10))).toMatchObject({ refused: new Map() })
    expect(transactions()).toBe(1)
    expect(await used(own.workspace.id)).toBe(980)
    expect(await listObjects(own.workspace.id, own.videoId, 'segments/')).toHaveLength(98)
    await expect(countObjects(own, numbered(99, 10))).rejects.toThrow('At most 98')
  })

  it('are counted without those that a crashed worker has counted, which stay counted once', async () => {
    const own = await owner()
    await countObjects(own, numbered(3, 10))
    const transactions = countTransactions()
    expect(await countObjects(own, numbered(5, 10))).toEqual({
      counted: ['segments/3.mp4', 'segments/4.mp4'],
      refused: new Map(),
    })
    expect(transactions()).toBe(2)
    expect(await used(own.workspace.id)).toBe(50)
    expect(await countObjects(own, numbered(5, 10))).toEqual({ counted: [], refused: new Map() })
    expect(await used(own.workspace.id)).toBe(50)
  })

  it('are each counted once by forty workers that count overlapping batches at the same time', async () => {
    const own = await owner()
    const workers = Array.from({ length: 40 }, (_, worker) => countObjects(own, numbered(10, 1, worker * 5)))
    await Promise.all(workers)
    expect(await used(own.workspace.id)).toBe(205)
    expect(await findVideoUsage(own.workspace.id, own.videoId)).toEqual({ storedBytes: 205, clips: 0 })
  })

  it.each([
    [-1, ['segments/2.mp4']],
    [0, []],
    [1, []],
  ])(
    'that end %i bytes relative to their share are kept in their order as far as they fit',
    async (beside, refused) => {
      const own = await owner()
      const share = Math.floor(0.8 * plans.free.storageBytesMax!)
      await given.workspaceWith({ workspaceId: own.workspace.id }, { storageUsedBytes: share - 300 - beside })
      const outcome = (await countObjects(own, numbered(3, 100), { share: 0.8 })).refused
      expect([...outcome.keys()]).toEqual(refused)
      expect([...outcome.values()].map(({ code }) => code)).toEqual(refused.map(() => 'warning-plan-storage'))
      const kept = 3 - refused.length
      expect(await used(own.workspace.id)).toBe(share - 300 - beside + kept * 100)
      expect(await findVideoUsage(own.workspace.id, own.videoId)).toMatchObject({ storedBytes: kept * 100 })
    },
  )

  it('of which one is too large are kept without it, in two transactions', async () => {
    const own = await owner()
    const limit = plans.free.storageBytesMax!
    await given.workspaceWith({ workspaceId: own.workspace.id }, { storageUsedBytes: limit - 30 })
    const transactions = countTransactions()
    const objects = [10, 1_000, 10, 11, 10].map((bytes, index) => ({ name: `segments/${index}.mp4`, bytes }))
    const { refused } = await countObjects(own, objects)
    expect([...refused.keys()]).toEqual(['segments/1.mp4', 'segments/3.mp4'])
    expect(transactions()).toBe(2)
    expect(await used(own.workspace.id)).toBe(limit)
  })

  it.each([
    [0, []],
    [1, ['segments/0.mp4', 'segments/1.mp4', 'segments/2.mp4']],
  ])(
    'that belong together and end %i bytes relative to the storage are all counted, or none',
    async (beside, refused) => {
      const own = await owner()
      const before = plans.free.storageBytesMax! - 300 + beside
      await given.workspaceWith({ workspaceId: own.workspace.id }, { storageUsedBytes: before })
      const outcome = await countObjects(own, numbered(3, 100), { allOrNone: true })
      expect([...outcome.refused.keys()]).toEqual(refused)
      expect(outcome.counted).toHaveLength(3 - refused.length)
      expect(await used(own.workspace.id)).toBe(before + outcome.counted.length * 100)
    },
  )

  it('are all counted where the plan was changed for a larger one since the workspace was read', async () => {
    const own = await owner()
    const workspaceId = own.workspace.id
    await given.workspaceWith({ workspaceId }, { planId: 'starter', storageUsedBytes: plans.free.storageBytesMax! })
    expect((await countObjects(own, numbered(3, 10))).counted).toHaveLength(3)
  })

  it('of a deleted video are not counted', async () => {
    const own = await owner()
    const gone = countObjects({ ...own, videoId: 'vid_gone' }, numbered(3, 10))
    await expect(gone).rejects.toMatchObject({ name: 'Superseded' })
    expect(await used(own.workspace.id)).toBe(0)
  })
})
