/**
 * Quotes: a price that holds for one request for 15 minutes. Nothing is stored: the id contains the price and is signed
 * with the workspace's secret together with the request.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CreditUnit } from '../core/credits.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import { requestedSecondsMax } from '../records/brief.ts'
import type { Decision } from '../records/decision.ts'

export interface QuotedPrice {
  credits: number
  unit: CreditUnit
}

/** What a quote is for: the signature of its route, the ids in the path, and the parsed body. */
export type QuotedRequest = readonly [signature: string, params: unknown, body: unknown]

const quoteSeconds = 15 * 60

/** An id of at most 80 characters, and the time until which it is valid. */
export function createQuote(
  secret: string,
  request: QuotedRequest,
  { credits, unit }: QuotedPrice,
  now: string,
): { id: string; expiresAt: string } {
  const expiresAt = secondsAfter(now, quoteSeconds)
  const price = `${credits}_${unit}_${Date.parse(expiresAt)}`
  return { id: `qte_${price}_${sign(secret, request, price)}`, expiresAt }
}

const idPattern = /^qte_((\d{1,9})_(video|avatar)_(\d{1,15}))_([\w-]{22})$/

/** The price of a quote. @throws Refusal `quote-expired` for one that has expired, or that is not for this request. */
export function readQuote(id: string, secret: string, request: QuotedRequest, now: string): QuotedPrice {
  const [, price = '', credits, unit, expiresAt, signature = ''] = idPattern.exec(id) ?? []
  const expected = Buffer.from(sign(secret, request, price))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Refusal('quote-expired', 'The quote is not for this request: action, ids and body must be those quoted.')
  if (Date.parse(now) >= Number(expiresAt))
    throw new Refusal('quote-expired', 'The quote has expired: it was valid for 15 minutes. Request a new one.')
  return { credits: Number(credits), unit: unit as CreditUnit }
}

const sign = (secret: string, request: QuotedRequest, price: string) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['quote', price, ...request]))
    .digest('base64url')
    .slice(0, 22)

/** What the decision reserves. */
export function priceOfDecision({ charges }: Pick<Decision, 'charges'>): QuotedPrice {
  const reserved = charges.filter(({ kind }) => kind === 'reserve')
  return { credits: reserved.reduce((sum, charge) => sum + charge.credits, 0), unit: reserved[0]?.unit ?? 'video' }
}

/** The longest video that the decision generates, in seconds; null where it generates none. */
export function generatedSeconds({ charges, changes }: Pick<Decision, 'charges' | 'changes'>): number | null {
  if (!charges.some(({ generation }) => generation)) return null
  const briefs = changes.flatMap((change) => (change.record === 'video' && change.after ? [change.after.brief] : []))
  return Math.max(0, ...briefs.map(requestedSecondsMax))
}

/** Refuses any price but the quoted one. */
export function refuseOtherPrice(quoted: QuotedPrice | undefined, { credits, unit }: QuotedPrice): void {
  if (!quoted || (quoted.credits === credits && (credits === 0 || quoted.unit === unit))) return
  throw new Refusal(
    'quote-expired',
    `The price has changed from ${quoted.credits} to ${credits} ${unit} credits since the quote. Request a new one.`,
  )
}
