/** What platforms answer: reading it, and what an answer that is no success means where the platform has no rule of its own. */
import * as v from 'valibot'
import type { PostLookup, StepOutcome } from '../domain/publishing/posting.ts'
import { NoResponse } from './failures.ts'
import type { PlatformResponse } from './publisher.ts'

/** What a platform says of a failure, in its own words; both may be shown. */
export interface PlatformError {
  code: string
  message: string
}

export const isSuccess = ({ status }: PlatformResponse): boolean => status >= 200 && status < 300

/** An answer of this shape; unknown fields are no news. One that has it not leaves open what was done: `NoAnswer`. */
export function parseResponse<Schema extends v.GenericSchema>(
  answer: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> {
  const given = v.safeParse(schema, parseJson(answer))
  if (given.success) return given.output
  const [issue] = given.issues
  const place = v.getDotPath(issue) ?? 'the whole'
  throw new NoResponse(`The platform answers ${answer.status}, and otherwise than documented: ${place}.`)
}

/** The same where an answer may have another shape. */
export function tryParseResponse<Schema extends v.GenericSchema>(
  answer: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  const given = v.safeParse(schema, parseJson(answer))
  return given.success ? given.output : undefined
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
/** Whatever a platform says: nobody waits longer than this without asking again. */
const retryAfterSecondsMax = 86_400

/** What a failure means by its status alone (RFC 9110, section 15). Servers in trouble may have published: `NoAnswer`. */
export function failureOutcome(
  answer: PlatformResponse,
  now: string,
  { told, publishes = false }: { told?: PlatformError | undefined; publishes?: boolean },
): StepOutcome<never> {
  const { code, message } = told ?? {
    code: `status-${answer.status}`,
    message: `The platform answers ${answer.status}.`,
  }
  if (answer.status === 401) return { kind: 'unauthorised' }
  if (answer.status === 429) return { kind: 'retry', waitSeconds: retryAfterSeconds(answer, now), message }
  const isRefusal = answer.status >= 400 && answer.status < 500 && answer.status !== 408
  if (isRefusal) return { kind: 'refused', code, message }
  if (publishes) throw new NoResponse(message)
  return { kind: 'retry', waitSeconds: serverErrorRetrySeconds, message }
}

/** An answer that tells nothing of the post, and what it means: whether a new token may help. */
export const inconclusive = (why: StepOutcome<never>, waitSeconds: number): PostLookup<never> =>
  why.kind === 'unauthorised' ? { kind: 'unsure', waitSeconds, isTokenRefused: true } : { kind: 'unsure', waitSeconds }

/** `Retry-After` (RFC 9110, section 10.2.3), or the second at which a limit ends, as X and others tell it. */
export function retryAfterSeconds({ headers }: PlatformResponse, now: string, usual = rateLimitRetrySeconds): number {
  const after = Number(headers['retry-after'])
  if (after > 0) return Math.min(retryAfterSecondsMax, Math.ceil(after))
  const reset = Number(headers['x-rate-limit-reset'] ?? headers['ratelimit-reset']) - Date.parse(now) / 1000
  return reset > 0 ? Math.min(retryAfterSecondsMax, Math.ceil(reset)) : usual
}
