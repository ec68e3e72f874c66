/** What platforms answer: reading it, and what an answer that is no success means where the platform has no rule of its own. */
import * as v from 'valibot'
import type { Found, StepOutcome } from '../domain/publishing/posting.ts'
import { NoAnswer } from './failures.ts'
import type { PlatformAnswer } from './publisher.ts'

/** What a platform says of a failure, in its own words; both may be shown. */
export interface Told {
  code: string
  message: string
}

export const isSuccess = ({ status }: PlatformAnswer): boolean => status >= 200 && status < 300

/** An answer of this shape; unknown fields are no news. One that has it not leaves open what was done: `NoAnswer`. */
export function read<Schema extends v.GenericSchema>(answer: PlatformAnswer, schema: Schema): v.InferOutput<Schema> {
  const given = v.safeParse(schema, jsonIn(answer))
  if (given.success) return given.output
  const [issue] = given.issues
  const place = v.getDotPath(issue) ?? 'the whole'
  throw new NoAnswer(`The platform answers ${answer.status}, and otherwise than documented: ${place}.`)
}

/** The same where an answer may have another shape. */
export function readIf<Schema extends v.GenericSchema>(
  answer: PlatformAnswer,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  const given = v.safeParse(schema, jsonIn(answer))
  return given.success ? given.output : undefined
}

function jsonIn({ body }: PlatformAnswer): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const troubleSeconds = 15
const rateSeconds = 60
/** Whatever a platform says: nobody waits longer than this without asking again. */
const resetSecondsMax = 86_400

/** What a failure means by its status alone (RFC 9110, section 15). Servers in trouble may have published: `NoAnswer`. */
export function failureOf(
  answer: PlatformAnswer,
  now: string,
  { told, publishes = false }: { told?: Told | undefined; publishes?: boolean },
): StepOutcome<never> {
  const { code, message } = told ?? {
    code: `status-${answer.status}`,
    message: `The platform answers ${answer.status}.`,
  }
  if (answer.status === 401) return { kind: 'unauthorised' }
  if (answer.status === 429) return { kind: 'retry', waitSeconds: secondsUntilReset(answer, now), message }
  const isRefusal = answer.status >= 400 && answer.status < 500 && answer.status !== 408
  if (isRefusal) return { kind: 'refused', code, message }
  if (publishes) throw new NoAnswer(message)
  return { kind: 'retry', waitSeconds: troubleSeconds, message }
}

/** An answer that tells nothing of the post, and what it means: whether a new token may help. */
export const notTold = (why: StepOutcome<never>, waitSeconds: number): Found<never> =>
  why.kind === 'unauthorised' ? { kind: 'unsure', waitSeconds, isTokenRefused: true } : { kind: 'unsure', waitSeconds }

/** `Retry-After` (RFC 9110, section 10.2.3), or the second at which a limit ends, as X and others tell it. */
export function secondsUntilReset({ headers }: PlatformAnswer, now: string, usual = rateSeconds): number {
  const after = Number(headers['retry-after'])
  if (after > 0) return Math.min(resetSecondsMax, Math.ceil(after))
  const reset = Number(headers['x-rate-limit-reset'] ?? headers['ratelimit-reset']) - Date.parse(now) / 1000
  return reset > 0 ? Math.min(resetSecondsMax, Math.ceil(reset)) : usual
}
