/** Which segments of a plan are meant for the brief's presenter: `placement` says where they are, `occurrences` how many. */
import { createHash } from 'node:crypto'
import type { Brief } from '../records/brief.ts'

/** The `layout` of a segment that waits for a presenter. Who makes one spends avatar credits, which no generation does by itself. */
export const presenterLayout = 'presenter'

/** Indexes of the segments, of which there are `count`; none without a portrait. Without further words it is the first one. */
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

/** The same seed gives the same order. */
function shuffled(indexes: readonly number[], seed: string): number[] {
  const rank = (index: number) => createHash('sha256').update(`${seed}/${index}`).digest('hex')
  return indexes
    .map((index) => ({ index, at: rank(index) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ index }) => index)
}
