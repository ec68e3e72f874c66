/** The key of a Bluesky post, chosen by us: writing the same post a second time writes the same record. */
import { createHash } from 'node:crypto'

const alphabet = '234567abcdefghijklmnopqrstuvwxyz'
const clockIds = 1024n

/**
 * A TID (https://atproto.com/specs/tid): microseconds since 1970 and ten bits that tell clocks apart, in 13 characters that sort by
 * time. What `acceptedAt` leaves open is filled from the post's id, so that posts of the same millisecond have different keys.
 */
export function recordKey({ id, acceptedAt }: { id: string; acceptedAt: string }): string {
  const filling = createHash('sha256').update(id).digest().readBigUInt64BE()
  const micros = BigInt(Date.parse(acceptedAt)) * 1000n + ((filling / clockIds) % 1000n)
  const tid = micros * clockIds + (filling % clockIds)
  return Array.from({ length: 13 }, (_, place) => alphabet[Number((tid >> BigInt(5 * (12 - place))) & 31n)]).join('')
}
