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

const randomLettersPerId = 16
/** One byte for each letter of the next ids: a timeline mints thousands at once. */
let randomness = randomBytes(0)
let used = 0

/** 80 random bits, of 5 a letter. */
function nextRandomLetters(): string {
  if (used === randomness.length) {
    randomness = randomBytes(randomLettersPerId * 256)
    used = 0
  }
  let letters = ''
  for (const end = used + randomLettersPerId; used < end; used++) letters += alphabet[randomness[used]! & 31]
  return letters
}

/** A new id such as `vid_01kb...`: 48 bits of time, then 80 random bits (the layout of a ULID). `now` is an ISO time. */
export function mintId(prefix: IdPrefix, now: string): string {
  return `${prefix}_${timeLettersOf(now)}${nextRandomLetters()}`
}

/** Whether a text has the form of the ids with this prefix. */
export const isWellFormedId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9a-z]{26}$/.test(text.slice(prefix.length + 1))

/** The bound of the ids of a time: each that was minted earlier sorts before it, every other one after it. */
export const firstIdAt = (prefix: IdPrefix, time: string): string => `${prefix}_${timeLettersOf(time)}`

/** A deterministic id that sorts by time: the same time and cause always give the same id. */
export function deterministicIdAt(prefix: IdPrefix, time: string, ...cause: string[]): string {
  return `${prefix}_${timeLettersOf(time)}${base32(digestOf(cause), 16)}`
}

/** Of the last id: the items of a timeline have the time of their request. */
let last = { time: '', letters: '' }

function timeLettersOf(time: string): string {
  if (last.time !== time) last = { time, letters: base32(BigInt(Date.parse(time)), 10) }
  return last.letters
}

/** A deterministic id: the same cause always gives the same id. 130 bits of SHA-256. */
export function deterministicId(prefix: IdPrefix, ...cause: string[]): string {
  return `${prefix}_${base32(digestOf(cause), 26)}`
}

const digestOf = (cause: string[]) => BigInt(`0x${createHash('sha256').update(JSON.stringify(cause)).digest('hex')}`)
