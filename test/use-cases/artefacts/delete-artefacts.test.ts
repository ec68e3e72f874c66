/** Unneeded artefacts are deleted and their bytes refunded, even when the process that deletes them crashes midway. */
import { DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hasObject, s3 } from '../../../lib/aws/media-bucket.ts'
import { videoKeyPrefix } from '../../../lib/domain/core/artefact.ts'
import { table } from '../../../lib/store/core/client.ts'
import { listObjects, type StorageOwner } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { deleteArtefacts, deleteArtefactsExcept } from '../../../lib/use-cases/artefacts/delete-artefacts.ts'
import { storeArtefact } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld } from '../../support/world.ts'

afterEach(() => vi.restoreAllMocks())

/** A video with these objects, 10 bytes each, beside those of its generation. */
async function holding(names: string[]): Promise<StorageOwner & { keyOf: (name: string) => string }> {
  const { workspaceId } = await newWorld({ planId: 'free' })
  const { id } = await given.generatedVideo({ workspaceId })
  const owner = { workspace: await getWorkspace(workspaceId), videoId: id }
  const keyOf = (name: string) => `${videoKeyPrefix(owner)}${name}`
  for (const name of names) await storeArtefact(owner, keyOf(name), Buffer.alloc(10), 'text/plain')
  return { ...owner, keyOf }
}
const used = async ({ workspace }: StorageOwner) => (await getWorkspace(workspace.id)).storageUsedBytes
const counted = ({ workspace, videoId }: StorageOwner, kind: string) => listObjects(workspace.id, videoId, kind)

describe('deleting artefacts', () => {
  it('deletes all of their kind except the named ones', async () => {
    const owner = await holding(['segments/a.mp4', 'segments/b.mp4', 'renders/a.mp4'])
    const before = await used(owner)
    await deleteArtefactsExcept(owner, 'segments', new Set([owner.keyOf('segments/b.mp4')]))
    expect(await counted(owner, '')).toEqual(expect.arrayContaining(['renders/a.mp4', 'segments/b.mp4']))
    expect(await counted(owner, 'segments/')).toEqual(['segments/b.mp4'])
    expect(await hasObject(owner.keyOf('segments/a.mp4'))).toBe(false)
    expect(await used(owner)).toBe(before - 10)
  })

  it('never leaves deleted artefacts charged: if the deletion fails, the bytes are already refunded', async () => {
    const owner = await holding(['segments/a.mp4'])
    const before = await used(owner)
    const send = s3.send.bind(s3)
    vi.spyOn(s3, 'send').mockImplementation((command: unknown, ...rest: unknown[]) => {
      if (command instanceof DeleteObjectsCommand) throw new Error('storage is away')
      return (send as (...all: unknown[]) => unknown)(command, ...rest)
    })
    await expect(deleteArtefacts(owner, [owner.keyOf('segments/a.mp4')])).rejects.toThrow('storage is away')
    expect(await counted(owner, 'segments/')).toEqual([])
    expect(await used(owner)).toBe(before - 10)
  })

  it('deletes hundreds in a few transactions, some of which are already deleted', async () => {
    const names = Array.from({ length: 120 }, (_, at) => `segments/${at}.mp4`)
    const owner = await holding(names.slice(0, 100))
    const before = await used(owner)
    const sent = vi.spyOn(table, 'send')
    await deleteArtefacts(owner, names.map(owner.keyOf))
    const transactions = sent.mock.calls.filter(([command]) => (command as object) instanceof TransactWriteCommand)
    expect(transactions.length).toBeLessThan(5)
    expect(await counted(owner, 'segments/')).toEqual([])
    expect(await used(owner)).toBe(before - 1_000)
  })

  it('accepts artefacts that are already deleted', async () => {
    const owner = await holding([])
    await expect(deleteArtefacts(owner, [owner.keyOf('segments/never.mp4')])).resolves.toBeUndefined()
  })
})
