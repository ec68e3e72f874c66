/** The orders of a video with vendors, in storage: each taken once, counted, and gone with what they were for. */
import { describe, expect, it } from 'vitest'
import { ordersOf } from '../../lib/actions/keep-order.ts'
import { now } from '../../lib/clock.ts'
import { prefixOf } from '../../lib/domain/artefact.ts'
import { mintId } from '../../lib/domain/id.ts'
import { createVideo } from '../../lib/domain/video.ts'
import { commit } from '../../lib/store/commit.ts'
import { findHoldings, listObjects } from '../../lib/store/objects.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { newWorld, wishOf } from '../support/world.ts'

async function world() {
  const { workspaceId } = await newWorld()
  const workspace = await getWorkspace(workspaceId)
  const videoId = mintId('vid', now())
  await commit(createVideo(workspace, wishOf({ prompt: 'x' }), { videoId, runId: mintId('run', now()) }, now()))
  const owner = { workspace, videoId }
  return { owner, orders: ordersOf(owner), key: `${prefixOf(owner)}visuals/0123456789abcdef.mp4` }
}

describe('an order', () => {
  it('is unknown, then intended under a token, then placed under the id of the vendor', async () => {
    const { orders, key } = await world()
    expect(await orders.find(key)).toBeUndefined()
    const token = await orders.intend(key)
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    expect(await orders.find(key)).toEqual({ token })
    await orders.confirm(key, 'req-1')
    expect(await orders.find(key)).toEqual({ remoteId: 'req-1' })
  })

  it('is intended by the first one alone, and is another one for another artefact', async () => {
    const { orders, key } = await world()
    const token = await orders.intend(key)
    expect(await orders.intend(key)).toBeUndefined()
    expect(await orders.find(key)).toEqual({ token })
    expect(await orders.intend(`${key}/2`)).not.toBe(token)
  })

  it('that is withdrawn is forgotten, gives its bytes back, and has another token the next time', async () => {
    const { owner, orders, key } = await world()
    const token = await orders.intend(key)
    await orders.confirm(key, 'req-1')
    const { workspace, videoId } = owner
    expect(await listObjects(workspace.id, videoId, 'orders/')).toHaveLength(2)
    await orders.withdraw(key)
    await orders.withdraw(key)
    expect(await orders.find(key)).toBeUndefined()
    expect(await findHoldings(workspace.id, videoId)).toMatchObject({ storedBytes: 0 })
    expect(await orders.intend(key)).not.toBe(token)
  })

  it('has a place that nobody can guess from the artefact', async () => {
    const { owner, orders, key } = await world()
    await orders.intend(key)
    const [name] = await listObjects(owner.workspace.id, owner.videoId, 'orders/')
    expect(name).toMatch(/^orders\/[0-9a-f]{32}\.json$/)
    expect(name).not.toContain('0123456789abcdef')
  })
})
