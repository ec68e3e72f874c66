/** Storing artefacts: once each, whoever makes them. */
import { expect, it } from 'vitest'
import { getObject, putObject } from '../../../lib/aws/media-bucket.ts'
import { videoKeyPrefix } from '../../../lib/domain/core/artefact.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { countStored, storeOnce } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld } from '../../support/world.ts'

const newArtefact = async () => {
  const { workspaceId } = await newWorld()
  const { id: videoId } = await given.generatedVideo({ workspaceId })
  const owner = { workspace: await getWorkspace(workspaceId), videoId }
  const before = owner.workspace.storageUsedBytes
  return {
    owner,
    key: `${videoKeyPrefix(owner)}visuals/still.png`,
    countedBytes: async () => (await getWorkspace(workspaceId)).storageUsedBytes - before,
  }
}

it('an artefact is made once; of two workers that make it together the first one stores it', async () => {
  const { owner, key, countedBytes } = await newArtefact()
  const store = (make: () => Promise<string>) =>
    storeOnce(owner, key, 'image/png', async () => Buffer.from(await make()))
  await store(async () => {
    await store(async () => 'of the faster worker')
    return 'of the slower worker'
  })
  await store(() => Promise.reject(new Error('It exists.')))
  expect(Buffer.from(await getObject(key)).toString()).toBe('of the faster worker')
  expect(await countedBytes()).toBe('of the faster worker'.length)
})

it('an artefact that was counted with another size before a crash is counted with the size that is stored', async () => {
  const { owner, key, countedBytes } = await newArtefact()
  await countStored(owner, key, 1_000)
  await storeOnce(owner, key, 'image/png', async () => Buffer.from('another take'))
  expect(await countedBytes()).toBe('another take'.length)
})

it('an artefact that was stored by a worker that died before it corrected the count is counted with its size by who finds it', async () => {
  const { owner, key, countedBytes } = await newArtefact()
  await countStored(owner, key, 1_000)
  await putObject(key, Buffer.from('another take'), 'image/png')
  expect(await storeOnce(owner, key, 'image/png', () => Promise.reject(new Error('It exists.')))).toBe(false)
  expect(await countedBytes()).toBe('another take'.length)
})
