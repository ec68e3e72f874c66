/** A workspace: the unit that owns records, credits and limits. All its counters live on this one record. */

import type { CreditRenewal, CreditUnit } from '../core/credits.ts'
import type { Decision } from '../records/decision.ts'
import type { PlanId } from './plan.ts'
import { plans } from './plan.ts'

export interface Workspace {
  id: string
  name: string
  /** The workspace that may act on this one, or null. */
  organizationId: string | null
  planId: PlanId
  createdAt: string
  /** 128 random bits that make the names of stored media unguessable. */
  mediaSecret: string
  /** `2026-11`: the month that the monthly counters below count; the first charge of another month starts them again. */
  month: string
  generationsUsed: number
  creditsBalance: number
  /** Taken from the balance for runs that have not ended: it comes back, or is spent. */
  creditsReserved: number
  /** What the plan and the operator gave this month; the operator's part of it is also told apart. */
  creditsGranted: number
  creditsExtra: number
  /** What was captured this month. */
  creditsUsed: number
  avatarCreditsBalance: number
  storageUsedBytes: number
  automationsUsed: number
  webhooksUsed: number
  apiKeysUsed: number
  /** Of a test workspace: where the operator has moved its clock to. Absent in every other: nobody may move theirs. */
  clockAt?: string
  /** Listed videos by `<type>#<status>`, so that a page knows its total without counting. */
  videoCounts: Record<string, number>
}

interface NewWorkspace {
  id: string
  name: string
  planId: PlanId
  organizationId: string | null
  mediaSecret: string
  /** Whether its clock can be moved. */
  isTest?: boolean
}

export function createWorkspace(
  { id, name, planId, organizationId, mediaSecret, isTest = false }: NewWorkspace,
  now: string,
): Workspace {
  const granted = plans[planId].creditsPerMonth ?? 0
  return {
    id,
    name,
    organizationId,
    planId,
    createdAt: now,
    mediaSecret,
    month: monthOf(now),
    generationsUsed: 0,
    creditsBalance: granted,
    creditsReserved: 0,
    creditsGranted: granted,
    creditsExtra: 0,
    creditsUsed: 0,
    avatarCreditsBalance: 0,
    storageUsedBytes: 0,
    automationsUsed: 0,
    webhooksUsed: 0,
    apiKeysUsed: 0,
    ...(isTest ? { clockAt: now } : {}),
    videoCounts: {},
  }
}

/**
 * The workspace on another plan: the balance moves by as much as what was granted, so that neither what was spent nor what the
 * operator added is forgotten; it may fall below zero. A plan without a balance leaves the figures as they are.
 */
export function changePlan(workspace: Workspace, planId: PlanId): Workspace {
  const monthly = plans[planId].creditsPerMonth
  if (monthly === null) return { ...workspace, planId }
  const creditsGranted = monthly + workspace.creditsExtra
  const creditsBalance = workspace.creditsBalance + creditsGranted - workspace.creditsGranted
  return { ...workspace, planId, creditsGranted, creditsBalance }
}

/** Credits that the operator adds to a balance; those that are not spent outlast the month. */
export function grantCredits(
  workspace: Workspace,
  { credits, unit }: { credits: number; unit: CreditUnit },
  grantId: string,
  now: string,
): Decision {
  const renewal = renewalOf(workspace, now)
  return {
    workspaceId: workspace.id,
    at: now,
    changes: [],
    month: inCurrentMonth(workspace, now).month,
    ...(renewal ? { renewal } : {}),
    charges: [{ kind: 'grant', runId: grantId, credits, unit, metered: true }],
    events: [],
    starts: [],
    wakeUps: [{ profileId: null, cause: grantId }],
  }
}

/** The time that its automations go by: a clock that was moved ahead stands until the real one has caught up with it. */
export const workspaceNow = ({ clockAt }: Workspace, now: string) => (clockAt && clockAt > now ? clockAt : now)

export const monthOf = (time: string) => time.slice(0, 7)

/** The first instant of the month after `now`: monthly limits start again. */
export function nextMonthAt(now: string): string {
  const time = new Date(now)
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)).toISOString()
}

/** What the first charge of a month does before it charges, or undefined in a month that has begun. */
export function renewalOf(workspace: Workspace, now: string): CreditRenewal | undefined {
  const month = monthOf(now)
  if (month <= workspace.month) return undefined
  const monthly = plans[workspace.planId].creditsPerMonth ?? 0
  const { creditsBalance: seenBalance, creditsReserved: seenReserved } = workspace
  // What is reserved may come back in the new month: it must not be given a second time.
  const credits = Math.max(monthly - seenBalance - seenReserved, 0)
  return { from: workspace.month, month, credits, seenBalance, seenReserved, granted: monthly }
}

/** The workspace as it is in this month: what anybody may read or decide on before the month's first charge was written. */
export function inCurrentMonth(workspace: Workspace, now: string): Workspace {
  const renewal = renewalOf(workspace, now)
  if (!renewal) return workspace
  return {
    ...workspace,
    month: renewal.month,
    generationsUsed: 0,
    creditsUsed: 0,
    creditsGranted: renewal.granted,
    creditsExtra: 0,
    creditsBalance: workspace.creditsBalance + renewal.credits,
  }
}
