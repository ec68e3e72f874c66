/** Choices that look free and are not: the same seed always leads to the same ones. */
import { createHash } from 'node:crypto'

export interface Choice {
  pick<T>(items: readonly T[]): T
  /** The items in another order. */
  shuffled<T>(items: readonly T[]): T[]
}

export function choiceFrom(seed: string): Choice {
  let turn = 0
  const number = (below: number) => createHash('sha256').update(`${seed}/${turn++}`).digest().readUInt32LE(0) % below
  return {
    pick: (items) => items[number(items.length)]!,
    shuffled: (items) => {
      const order = [...items]
      for (let last = order.length - 1; last > 0; last--) {
        const other = number(last + 1)
        ;[order[last], order[other]] = [order[other]!, order[last]!]
      }
      return order
    },
  }
}
