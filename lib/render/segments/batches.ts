/** Divides the segments that a render must produce into batches for parallel workers; another worker joins them. */
import type { Segment } from './render-plan.ts'

/** The segments that start in the frames `from` (included) to `to` (excluded). */
export interface Batch {
  from: number
  to: number
}

/**
 * At most `count` batches of about equal cost: none exceeds an equal share by more than the cost of one segment.
 * `segments` are in order; `end` is the number of frames of the video.
 */
export function divideByCost(
  segments: readonly Segment[],
  count: number,
  end: number,
  costOf: (segment: Segment) => number,
): Batch[] {
  const total = segments.reduce((sum, segment) => sum + costOf(segment), 0)
  const starts = new Map<number, number>()
  let passed = 0
  for (const segment of segments) {
    const cost = costOf(segment)
    const batch = Math.floor(((passed + cost / 2) * count) / total)
    if (!starts.has(batch)) starts.set(batch, segment.fromFrame)
    passed += cost
  }
  const frames = [...starts.values(), end]
  return frames.slice(0, -1).map((from, index) => ({ from, to: frames[index + 1]! }))
}
