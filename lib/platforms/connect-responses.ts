/** What platforms answer when they are asked who an account is. */
import type * as v from 'valibot'
import { NoResponse, NotSent } from './failures.ts'
import type { PlatformResponse } from './publisher.ts'
import { isSuccess, parseResponse } from './responses.ts'

/** An answer of this shape, or null where the token is refused. 403 says it of this deployment, or of a limit: the account is not to blame. */
export function parseUnlessUnauthorized<Schema extends v.GenericSchema>(
  answer: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> | null {
  if (answer.status === 401) return null
  throwUnlessSuccess(answer)
  return parseResponse(answer, schema)
}

/** A platform in trouble may have acted all the same; one that is asked too often has not. */
export function throwIfUnavailable({ status }: PlatformResponse): void {
  if (status === 429) throw new NotSent('The platform is asked too often.')
  if (status >= 500 || status === 408) throw new NoResponse(`The platform answers ${status}.`)
}

export function throwUnlessSuccess(answer: PlatformResponse): void {
  throwIfUnavailable(answer)
  if (!isSuccess(answer)) throw new Error(`The platform answers ${answer.status} to a question that it documents.`)
}

/** ISO, so many seconds from then; null where there is no such number. */
export const expiresAfter = (now: string, seconds: number | null | undefined): string | null =>
  seconds ? new Date(Date.parse(now) + seconds * 1000).toISOString() : null
