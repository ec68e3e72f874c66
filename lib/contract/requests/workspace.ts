/** The queries of GET /voices and of GET /ledger. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { pageQuery } from '../schemas.ts'

const name = boundedText(64)

/** A value that no voice has selects nothing. */
export const listVoicesQuery = v.object({ provider: v.optional(name), language: v.optional(name) })

export const listLedgerQuery = v.object({
  month: v.optional(v.pipe(v.string(), v.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11'))),
  ...pageQuery,
})
