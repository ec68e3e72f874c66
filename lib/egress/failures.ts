/** The two ways in which a request to the outside ends without an answer. Both messages may be shown to the client. */

/** The URL or what it leads to is none that the service talks to. Patience does not help. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  /** What a host's name led to. For the log only: the message would tell strangers how our network resolves names. */
  readonly address: string | undefined

  constructor(message: string, address?: string) {
    super(message)
    this.address = address
  }
}

/** Where it broke off. `too-large` is the head of an answer only: a body that is too long is cut, not refused. */
export type EgressFailureReason = 'unresolvable' | 'connection' | 'tls' | 'timeout' | 'invalid-answer' | 'too-large'

/** The other side, or the way to it, did not do its part. Another attempt may succeed. */
export class EgressFailed extends Error {
  override name = 'EgressFailed'
  readonly reason: EgressFailureReason
  /** Whether it broke off before it left this machine: then it says nothing about the other side. */
  readonly isLocal: boolean

  constructor(reason: EgressFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
    this.isLocal = reason === 'unresolvable' ? isResolverFailure(cause) : localErrorCodes.has(errorCodeOf(cause))
  }
}

/** The short name of an error (`ECONNREFUSED`, `CERT_HAS_EXPIRED`): unlike its message it names no address. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no further reason'

/** A resolver that did not answer; one that answered says that the name, or an address of it, does not exist. */
const isResolverFailure = (cause: unknown) =>
  ['EAI_AGAIN', 'EAI_FAIL', 'ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED', 'ECANCELLED'].includes(
    errorCodeOf(cause),
  )

/** No way out, or no socket left to take it (errno(3)). */
const localErrorCodes = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])
