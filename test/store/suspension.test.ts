/** A suspension is written with every key of its workspace, or not at all. */
import { expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { hashApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { suspendWorkspace } from '../../lib/domain/workspaces/suspension.ts'
import { findApiKey, listApiKeys, revokeApiKey } from '../../lib/store/api-keys.ts'
import { WriteConflict } from '../../lib/store/core/write-conflict.ts'
import { commitSuspension } from '../../lib/store/suspension.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { newKey, newWorld } from '../support/world.ts'

it('a key that was created or revoked since the keys were read fails the write, which changes nothing', async () => {
  const { workspaceId, apiKey } = await newWorld()
  const decided = async () => suspendWorkspace(await getWorkspace(workspaceId), await listApiKeys(workspaceId), now())!
  const beforeCreation = await decided()
  const { keyId } = await newKey(workspaceId)
  await expect(commitSuspension(beforeCreation)).rejects.toBeInstanceOf(WriteConflict)
  const beforeRevocation = await decided()
  await revokeApiKey(workspaceId, keyId, now())
  await expect(commitSuspension(beforeRevocation)).rejects.toBeInstanceOf(WriteConflict)
  expect(await findApiKey(hashApiKey(apiKey))).not.toHaveProperty('suspendedAt')
  await commitSuspension(await decided())
  expect(await findApiKey(hashApiKey(apiKey))).toHaveProperty('suspendedAt')
  await expect(commitSuspension(beforeRevocation)).rejects.toBeInstanceOf(WriteConflict)
})
