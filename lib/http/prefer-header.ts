/** The `wait` preference of the `Prefer` header (https://www.rfc-editor.org/rfc/rfc7240#section-4.3). Others are ignored. */

import { headerLengthsMax } from '../contract/header-lengths.ts'

/** API Gateway times out after 30 s. */
const waitSecondsMax = 25

/** The requested number of seconds, capped at 25; `defaultSeconds` without the header, and for one that is too long. */
export function preferredWaitSeconds(headers: Record<string, string | undefined>, defaultSeconds: number): number {
  const { prefer = '' } = headers
  if (prefer.length > headerLengthsMax.prefer) return defaultSeconds
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer)
  return match ? Math.min(Number(match[1]), waitSecondsMax) : defaultSeconds
}
