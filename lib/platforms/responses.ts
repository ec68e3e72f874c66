/** Parses responses of platforms, and maps failures to outcomes by status where a platform has no rule of its own. */
import * as v from 'valibot'
import type { PostLookup, StepOutcome } from '../domain/publishing/posting.ts'
import { NoResponse } from './failures.ts'
import type { PlatformResponse } from './publisher.ts'

/** The error in a platform's response; both texts may be shown. */
export interface PlatformError {
  code: string
  message: string
}

export const isSuccess = ({ status }: PlatformResponse): boolean => status >= 200 && status < 300

/** Whether an upload or a session no longer exists. */
export const isGone = ({ status }: PlatformResponse): boolean => status === 404 || status === 410

/**
 * Parses a response, ignoring unknown fields. Throws `NoResponse` if it does not match, since the platform may have
 * acted.
 */
export function parseResponse<Schema extends v.GenericSchema>(
  response: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, parseJson(response))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const path = v.getDotPath(issue) ?? 'the whole body'
  throw new NoResponse(`The platform returned status ${response.status} with an undocumented body: ${path}.`)
}

/** Like `parseResponse`, but undefined if the response does not match. */
export function tryParseResponse<Schema extends v.GenericSchema>(
  response: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, parseJson(response))
  return parsed.success ? parsed.output : undefined
}

function parseJson({ body }: PlatformResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const serverErrorRetrySeconds = 15
const rateLimitRetrySeconds = 60
/** Upper bound of a wait that a platform requests. */
const retryAfterSecondsMax = 86_400

/**
 * Maps a failure by its status (RFC 9110, section 15). For a request that publishes, 5xx and 408 throw `NoResponse`.
 */
export function failureOutcome(
  response: PlatformResponse,
  now: string,
  { error, publishes = false }: { error?: PlatformError | undefined; publishes?: boolean },
): StepOutcome<never> {
  const { code, message } = error ?? {
    code: `status-${response.status}`,
    message: `The platform returned status ${response.status}.`,
  }
  if (response.status === 401) return { kind: 'unauthorised' }
  if (response.status === 429) return { kind: 'retry', waitSeconds: retryAfterSeconds(response, now), message }
  const isRefusal = response.status >= 400 && response.status < 500 && response.status !== 408
  if (isRefusal) return { kind: 'refused', code, message }
  if (publishes) throw new NoResponse(message)
  return { kind: 'retry', waitSeconds: serverErrorRetrySeconds, message }
}

/** A lookup that failed and thus says nothing about the post; notes whether a new token may help, or nothing will. */
export const inconclusive = (outcome: StepOutcome<never>, waitSeconds: number): PostLookup<never> => ({
  kind: 'unsure',
  waitSeconds,
  ...(outcome.kind === 'unauthorised' && { isTokenRefused: true }),
  ...(outcome.kind === 'refused' && { isDenied: true }),
})

/**
 * Seconds from `Retry-After` (RFC 9110, section 10.2.3), or until the reset of the rate limit, as X and others report
 * it.
 */
export function retryAfterSeconds(
  { headers }: PlatformResponse,
  now: string,
  defaultSeconds = rateLimitRetrySeconds,
): number {
  const after = Number(headers['retry-after'])
  if (after > 0) return Math.min(retryAfterSecondsMax, Math.ceil(after))
  const reset = Number(headers['x-rate-limit-reset'] ?? headers['ratelimit-reset']) - Date.parse(now) / 1000
  return reset > 0 ? Math.min(retryAfterSecondsMax, Math.ceil(reset)) : defaultSeconds
}
