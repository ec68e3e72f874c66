/** The schema of an entry of the ledger in responses. */
import * as v from 'valibot'
import { ledgerKinds } from '../../domain/core/credits.ts'
import { count, recordId, timestamp } from '../schemas.ts'

export const ledgerEntry = v.object({
  kind: v.picklist(ledgerKinds),
  runId: v.nullable(recordId),
  credits: count,
  unit: v.picklist(['video', 'avatar']),
  metered: v.boolean(),
  at: timestamp,
})
export type LedgerEntryResource = v.InferOutput<typeof ledgerEntry>
