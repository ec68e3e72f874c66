/** The operator's commands for API keys. */
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { type ApiKey, type ApiKeyScope, apiKeyScopes } from '../../lib/domain/records/api-key.ts'
import { hashApiKey, mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { createApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../lib/store/api-keys.ts'
import { type Command, readSecret, requireFlag } from './command.ts'

export const keyCommands: Record<string, Command> = {
  'key create': {
    usage: '--workspace WORKSPACE [--name NAME] [--scope standard|admin]',
    summary: 'Creates an API key and prints it; it is shown only here.',
    run: async (flags) => {
      const secret = mintApiKey()
      const key: ApiKey = {
        id: mintId('key', now()),
        workspaceId: requireFlag(flags, 'workspace'),
        name: flags.name ?? 'key',
        scope: scopeFrom(flags.scope),
        hash: hashApiKey(secret),
        lastFour: secret.slice(-4),
        createdAt: now(),
        revokedAt: null,
      }
      await createApiKey(key)
      // Shown only here: the table stores a hash.
      return { ...keyRow(key), key: secret }
    },
  },
  'key list': {
    usage: '--workspace WORKSPACE',
    summary: 'Lists the API keys of a workspace, newest first, revoked ones included.',
    empty: 'No keys.',
    run: async (flags) => (await listApiKeys(requireFlag(flags, 'workspace'))).map(keyRow),
  },
  'key find': {
    usage: '(reads the key from standard input: paste it, Enter, Ctrl-D)',
    summary: 'Finds the workspace of a key.',
    run: async () => {
      const found = await findApiKey(hashApiKey(await readSecret('key')))
      if (!found) throw new Error('No workspace of this deployment has this key.')
      return keyRow(found)
    },
  },
  'key revoke': {
    usage: '--workspace WORKSPACE --key KEY_ID',
    summary: 'Revokes a key; the next request with it is refused.',
    run: async (flags) => keyRow(await revokeApiKey(requireFlag(flags, 'workspace'), requireFlag(flags, 'key'), now())),
  },
}

/** Default: `standard`, which cannot manage keys. */
function scopeFrom(text = 'standard'): ApiKeyScope {
  const scope = apiKeyScopes.find((name) => name === text)
  if (!scope) throw new Error(`--scope must be one of ${apiKeyScopes.join(', ')}, not ${JSON.stringify(text)}.`)
  return scope
}

/** In a fixed order; without the hash. */
const keyRow = ({ id, workspaceId, name, scope = 'standard', lastFour, createdAt, revokedAt }: ApiKey) => ({
  id,
  workspaceId,
  name,
  scope,
  lastFour,
  createdAt,
  revokedAt,
})
