/** Stored vendor orders of a video: each is placed once, counted, and deleted with its artefact. */
import { describe, expect, it, vi } from 'vitest'
import { putObjectIfAbsent } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { videoKeyPrefix } from '../../../lib/domain/core/artefact.ts'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { log } from '../../../lib/log.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { findVideoUsage, listObjects } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeFirstJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { orderLogFor } from '../../../lib/use-cases/generation/order-log.ts'
import { removeVideo } from '../../../lib/use-cases/videos/remove-videos.ts'
import { newWorld, videoInputOf } from '../../support/world.ts'

async function world() {
  const { workspaceId } = await newWorld()
  const workspace = await getWorkspace(workspaceId)
  const videoId = mintId('vid', now())
  await commit(createVideo(workspace, videoInputOf({ prompt: 'x' }), { videoId, runId: mintId('run', now()) }, now()))
  const owner = { workspace, videoId }
  return { owner, orders: orderLogFor(owner), key: `${videoKeyPrefix(owner)}visuals/0123456789abcdef.mp4` }
}

describe('a vendor order', () => {
  it("is unknown, then intended under a token, then placed under the vendor's id", async () => {
    const { orders, key } = await world()
    expect(await orders.find(key)).toBeUndefined()
    const intent = await orders.recordIntent(key)
    expect(intent).toEqual({ token: expect.stringMatching(/^[0-9a-f]{32}$/), at: expect.any(Number) })
    expect(await orders.find(key)).toEqual(intent)
    const placed = await orders.recordPlaced(key, 'req-1')
    expect(placed).toEqual({ remoteId: 'req-1', at: expect.any(Number) })
    expect(await orders.find(key)).toEqual(placed)
  })

  it('is intended by the first caller only, and is separate for another artefact', async () => {
    const { orders, key } = await world()
    const intent = await orders.recordIntent(key)
    expect(await orders.recordIntent(key)).toBeUndefined()
    expect(await orders.find(key)).toEqual(intent)
    expect((await orders.recordIntent(`${key}/2`))?.token).not.toBe(intent?.token)
  })

  it('that is withdrawn is deleted, refunds its bytes, and has another token the next time', async () => {
    const { owner, orders, key } = await world()
    const intent = await orders.recordIntent(key)
    await orders.recordPlaced(key, 'req-1')
    const { workspace, videoId } = owner
    expect(await listObjects(workspace.id, videoId, 'orders/')).toHaveLength(2)
    await orders.withdraw(key, { remoteId: 'req-1' })
    await orders.withdraw(key, { remoteId: 'req-1' })
    expect(await orders.find(key)).toBeUndefined()
    expect(await findVideoUsage(workspace.id, videoId)).toMatchObject({ storedBytes: 0 })
    expect((await orders.recordIntent(key))?.token).not.toBe(intent?.token)
  })

  it('is deleted only by a caller that has its current version: a newer one stays', async () => {
    const { orders, key } = await world()
    const intent = (await orders.recordIntent(key))!
    await orders.withdraw(key, { ...intent, token: 'of another one' })
    expect(await orders.find(key)).toEqual(intent)
    await orders.recordPlaced(key, 'req-2')
    await orders.withdraw(key, { remoteId: 'req-1' })
    await orders.withdraw(key, intent)
    expect(await orders.find(key)).toMatchObject({ remoteId: 'req-2' })
  })

  it("is recognised as the caller's own when storage's response was lost and the SDK's retry found the object", async () => {
    const { owner, key } = await world()
    const stored = orderLogFor(owner, { putNew: async (...asked) => (await putObjectIfAbsent(...asked)) && false })
    const intent = await stored.recordIntent(key)
    expect(intent).toEqual(await stored.find(key))
    expect(await stored.recordIntent(key)).toBeUndefined()
  })

  it('stays as the first of two workers has recorded it, who both placed it under its token', async () => {
    const { owner, orders, key } = await world()
    await orders.recordIntent(key)
    const first = await orders.recordPlaced(key, 'req-1')
    const { storedBytes } = (await findVideoUsage(owner.workspace.id, owner.videoId))!
    expect(await orders.recordPlaced(key, 'request-of-another-length')).toEqual(first)
    expect(await orders.find(key)).toEqual(first)
    expect(await findVideoUsage(owner.workspace.id, owner.videoId)).toMatchObject({ storedBytes })
  })

  it('is recorded with retries once it is placed', async () => {
    const { owner, key } = await world()
    const pauses: number[] = []
    const put: typeof storeFirstJson = (...asked) =>
      pauses.length < 2 ? Promise.reject(new Error('Storage is away.')) : storeFirstJson(...asked)
    const orders = orderLogFor(owner, { put, wait: async (ms) => pauses.push(ms) })
    await orders.recordIntent(key)
    await orders.recordPlaced(key, 'req-1')
    expect(await orders.find(key)).toMatchObject({ remoteId: 'req-1' })
    const away = orderLogFor(owner, { put: () => Promise.reject(new Error('Storage is away.')), wait: async () => {} })
    await expect(away.recordPlaced(key, 'req-1')).rejects.toThrow('Storage is away.')
  })

  it('of a video that was deleted meanwhile is given up at once: the log names it, and has no error', async () => {
    const { owner, key } = await world()
    const orders = orderLogFor(owner, { wait: () => Promise.reject(new Error('It was tried again.')) })
    await orders.recordIntent(key)
    await removeVideo(owner.workspace.id, owner.videoId)
    const [error, info] = [vi.spyOn(log, 'error'), vi.spyOn(log, 'info')]
    await expect(orders.recordPlaced(key, 'req-1')).rejects.toThrow(Superseded)
    expect(error).not.toHaveBeenCalled()
    expect(info).toHaveBeenCalledWith('order.unused', expect.objectContaining({ remoteId: 'req-1' }))
  })

  it('has a key that cannot be guessed from the artefact', async () => {
    const { owner, orders, key } = await world()
    await orders.recordIntent(key)
    const [name] = await listObjects(owner.workspace.id, owner.videoId, 'orders/')
    expect(name).toMatch(/^orders\/[0-9a-f]{32}\.json$/)
    expect(name).not.toContain('0123456789abcdef')
  })
})
