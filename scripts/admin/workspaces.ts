/** The registry of admin commands, and the commands for workspaces, credits, keys and events. */
import { randomBytes } from 'node:crypto'
import { now } from '../../lib/clock.ts'
import type { CreditUnit } from '../../lib/domain/core/credits.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import { type ApiKey, hashApiKey, mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { type PlanId, planIds } from '../../lib/domain/workspaces/plan.ts'
import { changePlan, createWorkspace, grantCredits, type Workspace } from '../../lib/domain/workspaces/workspace.ts'
import { createApiKey, findApiKey, listApiKeys, revokeApiKey } from '../../lib/store/api-keys.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { listEvents } from '../../lib/store/core/outbox.ts'
import { getWorkspace, listWorkspaces, putWorkspace, replacePlan } from '../../lib/store/workspaces.ts'
import { automationCommands } from './automations.ts'
import { type Command, type Flags, readSecret, requireFlag } from './command.ts'
import { profileCommands } from './profiles.ts'
import { restoreCommands } from './restore.ts'

export const commands: Record<string, Command> = {
  'workspace create': {
    usage: '--name NAME --plan PLAN [--organization WORKSPACE] [--test]',
    run: async (flags) => {
      const organizationId = flags.organization ?? null
      if (organizationId) await getWorkspace(organizationId)
      const workspace = createWorkspace(
        {
          id: mintId('wsp', now()),
          name: requireFlag(flags, 'name'),
          planId: planOf(flags),
          organizationId,
          mediaSecret: randomBytes(16).toString('hex'),
          isTest: flags.test === true,
        },
        now(),
      )
      await putWorkspace(workspace)
      return redactWorkspace(workspace)
    },
  },
  'workspace list': { usage: '', run: async () => (await listWorkspaces()).map(redactWorkspace) },
  'workspace show': {
    usage: '--workspace WORKSPACE',
    run: async (flags) => redactWorkspace(await getWorkspace(requireFlag(flags, 'workspace'))),
  },
  'workspace set-plan': {
    usage: '--workspace WORKSPACE --plan PLAN',
    run: async (flags) => {
      const before = await getWorkspace(requireFlag(flags, 'workspace'))
      const after = changePlan(before, planOf(flags))
      await replacePlan(before, after)
      return redactWorkspace(after)
    },
  },
  'credits grant': {
    usage: '--workspace WORKSPACE --credits N [--unit video|avatar]',
    run: async (flags) => {
      const grant = { credits: creditsIn(flags), unit: unitOf(flags) }
      const workspace = await getWorkspace(requireFlag(flags, 'workspace'))
      await commit(grantCredits(workspace, grant, mintId('run', now()), now()))
      return redactWorkspace(await getWorkspace(workspace.id))
    },
  },
  'key create': {
    usage: '--workspace WORKSPACE [--name NAME]',
    run: async (flags) => {
      const secret = mintApiKey()
      const key: ApiKey = {
        id: mintId('key', now()),
        workspaceId: requireFlag(flags, 'workspace'),
        name: flags.name ?? 'key',
        hash: hashApiKey(secret),
        lastFour: secret.slice(-4),
        createdAt: now(),
        revokedAt: null,
      }
      await createApiKey(key)
      // Shown only here: the table stores a hash.
      return { ...redactKey(key), key: secret }
    },
  },
  'key list': {
    usage: '--workspace WORKSPACE',
    run: async (flags) => (await listApiKeys(requireFlag(flags, 'workspace'))).map(redactKey),
  },
  'key find': {
    usage: '(reads the key from standard input)',
    run: async () => {
      const found = await findApiKey(hashApiKey(await readSecret('key')))
      if (!found) throw new Error('No workspace of this deployment has this key.')
      return redactKey(found)
    },
  },
  'key revoke': {
    usage: '--workspace WORKSPACE --key KEY_ID',
    run: async (flags) =>
      redactKey(await revokeApiKey(requireFlag(flags, 'workspace'), requireFlag(flags, 'key'), now())),
  },
  'event list': {
    usage: '--workspace WORKSPACE',
    run: (flags) => listEvents(requireFlag(flags, 'workspace')),
  },
  ...profileCommands,
  ...restoreCommands,
  ...automationCommands,
}

function creditsIn(flags: Flags): number {
  const credits = Number(requireFlag(flags, 'credits'))
  if (!Number.isSafeInteger(credits) || credits < 1) throw new Error('--credits must be a whole number above 0.')
  return credits
}

function unitOf({ unit = 'video' }: Flags): CreditUnit {
  if (unit !== 'video' && unit !== 'avatar') throw new Error('--unit must be video or avatar.')
  return unit
}

function planOf(flags: Flags): PlanId {
  const plan = planIds.find((id) => id === requireFlag(flags, 'plan'))
  if (!plan) throw new Error(`--plan must be one of ${planIds.join(', ')}.`)
  return plan
}

const redactKey = ({ hash: _hash, ...key }: ApiKey) => key
const redactWorkspace = ({ mediaSecret: _secret, ...workspace }: Workspace) => workspace
