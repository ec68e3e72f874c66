/** A page of the ledger of a month. */
import { listLedger } from '../../../lib/contract/routes/workspace.ts'
import { ledgerEntryView } from '../../../lib/contract/views/ledger.ts'
import { monthOf } from '../../../lib/domain/workspaces/workspace.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listLedgerEntries } from '../../../lib/store/ledger.ts'

export const handler = endpoint(listLedger, async ({ query: { month, limit, offset }, workspaceId, now }) => {
  const entries = await listLedgerEntries(workspaceId, month ?? monthOf(now))
  const data = entries.slice(offset, offset + limit).map(ledgerEntryView)
  return { data, paging: { limit, offset, total: entries.length } }
})
