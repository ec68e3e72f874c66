/**
 * Refuses portrait URLs that the policy disallows (`imagePolicy` in `lib/egress/address-policy.ts`). Called by the
 * presenter route and by `fetch-portrait.ts`.
 */
import { invalidPortrait } from '../../domain/generation/presenter/presenter.ts'
import { checkUrl, imagePolicy } from '../../egress/address-policy.ts'
import { AddressRefused } from '../../egress/failures.ts'
import { env } from '../../env.ts'

/**
 * Throws a `Refusal` for a URL that the policy disallows. Resolved addresses are checked when the portrait is fetched.
 */
export function refusePortraitUrl(imageUrl: string): void {
  try {
    checkUrl(imageUrl, imagePolicy(env.allowLoopback()))
  } catch (error) {
    throw error instanceof AddressRefused ? portraitUnfetchable(error) : error
  }
}

/** Messages of egress errors may be shown to clients. */
export const portraitUnfetchable = ({ message }: Error) =>
  invalidPortrait(`cannot be fetched: ${message.replace(/\.$/, '')}`)
