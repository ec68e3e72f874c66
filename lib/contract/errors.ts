/** The HTTP status of each refusal code, and the body of every error response. */
import { ProviderBusy } from '../domain/core/failures.ts'
import type { RefusalCode, RefusalDetail } from '../domain/core/refusal.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { truncateTo } from '../domain/core/text.ts'

export const httpStatusOf: Record<RefusalCode, number> = {
  'invalid-request': 400,
  'warning-invalid-events': 400,
  unauthorized: 401,
  'warning-no-credits': 402,
  'warning-plan-generations': 402,
  'warning-plan-storage': 402,
  'warning-plan-duration': 402,
  'warning-plan-render-time': 402,
  'warning-plan-publish': 402,
  'warning-plan-automations': 402,
  'missing-scope': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'limit-reached': 409,
  'warning-source-not-ready': 409,
  'wrong-video-type': 409,
  'warning-invalid-input': 409,
  'warning-publish-not-configured': 409,
  'warning-publish-no-accounts': 409,
  'warning-publish-auth': 409,
  'warning-publish-duplicate': 409,
  'job-in-progress': 409,
  'idempotency-in-progress': 409,
  conflict: 409,
  'quote-expired': 409,
  'precondition-failed': 412,
  'payload-too-large': 413,
  'already-converted': 422,
  'rate-limited': 429,
  unavailable: 503,
}

/** Of an error: what a request or a record names may be as long as either. */
export const errorLengthsMax = { message: 1_000, path: 200, details: 50, requestId: 128 } as const

export interface ErrorBody {
  error: {
    status: number
    code: RefusalCode | 'internal-error'
    message: string
    requestId: string
    details?: RefusalDetail[]
    blockers?: { id: string; label: string }[]
    validEvents?: string[]
    action?: string
    blocked?: boolean
  }
}

/** The response to a thrown value. A refusal shows its reason; a fault shows nothing internal. */
export function toErrorResponse(
  error: unknown,
  requestId: string,
): { status: number; headers: Record<string, string>; body: ErrorBody } {
  if (error instanceof ProviderBusy || isTransientFault(error)) return toErrorResponse(serviceBusy, requestId)
  if (!(error instanceof Refusal)) {
    const message = 'Something went wrong on our side. The request id helps us to find it.'
    return { status: 500, headers: {}, body: { error: { status: 500, code: 'internal-error', message, requestId } } }
  }
  const { action, blockers, details, validEvents, headers = {} } = error.extras
  const status = httpStatusOf[error.code]
  return {
    status,
    headers,
    body: {
      error: {
        status,
        code: error.code,
        message: truncateTo(errorLengthsMax.message, error.message),
        requestId,
        ...(details ? { details: details.slice(0, errorLengthsMax.details).map(shortened) } : {}),
        ...(blockers ? { blockers } : {}),
        ...(validEvents ? { validEvents } : {}),
        ...(action ? { action } : {}),
        ...(status === 402 ? { blocked: true } : {}),
      },
    },
  }
}

const shortened = ({ path, message, ...detail }: RefusalDetail): RefusalDetail => ({
  ...detail,
  path: truncateTo(errorLengthsMax.path, path),
  message: truncateTo(errorLengthsMax.message, message),
})

const serviceBusy = new Refusal('unavailable', 'The service is busy. Retry after the time in `Retry-After`.', {
  headers: { 'Retry-After': '1' },
})

/** Retryable errors of the AWS SDK and its sockets. Matched by name: the SDK exports no class for most of them. */
const transientErrorNames = new Set([
  'TimeoutError',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  'InternalServerError',
  'ServiceUnavailable',
  'SlowDown',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
])

/** A service of AWS did not respond or throttled the call: the same request may succeed later. */
export function isTransientFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { $fault, code } = error as { $fault?: unknown; code?: unknown }
  return $fault === 'server' || transientErrorNames.has(error.name) || transientErrorNames.has(String(code))
}
