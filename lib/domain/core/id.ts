/**
 * Identifiers: opaque, prefixed and ordered by time; or deterministic in the cause of an effect, which makes repeats idempotent.
 * New ones are in `mint-id.ts`.
 */
import { createHash } from 'node:crypto'

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
export const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = alphabet[Number(rest & 31n)] + text
  return text
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

/** 48 bits of an ISO time. */
export const timeLettersOf = (time: string): string => base32(BigInt(Date.parse(time)), 10)

/** A deterministic id: the same cause always gives the same id. 130 bits of SHA-256. */
export function deterministicId(prefix: IdPrefix, ...cause: string[]): string {
  return `${prefix}_${base32(digestOf(cause), 26)}`
}

const digestOf = (cause: string[]) => BigInt(`0x${createHash('sha256').update(JSON.stringify(cause)).digest('hex')}`)
