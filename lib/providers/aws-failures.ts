/** Errors of AWS services as the three ways in which a provider can fail. Their messages name accounts and roles, so clients read ours. */
import { AccountExpired, ProviderBusy, ProviderRejected } from '../domain/core/failures.ts'

/** Nothing but the deployment's operator can change these. */
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

/** Told as the client's fault, and gone a moment later: https://docs.aws.amazon.com/general/latest/gr/api-retries.html. */
const transient = /throttl|too ?many|limit ?exceeded|timeout|aborted?$/i

/** `what` is what was asked for, for example `the voice polly-Joanna`. */
export function awsFailure(service: string, what: string, error: unknown): Error {
  const { name } = error instanceof Error ? error : new Error(String(error))
  const because = { cause: error }
  if (accountErrors.includes(name))
    return new AccountExpired(`${service} does not accept this deployment's account.`, because)
  const isOurFault = (error as { $fault?: unknown }).$fault === 'client' && !transient.test(name)
  return isOurFault
    ? new ProviderRejected(`${service} refuses ${what} (${name}).`, because)
    : new ProviderBusy(`${service} is busy or out of reach (${name}).`, because)
}
