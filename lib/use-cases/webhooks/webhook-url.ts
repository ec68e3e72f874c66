/**
 * Refuses webhook URLs that the policy disallows (`endpointPolicy` in `lib/egress/address-policy.ts`). Called by the
 * routes that create and edit endpoints.
 */
import { Refusal } from '../../domain/core/refusal.ts'
import { checkUrl, endpointPolicy } from '../../egress/address-policy.ts'
import { AddressRefused } from '../../egress/failures.ts'
import { env } from '../../env.ts'

/** Throws a `Refusal` for a URL that the policy disallows. Resolved addresses are checked with every delivery. */
export function refuseWebhookUrl(url: string): void {
  try {
    checkUrl(url, endpointPolicy(env.allowLoopback()))
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    const detail = { path: 'body.url', message: error.message }
    throw new Refusal('invalid-request', `${detail.path}: ${detail.message}`, { details: [detail] })
  }
}
