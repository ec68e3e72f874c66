/** The two errors of an outbound request that gets no response. Both messages may be shown to the client. */

/** The address policy blocks the URL or an address that its host resolves to. Not retryable. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  /** The blocked address. For the log only: a message with it would disclose how the network resolves names. */
  readonly address: string | undefined

  constructor(message: string, address?: string) {
    super(message)
    this.address = address
  }
}

/** The stage that failed. `too-large` means the response headers only: a long body is truncated, not refused. */
type EgressFailureReason = 'unresolvable' | 'connection' | 'tls' | 'timeout' | 'invalid-answer' | 'too-large'

/** The receiver or the network failed. Retryable. */
export class EgressFailed extends Error {
  override name = 'EgressFailed'
  readonly reason: EgressFailureReason
  /** Whether the request failed before it left this machine, which says nothing about the receiver. */
  readonly isLocal: boolean

  constructor(reason: EgressFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
    this.isLocal = reason === 'unresolvable' ? isResolverFailure(cause) : localErrorCodes.has(errorCodeOf(cause))
  }
}

/** The code of an error (`ECONNREFUSED`, `CERT_HAS_EXPIRED`), which unlike its message contains no address. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no further reason'

/** The resolver did not respond. Other codes are its response: the name, or an address of it, does not exist. */
const isResolverFailure = (cause: unknown) =>
  ['EAI_AGAIN', 'EAI_FAIL', 'ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED', 'ECANCELLED'].includes(
    errorCodeOf(cause),
  )

/** No route out of this machine, or no socket left (errno(3)). */
const localErrorCodes = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])
