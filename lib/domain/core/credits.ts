/** Video credits pay for generations and texts, avatar credits for presenters. */

export type CreditUnit = 'video' | 'avatar'

/** One move of credits, written once into the ledger under `<run>#<kind>`; a grant of the operator has an id of its own for a run. */
export interface Charge {
  kind: 'reserve' | 'capture' | 'release' | 'grant'
  runId: string
  credits: number
  unit: CreditUnit
  /** False on plans without a balance: the ledger tells what was used, nothing is taken. */
  metered: boolean
  /** Where this reserves a generation: how many the plan allows in a month. */
  generation?: { limit: number | null }
}

/** The first charge of a month starts the month's counters again and tops the balance up to what the plan grants. */
export interface CreditRenewal {
  /** The month that the record was in, as `2026-11`. */
  from: string
  month: string
  /** What is added to the balance, as it was seen together with what was reserved of it. */
  credits: number
  seenBalance: number
  seenReserved: number
  granted: number
}
