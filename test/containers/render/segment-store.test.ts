/** The segment store is only a cache: if it fails, a render continues without it, unless its run is over. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { segmentStore } from '../../../containers/media/render/segment-store.ts'
import { hasObject, s3 } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { table } from '../../../lib/store/core/client.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeArtefactFile } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { newRenderDirectory } from '../../render/compositions.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld } from '../../support/world.ts'

const goesOn = new AbortController().signal
const file = join(newRenderDirectory(), 'segment.mp4')
writeFileSync(file, 'A segment of a film')

let owner: StorageOwner
let store: ReturnType<typeof segmentStore>
beforeEach(async () => {
  const { workspaceId } = await newWorld({ planId: 'free' })
  const { id } = await given.generatedVideo({ workspaceId })
  owner = { workspace: await getWorkspace(workspaceId), videoId: id }
  store = segmentStore(owner)
})
afterEach(() => vi.restoreAllMocks())

const fetched = (signal = goesOn) => store.fetch('a.mp4', join(newRenderDirectory(), 'a.mp4'), signal)
const away = () => {
  throw new Error('the store is away')
}

describe('a segment', () => {
  it('is found after it was stored', async () => {
    expect(await fetched()).toBe(false)
    await store.put('a.mp4', file, goesOn)
    expect(await fetched()).toBe(true)
  })

  it('is missing if storage is unavailable, and is then not stored: the render continues', async () => {
    await store.put('a.mp4', file, goesOn)
    vi.spyOn(s3, 'send').mockImplementation(away)
    expect(await fetched()).toBe(false)
    vi.restoreAllMocks()
    vi.spyOn(table, 'send').mockImplementation(away)
    await expect(store.put('b.mp4', file, goesOn)).resolves.toBeUndefined()
  })

  it('of a deleted video ends the render', async () => {
    const gone = segmentStore({ ...owner, videoId: 'vid_gone' })
    await expect(gone.put('a.mp4', file, goesOn)).rejects.toMatchObject({ name: 'Superseded' })
  })

  it('is abandoned if the render is cancelled', async () => {
    const cancelled = AbortSignal.abort()
    await expect(store.put('a.mp4', file, cancelled)).rejects.toThrow()
    expect(await hasObject(store.keyOf('a.mp4'))).toBe(false)
    await store.put('a.mp4', file, goesOn)
    await expect(fetched(cancelled)).rejects.toThrow()
  })

  it.each([
    ['fetched', (signal: AbortSignal) => fetched(signal)],
    ['kept', (signal: AbortSignal) => store.put('a.mp4', file, signal)],
  ])('is abandoned also while it is being %s, if storage does not respond', async (_, use) => {
    const cancel = new AbortController()
    const asked = Promise.withResolvers<void>()
    vi.spyOn(s3, 'send').mockImplementation(async (_command: unknown, options?: unknown) => {
      asked.resolve()
      await once((options as { abortSignal: AbortSignal }).abortSignal, 'abort')
      throw new DOMException('Request aborted', 'AbortError')
    })
    const used = expect(use(cancel.signal)).rejects.toThrow('aborted')
    await asked.promise
    cancel.abort()
    await used
    expect(s3.send).toHaveBeenCalledOnce()
  })

  it('is stored only while a fifth of the quota is free, which leaves space for renders', async () => {
    const { storageBytesMax } = plans.free
    await given.workspaceWith({ workspaceId: owner.workspace.id }, { storageUsedBytes: 0.8 * storageBytesMax! - 10 })
    await store.put('a.mp4', file, goesOn)
    expect(await hasObject(store.keyOf('a.mp4'))).toBe(false)
    const film = artefactKey(owner, 'renders', 'a film', 'mp4')
    await storeArtefactFile(owner, film, file, 'video/mp4')
    expect(await hasObject(film)).toBe(true)
  })
})
