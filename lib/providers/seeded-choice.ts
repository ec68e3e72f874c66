/** Choices that look free and are not: the same seed always leads to the same ones. */
import { createHash } from 'node:crypto'

export interface SeededChoice {
  pick<T>(items: readonly T[]): T
  /** The items in another order. */
  shuffled<T>(items: readonly T[]): T[]
}

export function seededChoice(seed: string): SeededChoice {
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

/** The choices for a script of an idea, the first of which is its opening: a variation never opens like the script it varies. */
export function scriptChoice({ prompt, variation }: { prompt: string; variation: string | null }): SeededChoice & {
  opening<T>(items: readonly T[]): T
} {
  const choice = seededChoice(variation === null ? prompt : `${prompt}#${variation}`)
  const opening = <T>(items: readonly T[]) => {
    if (variation === null || items.length < 2) return choice.pick(items)
    const first = seededChoice(prompt).pick(items)
    return choice.pick(items.filter((item) => item !== first))
  }
  return { ...choice, opening }
}
