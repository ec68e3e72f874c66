import type { CreditRenewal, CreditUnit } from '../core/credits.ts'
import { Refusal } from '../core/refusal.ts'
import { type Brief, requestedSecondsMax } from '../records/brief.ts'
import { generationPrice, plans } from './plan.ts'
import { inCurrentMonth, renewalOf, type Workspace } from './workspace.ts'

/** What a charge is decided on: what it costs, and in which month it counts. */
export interface Price {
  credits: number
  unit: CreditUnit
  metered: boolean
  month: string
  renewal: CreditRenewal | undefined
}

/** The price of something that costs credits and is no generation; refused where the balance is too small. */
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

/** Refuses a generation that the plan or the balance does not allow, and answers its price. The first unmet rule wins, in this order. */
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

/** Refuses to store `bytes` more than the plan allows; without a size, where nothing more fits. */
export function refuseFullStorage(workspace: Pick<Workspace, 'planId' | 'storageUsedBytes'>, bytes = 1): void {
  const limit = plans[workspace.planId].storageBytesMax
  if (limit !== null && workspace.storageUsedBytes + bytes > limit) throw storageFull(limit)
}

export const storageFull = (limit: number) =>
  new Refusal('warning-plan-storage', `The plan's storage of ${limit} bytes is used up.`, { action: 'upgrade' })

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
