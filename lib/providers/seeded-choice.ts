/** Deterministic choices: the same seed always gives the same ones, in the order of the calls. */
import { createHash } from 'node:crypto'

export interface SeededChoice {
  pick<T>(items: readonly T[]): T
  shuffled<T>(items: readonly T[]): T[]
}

export function seededChoice(seed: string): SeededChoice {
  let calls = 0
  const number = (below: number) => createHash('sha256').update(`${seed}/${calls++}`).digest().readUInt32LE(0) % below
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

/**
 * The choices for a script. `opening` has to be the first call: a variation never opens like the script that it varies.
 */
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
