/** A seeded random number generator (sfc32): the only source of chance in a simulation. */

export type Random = ReturnType<typeof createRandom>

export function createRandom(seed: number) {
  let [a, b, c, d] = [seed >>> 0, 0x9e3779b9, 0x243f6a88, 1]

  /** In [0, 1). */
  function next(): number {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let round = 0; round < 12; round++) next()

  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    /** Both ends are included. */
    integer,
    chance: (probability: number) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
    /** An item by its weight. */
    weighted<Item>(items: readonly (readonly [Item, number])[]): Item {
      let rest = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        rest -= weight
        if (rest < 0) return item
      }
      return items.at(-1)![0]
    },
    shuffled<Item>(items: readonly Item[]): Item[] {
      const result = [...items]
      for (let last = result.length - 1; last > 0; last--) {
        const other = integer(0, last)
        ;[result[last], result[other]] = [result[other]!, result[last]!]
      }
      return result
    },
    bytes(size: number): Uint8Array {
      const bytes = new Uint8Array(size)
      for (let index = 0; index < size; index++) bytes[index] = next() * 256
      return bytes
    },
    /** Mostly near `from`, at times far away: latencies. */
    longTailed: (from: number, to: number) => from + (to - from) * next() ** 4,
    /** An independent generator: what one part draws does not depend on how much another has drawn. */
    fork: () => createRandom(Math.floor(next() * 4_294_967_296)),
  }
}
