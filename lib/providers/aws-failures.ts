/**
 * Maps errors of AWS services to provider failures. AWS messages name accounts and roles, so they must not reach
 * clients.
 */
import { AccountExpired, ProviderBusy, ProviderRejected } from '../domain/core/failures.ts'

/** Only the operator can resolve these. */
const accountErrors = [
  'AccessDeniedException',
  'UnrecognizedClientException',
  'IncompleteSignature',
  'InvalidSignatureException',
  'ExpiredTokenException',
  'MissingAuthenticationTokenException',
  'OptInRequired',
  'CredentialsProviderError',
]

/** Client faults by their type, but retryable: https://docs.aws.amazon.com/general/latest/gr/api-retries.html. */
const transient = /throttl|too ?many|limit ?exceeded|timeout|aborted?$/i

/** `what` is the object of the request, for example `the voice polly-Joanna`. */
export function awsFailure(service: string, what: string, error: unknown): Error {
  const { name } = error instanceof Error ? error : new Error(String(error))
  const options = { cause: error }
  if (accountErrors.includes(name))
    return new AccountExpired(`${service} does not accept this deployment's account.`, options)
  const isClientFault = (error as { $fault?: unknown }).$fault === 'client' && !transient.test(name)
  return isClientFault
    ? new ProviderRejected(`${service} rejected ${what} (${name}).`, options)
    : new ProviderBusy(`${service} is busy or unreachable (${name}).`, options)
}
