/** Writing what platforms are asked: the same for several of them. */
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

/** A film, or a part of it, is sent within this time. */
export const uploadDeadlineMs = 300_000

/**
 * Whether an address that a platform names is on the platform's own site (`rupload.facebook.com` is, for `graph.facebook.com`): a token
 * goes nowhere else.
 */
export const isSameSite = (named: string, api: string): boolean => registrableOrigin(named) === registrableOrigin(api)

/** For the registered names that platforms have under .com: the last two labels. */
function registrableOrigin(address: string): string {
  const { protocol, hostname } = new URL(address)
  return `${protocol}//${hostname.split('.').slice(-2).join('.')}`
}
