// Seeds a data directory: a workspace, an API key, a profile with sandbox accounts, and the voice previews. It is idempotent: each start
// creates what is missing, after a kill or in a directory of an earlier version.

import { randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hasObject, uploadFile } from '../lib/aws/media-bucket.ts'
import { now } from '../lib/clock.ts'
import { createProfile, firstProfileId } from '../lib/domain/accounts/create-profile.ts'
import { mintId } from '../lib/domain/core/mint-id.ts'
import { platforms } from '../lib/domain/core/platform.ts'
import { hashApiKey, mintApiKey } from '../lib/domain/workspaces/api-key.ts'
import { createWorkspace, type Workspace } from '../lib/domain/workspaces/workspace.ts'
import { createApiKey, findApiKey, setApiKeyScope } from '../lib/store/api-keys.ts'
import { commit } from '../lib/store/core/commit.ts'
import { findDefaultProfile } from '../lib/store/profiles.ts'
import { findWorkspace, getWorkspace, putWorkspace } from '../lib/store/workspaces.ts'
import { connectSandboxAccount } from './connect-sandbox-account.ts'

export interface Seed {
  workspaceId: string
  apiKey: string
  profileId: string
}

const name = 'Local'

/** The workspace, key and profile of this data directory. */
export async function seed(directory: string): Promise<Seed> {
  const { workspaceId, apiKey } = readIdentity(join(directory, 'seed.json'))
  const workspace = await ensureWorkspace(workspaceId)
  const [profileId] = await Promise.all([
    ensureProfile(workspace),
    ensureApiKey(workspaceId, apiKey),
    ...previews().map(ensurePreview),
  ])
  return { workspaceId, apiKey, profileId }
}

type Identity = Pick<Seed, 'workspaceId' | 'apiKey'>

/** The only place where a key is stored in clear text: on the developer's disk, with mode 0600. */
function readIdentity(file: string): Identity {
  if (!existsSync(file)) {
    const fresh: Identity = { workspaceId: mintId('wsp', now()), apiKey: mintApiKey() }
    // Renamed into place, so that a kill never leaves half a file.
    writeFileSync(`${file}.new`, JSON.stringify(fresh), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function ensureWorkspace(id: string): Promise<Workspace> {
  const mediaSecret = randomBytes(16).toString('hex')
  const fresh = createWorkspace({ id, name, planId: 'self-hosted', organizationId: null, mediaSecret }, now())
  if (!(await findWorkspace(id))) await putWorkspace(fresh)
  return getWorkspace(id)
}

async function ensureApiKey(workspaceId: string, apiKey: string): Promise<void> {
  const hash = hashApiKey(apiKey)
  const found = await findApiKey(hash)
  // The console manages keys with it. Earlier releases created it without a scope.
  if (found) return found.scope === 'admin' ? undefined : setApiKeyScope(found, 'admin')
  const scope = 'admin' as const
  const key = { workspaceId, name, scope, hash, lastFour: apiKey.slice(-4), revokedAt: null }
  await createApiKey({ id: mintId('key', now()), createdAt: now(), ...key })
}

/** Connects only missing platforms, so that changes by the developer stay. */
async function ensureProfile(workspace: Workspace): Promise<string> {
  const found = await findDefaultProfile(workspace.id)
  const profileId = found?.profile.id ?? firstProfileId(workspace)
  if (!found) await commit(createProfile({ id: profileId, workspaceId: workspace.id, name }, [], now()))
  const missing = platforms.filter(({ id }) => !found?.accounts.some(({ platform }) => platform === id))
  await Promise.all(missing.map(({ id }) => connectSandboxAccount(workspace.id, profileId, id)))
  return profileId
}

const assets = join(import.meta.dirname, '../assets')
const previews = () => globSync('voices/*.m4a', { cwd: assets })

async function ensurePreview(file: string): Promise<void> {
  const key = `voices/${basename(file)}`
  if (!(await hasObject(key))) await uploadFile(key, join(assets, file), 'audio/mp4')
}
