/** Parses responses of the endpoints that connecting an account calls. */
import type * as v from 'valibot'
import { NoResponse, NotSent } from './failures.ts'
import type { PlatformResponse } from './publisher.ts'
import { isSuccess, parseResponse } from './responses.ts'

/**
 * The parsed response, or null for 401. 403 throws: it concerns this deployment or a limit, not the token of the
 * account.
 */
export function parseUnlessUnauthorized<Schema extends v.GenericSchema>(
  response: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> | null {
  if (response.status === 401) return null
  throwUnlessSuccess(response)
  return parseResponse(response, schema)
}

/** 5xx and 408 leave open whether the platform acted (`NoResponse`); after 429 it has not (`NotSent`). */
export function throwIfUnavailable({ status }: PlatformResponse): void {
  if (status === 429) throw new NotSent('The rate limit of the platform is exceeded.')
  if (status >= 500 || status === 408) throw new NoResponse(`The platform returned status ${status}.`)
}

function throwUnlessSuccess(response: PlatformResponse): void {
  throwIfUnavailable(response)
  if (!isSuccess(response)) throw new Error(`The platform returned the unexpected status ${response.status}.`)
}

/** `now` plus `seconds`, in ISO; null without a number of seconds. */
export const expiresAfter = (now: string, seconds: number | null | undefined): string | null =>
  seconds ? new Date(Date.parse(now) + seconds * 1000).toISOString() : null
