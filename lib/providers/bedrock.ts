/** Client of the Bedrock runtime, and the mapping of its errors to provider failures. */
import { BedrockRuntimeClient, BedrockRuntimeServiceException } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { AccountExpired, ProviderBusy } from '../domain/core/failures.ts'
import { awsFailure } from './aws-failures.ts'

const connectionTimeoutMs = 2_000

interface BedrockClientOptions {
  /** Default: the deployment's region. Set for models that exist in one region only. */
  region?: string
  /** Of a fake; default: AWS. */
  endpoint?: string
}

/**
 * HTTP/1, which a fake without TLS needs. Pass `send` an `abortSignal` as its deadline: a `requestTimeout` of the SDK
 * ends at the response headers, however long the body takes.
 */
export const bedrockClient = (options: BedrockClientOptions = {}): BedrockRuntimeClient =>
  new BedrockRuntimeClient({
    ...options,
    // The state machine retries, when the model has had time to recover.
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: connectionTimeoutMs,
      throwOnRequestTimeout: true,
    }),
  })

/** The account has no access to the model. Only the operator can resolve this. */
const modelAccessErrors = ['AccessDeniedException', 'ResourceNotFoundException']
/**
 * Bedrock reports a model that is retired, misspelt or only available through an inference profile as an invalid
 * request.
 */
const modelErrorMessage =
  /^(?:(?!\bmodel\b).)*\bmodel\b.*\b(?:identifier|id|access|end of life|legacy|version)\b|on-demand throughput|operation not allowed/is
/** Client faults by their type, but retryable. */
const transient = [
  'ModelNotReadyException',
  'ServiceQuotaExceededException',
  // The model failed on its own output: a retry mostly succeeds.
  'ModelErrorException',
]

/**
 * Error names:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors.
 */
export function bedrockFailure(error: unknown): Error {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const options = { cause: error }
  if (modelAccessErrors.includes(name) || (name === 'ValidationException' && modelErrorMessage.test(message)))
    return new AccountExpired('This deployment has no access to the Bedrock model in its configuration.', options)
  const status = error instanceof BedrockRuntimeServiceException ? error.$metadata.httpStatusCode : undefined
  if (transient.includes(name) || status === 429) return new ProviderBusy(`Bedrock is busy (${name}).`, options)
  return awsFailure('Bedrock', 'the request', error)
}
