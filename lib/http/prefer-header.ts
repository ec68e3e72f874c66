/** The `wait` preference of the `Prefer` header (https://www.rfc-editor.org/rfc/rfc7240#section-4.3). Others are ignored. */

/** API Gateway times out after 30 s. */
const waitSecondsMax = 25

/** The requested number of seconds, capped at 25; `defaultSeconds` without the header. */
export function preferredWaitSeconds(headers: Record<string, string | undefined>, defaultSeconds: number): number {
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(headers.prefer ?? '')
  return match ? Math.min(Number(match[1]), waitSecondsMax) : defaultSeconds
}
