/** The deterministic key of a Bluesky post, an idempotency key: writing the post twice writes one record. */
import { createHash } from 'node:crypto'

const alphabet = '234567abcdefghijklmnopqrstuvwxyz'
const clockIds = 1024n

/**
 * A TID (https://atproto.com/specs/tid): microseconds since 1970 and a ten-bit clock id, in 13 characters that sort by
 * time. Microseconds and clock id come from a hash of the post's id, so that posts of the same millisecond have
 * different keys.
 */
export function recordKey({ id, acceptedAt }: { id: string; acceptedAt: string }): string {
  const hash = createHash('sha256').update(id).digest().readBigUInt64BE()
  const micros = BigInt(Date.parse(acceptedAt)) * 1000n + ((hash / clockIds) % 1000n)
  const tid = micros * clockIds + (hash % clockIds)
  return Array.from({ length: 13 }, (_, index) => alphabet[Number((tid >> BigInt(5 * (12 - index))) & 31n)]).join('')
}
