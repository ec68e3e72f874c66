/** The operator's commands for workspaces, their credits and events. */
import { randomBytes } from 'node:crypto'
import { now } from '../../lib/clock.ts'
import type { CreditUnit } from '../../lib/domain/core/credits.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { type PlanId, planIds } from '../../lib/domain/workspaces/plan.ts'
import type { RequestClass, RequestLimits } from '../../lib/domain/workspaces/request-limits.ts'
import { workspaceState } from '../../lib/domain/workspaces/suspension.ts'
import { changePlan, createWorkspace, grantCredits, type Workspace } from '../../lib/domain/workspaces/workspace.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { listEvents } from '../../lib/store/event-journal.ts'
import {
  getWorkspace,
  listWorkspaces,
  putWorkspace,
  replacePlan,
  setRequestLimits,
} from '../../lib/store/workspaces.ts'
import { deleteWorkspaceData } from '../../lib/use-cases/workspaces/delete-workspace.ts'
import { resume, suspend } from '../../lib/use-cases/workspaces/suspend-workspace.ts'
import { type Command, type Flags, requireFlag } from './command.ts'

export const workspaceCommands: Record<string, Command> = {
  'workspace create': {
    usage: '--name NAME --plan PLAN [--organization WORKSPACE] [--test]',
    summary: 'Creates a workspace; --test gives it a clock that can be moved.',
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
      return workspaceRow(workspace)
    },
  },
  'workspace list': {
    usage: '',
    summary: 'Lists all workspaces, newest first.',
    empty: 'No workspaces.',
    run: async () =>
      (await listWorkspaces()).map((workspace) => {
        const { id, name, planId, organizationId, createdAt, creditsBalance, storageUsedBytes } = workspace
        return {
          id,
          name,
          state: workspaceState(workspace),
          planId,
          organizationId,
          createdAt,
          creditsBalance,
          storageUsedBytes,
        }
      }),
  },
  'workspace show': {
    usage: '--workspace WORKSPACE',
    summary: 'Shows a workspace with its plan, credits and counters.',
    run: async (flags) => workspaceRow(await getWorkspace(requireFlag(flags, 'workspace'))),
  },
  'workspace set-plan': {
    usage: '--workspace WORKSPACE --plan PLAN',
    summary: 'Moves a workspace to another plan; the balance changes by the difference of their monthly credits.',
    run: async (flags) => {
      const before = await getWorkspace(requireFlag(flags, 'workspace'))
      const after = changePlan(before, planOf(flags))
      await replacePlan(before, after)
      return workspaceRow(after)
    },
  },
  'workspace limit': {
    usage: '--workspace WORKSPACE (--reads N --writes N --paid N | --default)',
    summary: 'Sets the requests a minute of a workspace in place of those of its plan, within a minute.',
    run: async (flags) => {
      const { id } = await getWorkspace(requireFlag(flags, 'workspace'))
      await setRequestLimits(id, flags.default ? undefined : limitsOf(flags))
      return workspaceRow(await getWorkspace(id))
    },
  },
  'workspace suspend': {
    usage: '--workspace WORKSPACE',
    summary: 'Refuses all keys, disables webhooks, pauses automations and ends jobs, until it is resumed.',
    run: async (flags) => {
      const changed = await suspend(requireFlag(flags, 'workspace'))
      return { ...workspaceRow(await getWorkspace(flags.workspace!)), changed }
    },
  },
  'workspace resume': {
    usage: '--workspace WORKSPACE',
    summary: 'Ends a suspension; keys, webhooks and automations are as before, ended jobs stay ended.',
    run: async (flags) => {
      const changed = await resume(requireFlag(flags, 'workspace'))
      return { ...workspaceRow(await getWorkspace(flags.workspace!)), changed }
    },
  },
  'workspace delete': {
    usage: '--workspace WORKSPACE --confirm NAME',
    summary: 'Deletes a workspace and all that it owns but its ledger; run it again when it says so.',
    run: async (flags) => {
      const result = await deleteWorkspaceData(requireFlag(flags, 'workspace'), requireFlag(flags, 'confirm'))
      const { id, name, state } = workspaceRow(await getWorkspace(flags.workspace!))
      return { id, name, state, ...result }
    },
  },
  'credits grant': {
    usage: '--workspace WORKSPACE --credits N [--unit video|avatar]',
    summary: 'Adds credits to a balance; they remain after the month.',
    run: async (flags) => {
      const grant = { credits: creditsIn(flags), unit: unitOf(flags) }
      const workspace = await getWorkspace(requireFlag(flags, 'workspace'))
      await commit(grantCredits(workspace, grant, mintId('run', now()), now()))
      return workspaceRow(await getWorkspace(workspace.id))
    },
  },
  'event list': {
    usage: '--workspace WORKSPACE',
    summary: 'Lists the events of the last eight days, oldest first.',
    empty: 'No events.',
    run: (flags) => listEvents(requireFlag(flags, 'workspace')),
  },
}

/** A read, a write and a paid action need one request each; the upper bound only catches typing errors. */
const requestsMax = 1_000_000

function limitsOf(flags: Flags): RequestLimits {
  const numberOf = (name: RequestClass) => {
    const count = Number(requireFlag(flags, name))
    if (!Number.isSafeInteger(count) || count < 1 || count > requestsMax)
      throw new Error(`--${name} must be a whole number from 1 to ${requestsMax}.`)
    return count
  }
  return { reads: numberOf('reads'), writes: numberOf('writes'), paid: numberOf('paid') }
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

/** In a fixed order; without the secret of its media URLs. */
const workspaceRow = (workspace: Workspace) => ({
  id: workspace.id,
  name: workspace.name,
  state: workspaceState(workspace),
  planId: workspace.planId,
  organizationId: workspace.organizationId,
  createdAt: workspace.createdAt,
  suspendedAt: workspace.suspendedAt,
  deletedAt: workspace.deletedAt,
  erasedAt: workspace.erasedAt,
  month: workspace.month,
  generationsUsed: workspace.generationsUsed,
  creditsBalance: workspace.creditsBalance,
  creditsReserved: workspace.creditsReserved,
  creditsGranted: workspace.creditsGranted,
  creditsExtra: workspace.creditsExtra,
  creditsUsed: workspace.creditsUsed,
  avatarCreditsBalance: workspace.avatarCreditsBalance,
  storageUsedBytes: workspace.storageUsedBytes,
  uploadsWaiting: workspace.uploadsWaiting,
  automationsUsed: workspace.automationsUsed,
  webhooksUsed: workspace.webhooksUsed,
  apiKeysUsed: workspace.apiKeysUsed,
  requestsPerMinute: workspace.requestsPerMinute,
  clockAt: workspace.clockAt,
  videoCounts: Object.fromEntries(Object.entries(workspace.videoCounts).toSorted()),
})
