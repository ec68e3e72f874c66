/** A workspace: the unit that owns records, credits and limits. All its counters live on this one record. */
import type { Brief } from './brief.ts'
import { requestedSecondsMax } from './brief.ts'
import type { PlanId } from './plan.ts'
import { generationPrice, plans } from './plan.ts'
import { Refusal } from './refusal.ts'

export interface Workspace {
  id: string
  name: string
  /** The workspace that may act on this one, or null. */
  organizationId: string | null
  planId: PlanId
  createdAt: string
  /** 128 random bits that make the names of stored media unguessable. */
  mediaSecret: string
  creditsBalance: number
  creditsGranted: number
  creditsUsed: number
  avatarCreditsBalance: number
  /** `2026-11`: the month that `generationsUsed` counts. */
  generationsMonth: string
  generationsUsed: number
  storageUsedBytes: number
  automationsUsed: number
  webhooksUsed: number
  apiKeysUsed: number
  /** Listed videos by `<type>#<status>`, so that a page knows its total without counting. */
  videoCounts: Record<string, number>
}

export interface NewWorkspace {
  id: string
  name: string
  planId: PlanId
  organizationId: string | null
  mediaSecret: string
}

export function createWorkspace(
  { id, name, planId, organizationId, mediaSecret }: NewWorkspace,
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
    creditsBalance: granted,
    creditsGranted: granted,
    creditsUsed: 0,
    avatarCreditsBalance: 0,
    generationsMonth: monthOf(now),
    generationsUsed: 0,
    storageUsedBytes: 0,
    automationsUsed: 0,
    webhooksUsed: 0,
    apiKeysUsed: 0,
    videoCounts: {},
  }
}

/** The workspace on another plan: it has what that plan grants a month, less what it used of the plan before. */
export function setPlan(workspace: Workspace, planId: PlanId): Workspace {
  const granted = plans[planId].creditsPerMonth ?? 0
  const spent = Math.max(workspace.creditsGranted - workspace.creditsBalance, 0)
  return { ...workspace, planId, creditsGranted: granted, creditsBalance: Math.max(granted - spent, 0) }
}

export const monthOf = (time: string) => time.slice(0, 7)

export const generationsUsedIn = (workspace: Workspace, month: string) =>
  workspace.generationsMonth === month ? workspace.generationsUsed : 0

/** The first instant of the month after `now`: monthly limits start again. */
export function nextMonthAt(now: string): string {
  const time = new Date(now)
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)).toISOString()
}

/** Refuses a generation that the plan or the balance does not allow, and answers its price. The first unmet rule wins, in this order. */
export function priceOfGeneration(
  workspace: Workspace,
  brief: Brief,
  now: string,
): { credits: number; metered: boolean } {
  const plan = plans[workspace.planId]
  const credits = generationPrice(brief)
  const metered = plan.creditsPerMonth !== null
  if (metered && workspace.creditsBalance < credits)
    throw new Refusal(
      'warning-no-credits',
      `No video credits available: this generation needs ${credits}, the balance is ${workspace.creditsBalance}.`,
      { action: 'credits' },
    )
  if (plan.generationsPerMonth !== null && generationsUsedIn(workspace, monthOf(now)) >= plan.generationsPerMonth)
    throw new Refusal('warning-plan-generations', `The plan allows ${plan.generationsPerMonth} generations a month.`, {
      action: 'upgrade',
    })
  if (plan.storageBytesMax !== null && workspace.storageUsedBytes >= plan.storageBytesMax)
    throw new Refusal('warning-plan-storage', `The plan's storage of ${plan.storageBytesMax} bytes is used up.`, {
      action: 'upgrade',
    })
  refuseOverlong(workspace, requestedSecondsMax(brief))
  return { credits, metered }
}

/** Refuses a video longer than the plan allows. */
export function refuseOverlong(workspace: Workspace, seconds: number): void {
  const limit = plans[workspace.planId].durationSecondsMax
  if (limit !== null && seconds > limit)
    throw new Refusal(
      'warning-plan-duration',
      `The plan allows videos of ${limit} seconds, this one takes ${Math.ceil(seconds)}.`,
      { action: 'upgrade' },
    )
}
