/** API keys: `rs_live_`, 32 random bytes in base 62, and a CRC-32 of six characters that rejects typos without a read. */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export interface ApiKey {
  id: string
  workspaceId: string
  name: string
  /** SHA-256 of the whole key, hex. The key itself is stored nowhere. */
  hash: string
  /** The last four characters, which identify a key for users. */
  lastFour: string
  createdAt: string
  revokedAt: string | null
  /** Set while its workspace is suspended. */
  suspendedAt?: string
}

const prefix = 'rs_live_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is the first power of 62 above 2^256. */
const secretLength = 43
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text
}

const checksum = (text: string) => base62(BigInt(crc32(text)), checksumLength)

/** A new API key, shown once and never stored. */
export function mintApiKey(): string {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
  return body + checksum(body)
}

/** Whether a text has the shape and checksum of a key. */
export function isWellFormedApiKey(text: string): boolean {
  if (!shape.test(text)) return false
  const body = text.slice(0, -checksumLength)
  return checksum(body) === text.slice(-checksumLength)
}

export const hashApiKey = (key: string) => createHash('sha256').update(key).digest('hex')
