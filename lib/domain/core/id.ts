/** Identifiers: opaque, prefixed and ordered by time; or deterministic in the cause of an effect, which makes repeats idempotent. */
import { createHash, randomBytes } from 'node:crypto'

export type IdPrefix =
  | 'vid'
  | 'prf'
  | 'acc'
  | 'whk'
  | 'dlv'
  | 'upl'
  | 'wsp'
  | 'key'
  | 'evt'
  | 'run'
  | 'cap'
  | 'pag'
  | 'brl'
  | 'psc'
  | 'scn'

/** Crockford's base 32 in lower case: no letter looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = alphabet[Number(rest & 31n)] + text
  return text
}

const randomBytesPerId = 10
/** Random hexadecimal digits for the next ids: a timeline mints thousands at once. */
let digits = ''

function randomDigits(): string {
  if (digits === '') digits = randomBytes(randomBytesPerId * 256).toString('hex')
  const next = digits.slice(0, randomBytesPerId * 2)
  digits = digits.slice(next.length)
  return next
}

/** A new id such as `vid_01kb...`: 48 bits of time, then 80 random bits (the layout of a ULID). `now` is an ISO time. */
export function mintId(prefix: IdPrefix, now: string): string {
  const random = BigInt(`0x${randomDigits()}`)
  return `${prefix}_${base32(BigInt(Date.parse(now)), 10)}${base32(random, 16)}`
}

/** A deterministic id that sorts by time: the same time and cause always give the same id. */
export function deterministicIdAt(prefix: IdPrefix, time: string, ...cause: string[]): string {
  return `${prefix}_${base32(BigInt(Date.parse(time)), 10)}${base32(digestOf(cause), 16)}`
}

/** A deterministic id: the same cause always gives the same id. 130 bits of SHA-256. */
export function deterministicId(prefix: IdPrefix, ...cause: string[]): string {
  return `${prefix}_${base32(digestOf(cause), 26)}`
}

const digestOf = (cause: string[]) => BigInt(`0x${createHash('sha256').update(JSON.stringify(cause)).digest('hex')}`)
