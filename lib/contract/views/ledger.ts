/** Converts an entry of the ledger to its resource. */
import type { LedgerEntry } from '../../domain/core/credits.ts'
import type { LedgerEntryResource } from '../resources/ledger.ts'

export const ledgerEntryView = ({ kind, runId, credits, unit, metered, at }: LedgerEntry): LedgerEntryResource => ({
  kind,
  runId: runId ?? null,
  credits,
  unit,
  metered,
  at,
})
