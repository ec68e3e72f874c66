/** What prevents an automation from publishing its next clip, and the stop cause if it persists. */

import { Refusal } from '../core/refusal.ts'
import type { Account } from '../records/account.ts'
import type { Blocker, StopCause } from '../records/automation.ts'
import type { Brief } from '../records/brief.ts'
import type { Destination } from '../records/profile.ts'
import type { Video } from '../records/video.ts'
import { variationBrief } from '../videos/clip.ts'
import { hasIdea } from '../videos/idea.ts'
import { isGenerated } from '../videos/job-transitions.ts'
import { plans } from '../workspaces/plan.ts'
import { priceOfGeneration } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

const blockerLabels = {
  'plan-publish': 'The plan does not allow publishing.',
  'no-profile': 'No profile is chosen.',
  'no-platforms': 'No platforms are chosen.',
  'no-accounts': 'No account is connected for the chosen platforms.',
  'accounts-unhealthy': 'The accounts of the chosen platforms have to be connected again.',
  'source-not-ready': 'The blueprint is not generated yet.',
  'no-credits': 'The credits or the plan do not allow another generation.',
} as const
export type BlockerId = keyof typeof blockerLabels
export const blockerIds = Object.keys(blockerLabels) as BlockerId[]

const blocker = (id: BlockerId): Blocker & { id: BlockerId } => ({ id, label: blockerLabels[id] })

/** Everything that is missing, in the order in which a client fixes it. */
export function blockersOf(
  workspace: Workspace,
  blueprint: Video,
  accounts: readonly Account[],
  now: string,
): { id: BlockerId; label: string }[] {
  return [
    ...publishingBlockers(workspace, blueprint.destination, accounts),
    ...(canMakeClip(blueprint) ? [] : ['source-not-ready' as const]),
    ...(canPayForClip(workspace, blueprint, now) ? [] : ['no-credits' as const]),
  ].map(blocker)
}

/** The blockers that prevent publishing a finished clip. */
export function publishingBlockers(
  workspace: Workspace,
  destination: Destination | undefined,
  accounts: readonly Account[],
): BlockerId[] {
  const { profileId = null, platforms = [] } = destination ?? {}
  const found = accounts.filter(({ platform }) => platforms.includes(platform))
  const isChosen = profileId !== null && platforms.length > 0
  return [
    ...(plans[workspace.planId].publishing ? [] : ['plan-publish' as const]),
    ...(profileId === null ? ['no-profile' as const] : []),
    ...(platforms.length === 0 ? ['no-platforms' as const] : []),
    ...(isChosen && found.length === 0 ? ['no-accounts' as const] : []),
    ...(found.length > 0 && found.every(({ health }) => health === 'expired') ? ['accounts-unhealthy' as const] : []),
  ]
}

/** Whether a clip can be made of it. Checked here, because `createClip` would throw in the middle of a decision. */
const canMakeClip = (blueprint: Video): boolean =>
  blueprint.process?.status === 'COMPLETED' &&
  (blueprint.type === 'video' ? isGenerated(blueprint) : hasIdea(blueprint.brief))

/** Whether the plan and the balance allow another clip. A clip of an uploaded video reuses its source and is free. */
function canPayForClip(workspace: Workspace, { type, brief }: Video, now: string): boolean {
  return type === 'video' || mayGenerate(workspace, variationBrief(brief), now)
}

function mayGenerate(workspace: Workspace, brief: Brief, now: string): boolean {
  try {
    priceOfGeneration(workspace, brief, now)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Refuses an operation that needs a fully configured automation. */
export function refuseBlocked(blockers: readonly Blocker[]): void {
  if (blockers.length > 0)
    throw new Refusal(
      'warning-publish-not-configured',
      `The automation is not set up: ${blockers.map(({ label }) => label).join(' ')}`,
      { blockers: [...blockers] },
    )
}

/** The cause of the stop if a blocker is present at two slots in a row. */
export const stopCauses: Record<BlockerId, StopCause> = {
  'plan-publish': { reason: 'plan_publish', kind: 'config', label: 'The plan does not allow publishing' },
  'no-profile': { reason: 'publish_not_configured', kind: 'config', label: 'Publishing is not set up' },
  'no-platforms': { reason: 'publish_not_configured', kind: 'config', label: 'Publishing is not set up' },
  'source-not-ready': { reason: 'publish_not_configured', kind: 'config', label: 'There is nothing to publish' },
  'no-accounts': { reason: 'publish_no_accounts', kind: 'config', label: 'No account is connected' },
  'accounts-unhealthy': { reason: 'publish_auth', kind: 'config', label: 'Accounts have to be connected again' },
  'no-credits': { reason: 'no_credits', kind: 'transient', label: 'The credits are used up' },
}
