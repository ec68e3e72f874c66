/** A workspace: the tenant that owns records, credits and limits. All its counters are in this one record. */

import { hasAtMost } from '../core/bounded.ts'
import type { CreditRenewal, CreditUnit } from '../core/credits.ts'
import { Refusal } from '../core/refusal.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import type { PlanId } from './plan.ts'
import { plans } from './plan.ts'
import type { RequestLimits } from './request-limits.ts'

export interface Workspace {
  id: string
  name: string
  /** The workspace that may act on this one, or null. */
  organizationId: string | null
  planId: PlanId
  createdAt: string
  /** 128 random bits that make media URLs unguessable. */
  mediaSecret: string
  /** `2026-11`: the month of the monthly counters below; the first charge of another month resets them. */
  month: string
  generationsUsed: number
  creditsBalance: number
  /** Taken from the balance for open runs: captured or released when they end. */
  creditsReserved: number
  /** Granted this month by plan and operator; `creditsExtra` is the operator's part. */
  creditsGranted: number
  creditsExtra: number
  /** Captured this month. */
  creditsUsed: number
  avatarCreditsBalance: number
  /** Stored, or reserved by a waiting upload. */
  storageUsedBytes: number
  /** Uploads that wait for their files. */
  uploadsWaiting: number
  automationsUsed: number
  webhooksUsed: number
  apiKeysUsed: number
  /** Set by the operator, in place of the plan's limits. */
  requestsPerMinute?: RequestLimits
  /** Set while the operator has suspended it: its keys are refused, and it starts nothing. */
  suspendedAt?: string
  /** When the operator began to delete it; it is suspended from then on. */
  deletedAt?: string
  /** When the last of its data was deleted: only this record, without its name, and the ledger remain. */
  erasedAt?: string
  /** The test clock of a test workspace; absent in all others. */
  clockAt?: string
  /** Number of listed videos by `<type>#<status>`, for the totals of pages. */
  videoCounts: Record<string, number>
}

export const workspaceNameLengthMax = 200

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
  if (!hasAtMost(name, workspaceNameLengthMax))
    throw new Refusal(
      'invalid-request',
      `The name of a workspace must be at most ${workspaceNameLengthMax} characters long.`,
    )
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
    uploadsWaiting: 0,
    automationsUsed: 0,
    webhooksUsed: 0,
    apiKeysUsed: 0,
    ...(isTest ? { clockAt: now } : {}),
    videoCounts: {},
  }
}

/** Null is unlimited. */
export const requestLimitsOf = ({
  planId,
  requestsPerMinute,
}: Pick<Workspace, 'planId' | 'requestsPerMinute'>): RequestLimits | null =>
  requestsPerMinute ?? plans[planId].requestsPerMinute

/**
 * The workspace on another plan. The balance changes by the difference of the grants, which accounts for spent and extra
 * credits; it may become negative. A plan without a balance leaves the figures unchanged.
 */
export function changePlan(workspace: Workspace, planId: PlanId): Workspace {
  const monthly = plans[planId].creditsPerMonth
  if (monthly === null) return { ...workspace, planId }
  const creditsGranted = monthly + workspace.creditsExtra
  const creditsBalance = workspace.creditsBalance + creditsGranted - workspace.creditsGranted
  return { ...workspace, planId, creditsGranted, creditsBalance }
}

/** Adds credits of the operator to a balance; unspent ones remain after the month. */
export function grantCredits(
  workspace: Workspace,
  { credits, unit }: { credits: number; unit: CreditUnit },
  grantId: string,
  now: string,
): Decision {
  const renewal = renewalOf(workspace, now)
  return {
    ...newDecision(workspace.id, [], now),
    month: inCurrentMonth(workspace, now).month,
    ...(renewal ? { renewal } : {}),
    charges: [{ kind: 'grant', runId: grantId, credits, unit, metered: true }],
    automationWakeUps: [{ profileId: null, cause: grantId }],
  }
}

/** The time for the workspace's automations: a test clock that was moved ahead stands still until real time reaches it. */
export const workspaceNow = ({ clockAt }: Workspace, now: string) => (clockAt && clockAt > now ? clockAt : now)

export const monthOf = (time: string) => time.slice(0, 7)

/** The first instant of the month after `now`, when monthly limits reset. */
export function nextMonthAt(now: string): string {
  const time = new Date(now)
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)).toISOString()
}

/** The renewal that the first charge of a month applies; undefined if the month was renewed already. */
export function renewalOf(workspace: Workspace, now: string): CreditRenewal | undefined {
  const month = monthOf(now)
  if (month <= workspace.month) return undefined
  const monthly = plans[workspace.planId].creditsPerMonth ?? 0
  const { creditsBalance: seenBalance, creditsReserved: seenReserved } = workspace
  // Reserved credits may be released in the new month: they must not be granted twice.
  const credits = Math.max(monthly - seenBalance - seenReserved, 0)
  return { from: workspace.month, month, credits, seenBalance, seenReserved, granted: monthly }
}

/** The workspace with the monthly renewal applied, for reads and decisions before the month's first charge. */
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
