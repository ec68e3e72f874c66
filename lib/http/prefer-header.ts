/** The `Prefer` header, of which we know `wait` (https://www.rfc-editor.org/rfc/rfc7240#section-4.3). What is not understood is no error. */

/** API Gateway cuts at 30 s. */
const waitSecondsMax = 25

/** How many seconds the client is willing to wait, or `usual`; more than we can wait is as much as we can. */
export function preferredWaitSeconds(headers: Record<string, string | undefined>, usual: number): number {
  const wish = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(headers.prefer ?? '')
  return wish ? Math.min(Number(wish[1]), waitSecondsMax) : usual
}
