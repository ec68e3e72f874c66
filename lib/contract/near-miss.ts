/** Finds the name that a client probably meant. Cost per call is bounded: longer names than `nameLengthMax` match nothing. */

/** Longer than every key and value of the contract. */
const nameLengthMax = 40
const editsMax = 2

/** Other names of things, which no edit distance finds. */
const aliases: Readonly<Record<string, string>> = { x: 'twitter', ig: 'instagram', yt: 'youtube', fb: 'facebook' }

/** The closest of the known names, at most two edits away, or with some words of a camel-case name left out. */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (name.length > nameLengthMax || known.includes(name)) return undefined
  const lower = name.toLowerCase()
  const alias = Object.hasOwn(aliases, lower) ? aliases[lower] : undefined
  if (alias !== undefined && known.includes(alias)) return alias
  let best: { candidate: string; edits: number } | undefined
  for (const candidate of known) {
    const edits = editDistance(lower, candidate.toLowerCase())
    // At least half of the name must be right: `to` is not `ugc`.
    if (edits <= editsMax && edits * 2 < Math.max(lower.length, 2) && edits < (best?.edits ?? Infinity))
      best = { candidate, edits }
  }
  return best?.candidate ?? known.find((candidate) => leavesOutWords(name, candidate))
}

/** Edits (insert, delete, replace, swap of neighbours) between two texts; a number above `editsMax` if there are more. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > editsMax) return editsMax + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? beforeLast[column - 2]! + 1 : Infinity
      current.push(Math.min(last[column]! + 1, current[column - 1]! + 1, replaced, swapped))
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}

/** `captionsEffect` for `captionsWordEffects`: its words, two at least, begin words of the candidate in the same order. */
function leavesOutWords(name: string, candidate: string): boolean {
  const words = wordsOf(name)
  let index = 0
  for (const word of wordsOf(candidate)) if (index < words.length && word.startsWith(words[index]!)) index++
  return words.length > 1 && index === words.length
}

const wordsOf = (name: string) =>
  name
    .split(/(?=[A-Z])|[_-]/)
    .map((word) => word.toLowerCase())
    .filter(Boolean)
