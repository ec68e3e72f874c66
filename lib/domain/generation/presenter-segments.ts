/** Selects the segments that are reserved for the brief's presenter: `placement` is where, `occurrences` how many. */
import { createHash } from 'node:crypto'
import type { Brief } from '../records/brief.ts'

/** The `layout` of a segment without a presenter yet. Presenters cost avatar credits: a generation never makes one by itself. */
export const presenterLayout = 'presenter'

/** Indexes of the presenter's segments out of `count`; none without a portrait. The default is the first segment. */
export function presenterSegmentIndexes(
  count: number,
  { presenter }: Pick<Brief, 'presenter'>,
  seed: string,
): Set<number> {
  if (!presenter?.imageUrl) return new Set()
  const { placement = 'first', occurrences = 1 } = presenter
  const all = Array.from({ length: count }, (_, index) => index)
  switch (placement) {
    case 'all':
      return new Set(all)
    case 'first':
      return new Set(all.slice(0, occurrences))
    case 'last':
      return new Set(all.slice(-occurrences))
    case 'random':
      return new Set(shuffled(all, seed).slice(0, occurrences))
  }
}

/** Deterministic in the seed. */
function shuffled(indexes: readonly number[], seed: string): number[] {
  const rank = (index: number) => createHash('sha256').update(`${seed}/${index}`).digest('hex')
  return indexes
    .map((index) => ({ index, at: rank(index) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ index }) => index)
}
