/** Which addresses an endpoint may have. What a name leads to is looked at with every post. */
import { Refusal } from '../../domain/core/refusal.ts'
import { AddressRefused } from '../../egress/failures.ts'
import { checkUrl } from '../../egress/url.ts'
import { env } from '../../env.ts'

/** Where the operator allows this machine, plain http is allowed too: nobody has a certificate for it. */
export const webhookEgressPolicy = () => ({ allowHttp: env.allowLoopback(), allowLoopback: env.allowLoopback() })

/** Refuses an address that can be seen to lead nowhere we go. */
export function refuseWebhookUrl(url: string): void {
  try {
    checkUrl(url, webhookEgressPolicy())
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    const detail = { path: 'body.url', message: error.message }
    throw new Refusal('invalid-request', `${detail.path}: ${detail.message}`, { details: [detail] })
  }
}
