/** Schema of a quote in a response. */
import * as v from 'valibot'
import { count, timestamp } from '../schemas.ts'

export const quote = v.object({
  id: v.string(),
  action: v.string(),
  credits: count,
  unit: v.picklist(['video', 'avatar']),
  seconds: v.nullable(v.number()),
  vendorUsd: v.nullable(v.number()),
  expiresAt: timestamp,
})
export type QuoteResource = v.InferOutput<typeof quote>
