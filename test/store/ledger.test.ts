/** The ledger of a month that has more entries than a request may read. */
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { afterEach, expect, it } from 'vitest'
import { table } from '../../lib/store/core/client.ts'
import { ledgerEntriesMax, listLedgerEntries } from '../../lib/store/ledger.ts'
import { at } from '../domain/support/videos.ts'

const dynamodb = mockClient(table)
afterEach(() => dynamodb.reset())

const entry = (kind: string, second: number) => ({
  kind,
  runId: 'run_1',
  credits: 1,
  unit: 'video',
  metered: true,
  at: at(second),
})

it('a month lists its newest 10,000 entries, and reads no further', async () => {
  const page = Array.from({ length: 4_000 }, () => entry('capture', 1))
  dynamodb.on(QueryCommand).resolves({ Items: page, LastEvaluatedKey: { pk: 'more', sk: 'more' } })
  dynamodb.on(GetCommand).resolves({})
  expect(await listLedgerEntries('wsp_1', '2026-11')).toHaveLength(ledgerEntriesMax)
  expect(dynamodb.commandCalls(QueryCommand)).toHaveLength(3)
})

it('the grant of the plan is among the entries, and what ends a run comes before what began it', async () => {
  dynamodb.on(QueryCommand).resolves({ Items: [entry('reserve', 5), entry('capture', 5), entry('release', 3)] })
  dynamodb.on(GetCommand).resolves({ Item: { ...entry('grant', 5), runId: undefined } })
  const kinds = (await listLedgerEntries('wsp_1', '2026-11')).map(({ kind }) => kind)
  expect(kinds).toEqual(['capture', 'reserve', 'grant', 'release'])
})
