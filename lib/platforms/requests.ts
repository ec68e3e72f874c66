/** Builders of requests, shared by the platforms. */
import type { PlatformRequest } from './publisher.ts'

export const bearerHeader = (token: string) => ({ authorization: `Bearer ${token}` })

export const jsonPostRequest = (url: string, headers: Record<string, string>, body: object): PlatformRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: Buffer.from(JSON.stringify(body)),
})

export const formPostRequest = (url: string, fields: Record<string, string>): PlatformRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(new URLSearchParams(fields).toString()),
})

/** Timeout for uploading the mp4 or one part of it; publishing cuts it to the cap in `advance-posting.ts` (220 s). */
export const uploadDeadlineMs = 300_000

/**
 * Whether a URL that a platform returned has the site of the platform (`rupload.facebook.com` and `graph.facebook.com`
 * do). Tokens must not be sent to other sites.
 */
export const isSameSite = (url: string, api: string): boolean => registrableOrigin(url) === registrableOrigin(api)

/** Scheme and last two labels of the host, which suffices for the platforms' domains under .com. */
function registrableOrigin(url: string): string {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname.split('.').slice(-2).join('.')}`
}
