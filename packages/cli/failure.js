/** Failures of the command line and their exit codes. A refusal of the API is a `ReelsmithError` of the client. */
import { ReelsmithError } from './client/index.js'

export const exitCodes = /** @type {const} */ ({
  done: 0,
  refused: 1,
  usage: 2,
  authentication: 3,
  unavailable: 4,
  jobFailed: 5,
  interrupted: 130,
})

/** The meaning of each exit code, for the help. */
export const exitCodeTexts = /** @type {const} */ ([
  [exitCodes.done, 'Done.'],
  [exitCodes.refused, 'The API refused the request: `error.code` says why. A signature is not valid.'],
  [exitCodes.usage, 'The command, a flag or a value is wrong. Nothing was sent.'],
  [exitCodes.authentication, 'No key, or the service does not accept it.'],
  [exitCodes.unavailable, 'No response, a fault of the service (5xx), too many requests, or the end of --timeout.'],
  [exitCodes.jobFailed, 'A job of the video failed, seen by --wait or `watch`.'],
])

export class Failure extends Error {
  /** @override */
  name = 'Failure'

  /** @param {string} code @param {number} exitCode @param {string} message */
  constructor(code, exitCode, message) {
    super(message)
    this.code = code
    this.exitCode = exitCode
  }
}

/** @param {string} message */
export const usageFailure = (message) => new Failure('usage', exitCodes.usage, message)

/** @param {unknown} error @returns {number} */
export function exitCodeOf(error) {
  if (error instanceof Failure) return error.exitCode
  if (!(error instanceof ReelsmithError)) return exitCodes.refused
  const { code, status } = error
  if (code === 'video-failed') return exitCodes.jobFailed
  if (status === 401) return exitCodes.authentication
  const isUnavailable = status === 0 || status === 429 || status >= 500 || code === 'unreadable-answer'
  return isUnavailable ? exitCodes.unavailable : exitCodes.refused
}

/**
 * What is written to stderr. Never the key: the messages of the client and of the service do not have it.
 * @param {unknown} error @returns {{ code: string, message: string, exitCode: number, [field: string]: unknown }}
 */
export function describeFailure(error) {
  const exitCode = exitCodeOf(error)
  if (error instanceof ReelsmithError) {
    const { message, code, status, requestId, details, action, blocked, blockers, validEvents } = error
    const more = { details, action, blocked, blockers, validEvents }
    return {
      code,
      message: withReason(message, error.cause),
      exitCode,
      ...(status > 0 && { status, requestId }),
      ...more,
    }
  }
  if (error instanceof Failure) return { code: error.code, message: error.message, exitCode }
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), exitCode }
}

/** `fetch failed` has its reason in a cause of its own: ECONNREFUSED. @param {string} message @param {unknown} failure */
function withReason(message, failure) {
  const cause = failure instanceof Error ? /** @type {NodeJS.ErrnoException | undefined} */ (failure.cause) : undefined
  const reason = cause?.code || cause?.message
  return reason ? `${message} (${reason})` : message
}
