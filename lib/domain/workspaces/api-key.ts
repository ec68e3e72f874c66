/** API keys: `rs_live_`, 32 random bytes in base 62, and a CRC-32 of six characters that rejects typos without a read. */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Refusal } from '../core/refusal.ts'
import type { ApiKey, ApiKeyScope } from '../records/api-key.ts'

export const apiKeyPrefix = 'rs_live_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is the first power of 62 above 2^256. */
const secretLength = 43
const checksumLength = 6
/** The form of a key. */
export const apiKeyPattern = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text
}

const checksum = (text: string) => base62(BigInt(crc32(text)), checksumLength)

/** A new API key, shown once and never stored. */
export function mintApiKey(): string {
  const body = apiKeyPrefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
  return body + checksum(body)
}

/** Whether a text has the shape and checksum of a key. */
export function isWellFormedApiKey(text: string): boolean {
  if (!apiKeyPattern.test(text)) return false
  const body = text.slice(0, -checksumLength)
  return checksum(body) === text.slice(-checksumLength)
}

export const hashApiKey = (key: string) => createHash('sha256').update(key).digest('hex')

export const scopeOf = ({ scope = 'standard' }: Pick<ApiKey, 'scope'>): ApiKeyScope => scope

/** The same for every cause, so that it reveals none. */
export const invalidApiKey = () =>
  new Refusal('unauthorized', 'Send a valid API key as "Authorization: Bearer <key>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/** @throws Refusal `missing-scope` for a key that may not use the routes of keys. */
export function requireAdmin(key: Pick<ApiKey, 'scope'>): void {
  if (scopeOf(key) === 'admin') return
  throw new Refusal(
    'missing-scope',
    'This API key cannot manage keys. Use a key with the scope `admin`, which the operator or another such key creates.',
  )
}
