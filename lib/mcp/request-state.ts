/**
 * What a client sends back with its confirmation. It is signed, so that a confirmation holds only for the call that was shown: the same
 * caller, tool and arguments, for ten minutes. It holds no secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface ConfirmedCall {
  /** The idempotency key of the call: a confirmation that is sent twice has one effect. */
  key: string
  /** The id of the quote that the user saw. */
  quote?: string | undefined
}

/** What the confirmation is for. */
export interface ConfirmationScope {
  secret: string
  /** Workspace and key of the caller. */
  caller: string
  tool: string
  args: Record<string, unknown>
}

const validMs = 10 * 60_000

export function sealState(call: ConfirmedCall, scope: ConfirmationScope, now: number): string {
  const payload = Buffer.from(JSON.stringify({ ...call, until: now + validMs })).toString('base64url')
  return `${payload}.${sign(payload, scope)}`
}

/** The call that was confirmed; undefined where the state was changed, is for another call, or has expired. */
export function openState(state: string, scope: ConfirmationScope, now: number): ConfirmedCall | undefined {
  const [payload = '', signature = ''] = state.split('.')
  const expected = Buffer.from(sign(payload, scope))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const { until, ...call } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as ConfirmedCall & {
    until: number
  }
  return until > now ? call : undefined
}

const sign = (payload: string, { secret, caller, tool, args }: ConfirmationScope) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['mcp-confirmation', payload, caller, tool, sorted(args)]))
    .digest('base64url')

/** Clients may send the members of an object in another order the second time. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([name, inner]) => [name, sorted(inner)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}
