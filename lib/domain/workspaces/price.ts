/** Prices for a workspace, and the refusals by its plan's limits and balance. */
import type { CreditRenewal, CreditUnit } from '../core/credits.ts'
import { Refusal } from '../core/refusal.ts'
import { formatBytes } from '../core/text.ts'
import { type Brief, requestedSecondsMax } from '../records/brief.ts'
import { generationPrice, plans } from './plan.ts'
import { inCurrentMonth, renewalOf, type Workspace } from './workspace.ts'

/** The price of an operation, and the month that it counts in. */
export interface Price {
  credits: number
  unit: CreditUnit
  metered: boolean
  month: string
  renewal: CreditRenewal | undefined
}

/** The price of an operation other than a generation. Refuses if the balance is too small. */
export function priceOf(workspace: Workspace, credits: number, unit: CreditUnit, now: string): Price {
  const current = inCurrentMonth(workspace, now)
  const metered = plans[workspace.planId].creditsPerMonth !== null
  const balance = unit === 'video' ? current.creditsBalance : current.avatarCreditsBalance
  if (metered && balance < credits)
    throw new Refusal(
      'warning-no-credits',
      `No ${unit} credits available: this needs ${credits}, the balance is ${balance}.`,
      { action: 'credits' },
    )
  return { credits, unit, metered, month: current.month, renewal: renewalOf(workspace, now) }
}

/** The price of a generation. Refuses one that the balance or the plan does not allow, checked in this order. */
export function priceOfGeneration(workspace: Workspace, brief: Brief, now: string): Price {
  const price = priceOf(workspace, generationPrice(brief), 'video', now)
  refuseGenerations(workspace, now)
  refuseFullStorage(workspace)
  refuseLongVideo(workspace, requestedSecondsMax(brief))
  return price
}

/** Refuses one more generation in this month than the plan allows. */
export function refuseGenerations(workspace: Workspace, now: string): void {
  const limit = plans[workspace.planId].generationsPerMonth
  if (limit !== null && inCurrentMonth(workspace, now).generationsUsed >= limit)
    throw new Refusal('warning-plan-generations', `The plan allows ${limit} generations a month.`, {
      action: 'upgrade',
    })
}

/** Refuses to store `bytes` beyond the plan's limit; without a size, if the storage is full. */
export function refuseFullStorage(workspace: Pick<Workspace, 'planId' | 'storageUsedBytes'>, bytes = 1): void {
  const limit = plans[workspace.planId].storageBytesMax
  if (limit !== null && workspace.storageUsedBytes + bytes > limit) throw storageFull(limit)
}

export const storageFull = (limit: number) =>
  new Refusal('warning-plan-storage', `The plan's storage of ${formatBytes(limit)} is used up.`, { action: 'upgrade' })

/** Refuses a video longer than the plan allows. */
export function refuseLongVideo(workspace: Workspace, seconds: number): void {
  const limit = plans[workspace.planId].durationSecondsMax
  if (limit !== null && seconds > limit)
    throw new Refusal(
      'warning-plan-duration',
      `The plan allows videos of ${limit} seconds, this one takes ${Math.ceil(seconds)}.`,
      { action: 'upgrade' },
    )
}
