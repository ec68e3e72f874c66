/** Credits: charges for the ledger, and the monthly renewal of a balance. Prices are in `lib/domain/workspaces`. */

/** Video credits pay for generations and texts, avatar credits for presenters. */
export type CreditUnit = 'video' | 'avatar'

export const ledgerKinds = ['reserve', 'capture', 'release', 'grant'] as const

/** One ledger entry, stored once under `<run>#<kind>`. A grant by the operator has a generated id as its `runId`. */
export interface Charge {
  kind: (typeof ledgerKinds)[number]
  runId: string
  credits: number
  unit: CreditUnit
  /** False on plans without a balance: the ledger records the usage, the balance stays. */
  metered: boolean
  /** Set if this reserves a generation: how many the plan allows in a month; null is unlimited. */
  generation?: { limit: number | null }
}

/** A stored charge. `runId`: undefined for the plan's grant of a month. */
export type LedgerEntry = Pick<Charge, 'kind' | 'credits' | 'unit' | 'metered'> & {
  runId?: string | undefined
  at: string
}

/** The first charge of a month resets the monthly counters and refills the balance to the plan's grant. */
export interface CreditRenewal {
  /** The month of the record before, as `2026-11`. */
  from: string
  month: string
  /** Added to the balance. Valid only for the balance and reservation that were read (`seen…`). */
  credits: number
  seenBalance: number
  seenReserved: number
  granted: number
}
