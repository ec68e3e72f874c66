/** The three ways a provider can fail. State machines and workers match on these names. */

/** Try again later: busy, throttled, unreachable, 5xx. */
export class ProviderBusy extends Error {
  override name = 'ProviderBusy'
}

/** The provider will never do this: bad input, policy, unsupported. The message may be shown to the client. */
export class ProviderRejected extends Error {
  override name = 'ProviderRejected'
}

/** A connected account must be authorised again. */
export class AccountExpired extends Error {
  override name = 'AccountExpired'
}
