/** The door to Bedrock's runtime: its client, and its errors as the three ways in which a provider can fail. */
import { BedrockRuntimeClient, BedrockRuntimeServiceException } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { AccountExpired, ProviderBusy } from '../domain/core/failures.ts'
import { awsFailure } from './aws-failures.ts'

const connectionTimeoutMs = 2_000

export interface BedrockClientOptions {
  /** Of the models; the deployment's own unless they answer in another one alone. */
  region?: string
  /** Of a stand-in; AWS without it. */
  endpoint?: string
}

/**
 * Speaks HTTP/1, which a stand-in without TLS needs. Whoever asks gives `send` an `abortSignal` that ends it: a `requestTimeout` of the SDK is over
 * when the answer begins, however long the rest of it takes.
 */
export const bedrockClient = (place: BedrockClientOptions = {}): BedrockRuntimeClient =>
  new BedrockRuntimeClient({
    ...place,
    // The state machine tries again, when the model has had time to recover.
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: connectionTimeoutMs,
      throwOnRequestTimeout: true,
    }),
  })

/** The model is not there for this account: for whoever runs the deployment to mend. */
const modelAccessErrors = ['AccessDeniedException', 'ResourceNotFoundException']
/** A model that is retired, misspelt or sold through a profile alone is told as an invalid request. */
const aboutTheModel =
  /\bmodel\b.*\b(?:identifier|id|access|end of life|legacy|version)\b|on-demand throughput|operation not allowed/i
/** Told as the client's fault, and gone a moment later. */
const transient = [
  'ModelNotReadyException',
  'ServiceQuotaExceededException',
  // A model that stumbles over its own answer seldom does it twice.
  'ModelErrorException',
]

/** What went wrong, by name: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors. */
export function bedrockFailure(error: unknown): Error {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const because = { cause: error }
  if (modelAccessErrors.includes(name) || (name === 'ValidationException' && aboutTheModel.test(message)))
    return new AccountExpired('Bedrock does not give this deployment the model that it chose.', because)
  const status = error instanceof BedrockRuntimeServiceException ? error.$metadata.httpStatusCode : undefined
  if (transient.includes(name) || status === 429) return new ProviderBusy(`Bedrock is busy (${name}).`, because)
  return awsFailure('Bedrock', 'this', error)
}
