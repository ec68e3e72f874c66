/** Chance that is the same for the same seed: small numbers that sound unplanned. */
import { createHash } from 'node:crypto'

/** The next of a row of numbers, 0 (included) to 1 (excluded). */
export type Random = () => number

/** Numbers of the generator mulberry32, which begins at a hash of the seed. */
export function seededRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pickRandom = <T>(choices: readonly T[], random: Random): T =>
  choices[Math.floor(random() * choices.length)]!
