/** The three ways a provider can fail. State machines and workers match on these names. */

/** Try again later: busy, throttled, unreachable, 5xx. */
export class ProviderBusy extends Error {
  override name = 'ProviderBusy'
}

/**
 * Busy, and nobody knows whether the vendor took the request. What costs money is not asked for a second time unless the vendor knows
 * it again.
 */
export class OutcomeUnknown extends ProviderBusy {}

/** The provider will never do this: bad input, policy, unsupported. The message may be shown to the client. */
export class ProviderRejected extends Error {
  override name = 'ProviderRejected'
}

/** An account must be authorised, paid or connected again by whoever it belongs to. Asking again does not help until then. */
export class AccountExpired extends Error {
  override name = 'AccountExpired'
}
