/** A seeded pseudo-random number generator. */
import { sha256 } from '../domain/core/sha256.ts'

/** Returns the next number, 0 (included) to 1 (excluded). */
export type Random = () => number

/**
 * mulberry32, whose initial state is the first four bytes of the seed's SHA-256. Renders and drawings depend on its
 * exact numbers.
 */
export function seededRandom(seed: string): Random {
  let state = new DataView(sha256(seed).buffer).getUint32(0, true)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pickRandom = <T>(choices: readonly T[], random: Random): T =>
  choices[Math.floor(random() * choices.length)]!
