// What a fresh local run begins with: a workspace, a key, and the preview clips of the voices. Made once per data directory.

import { randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hasObject, uploadFile } from '../lib/aws/media.ts'
import { now } from '../lib/clock.ts'
import { hashKey, mintKey } from '../lib/domain/api-key.ts'
import { mintId } from '../lib/domain/id.ts'
import { createWorkspace } from '../lib/domain/workspace.ts'
import { createApiKey, findApiKey } from '../lib/store/api-keys.ts'
import { findWorkspace, putWorkspace } from '../lib/store/workspaces.ts'

export interface Seed {
  workspaceId: string
  apiKey: string
}

/** The workspace and key of this data directory; a run that died between two writes is finished by the next one. */
export async function seed(directory: string): Promise<Seed> {
  const seeded = readSeed(join(directory, 'seed.json'))
  const { workspaceId, apiKey } = seeded
  if (!(await findWorkspace(workspaceId))) {
    const mediaSecret = randomBytes(16).toString('hex')
    const local = { id: workspaceId, name: 'Local', planId: 'self-hosted' as const, organizationId: null, mediaSecret }
    await putWorkspace(createWorkspace(local, now()))
  }
  const hash = hashKey(apiKey)
  if (!(await findApiKey(hash))) {
    const key = { workspaceId, name: 'Local', hash, lastFour: apiKey.slice(-4), revokedAt: null }
    await createApiKey({ id: mintId('key', now()), createdAt: now(), ...key })
  }
  await Promise.all(previews().map(uploadPreview))
  return seeded
}

/** Only here is a key kept in clear: on the developer's own disk, readable by the developer alone. */
function readSeed(file: string): Seed {
  if (!existsSync(file)) {
    const fresh: Seed = { workspaceId: mintId('wsp', now()), apiKey: mintKey() }
    // Renamed into place: a kill in between must not leave half a file.
    writeFileSync(`${file}.new`, JSON.stringify(fresh), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

const assets = join(import.meta.dirname, '../assets')
const previews = () => globSync('voices/*.m4a', { cwd: assets })

async function uploadPreview(file: string): Promise<void> {
  const key = `voices/${basename(file)}`
  if (!(await hasObject(key))) await uploadFile(key, join(assets, file), 'audio/mp4')
}
