/** Numbers below a bound, the same ones for the same seed: Marsaglia's xorshift, which needs no state but a number. */
export function seededRandom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
