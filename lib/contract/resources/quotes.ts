/** Schema of a quote in a response. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { headerLengthsMax } from '../header-lengths.ts'
import { quotedActions } from '../requests/quotes.ts'
import { count, timestamp } from '../schemas.ts'

export const quote = v.object({
  id: boundedText(headerLengthsMax.quote),
  action: v.picklist(quotedActions),
  credits: count,
  unit: v.picklist(['video', 'avatar']),
  seconds: v.nullable(v.number()),
  vendorUsd: v.nullable(v.number()),
  expiresAt: timestamp,
})
export type QuoteResource = v.InferOutput<typeof quote>
