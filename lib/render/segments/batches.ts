/** Splits a long render into batches for parallel tasks; one task joins the segments afterwards. */
import type { Composition, CompositionPage } from '../composition.ts'
import { planRender, type Segment } from './render-plan.ts'
import { rebaseSegment } from './segment-key.ts'

/** The segments that start in the frames `from` (included) to `to` (excluded). */
interface Batch {
  from: number
  to: number
}

/**
 * A task renders 2.4 s of video per second and takes 20 to 60 s to start: with less to render than this, the parallel
 * tasks would start later than a single task ends.
 */
const secondsMin = 240
/** The least work that is worth a task. */
const secondsOfBatchMin = 60

/**
 * At most `batchesMax` batches of about equal length over the segments that the previous render does not contain; none
 * when a single task is faster. An estimate: the joining task renders whatever is still missing.
 */
export function planBatches(composition: Composition, previous: Composition | undefined, batchesMax: number): Batch[] {
  const known = new Set(previous ? segmentsByContent(previous).keys() : [])
  const missing = [...segmentsByContent(composition)].flatMap(([content, segments]) =>
    known.has(content) ? [] : segments[0]!,
  )
  const frames = missing.reduce((sum, segment) => sum + lengthOf(segment), 0)
  const seconds = frames / composition.fps
  const count = Math.min(batchesMax, Math.floor(seconds / secondsOfBatchMin))
  if (seconds < secondsMin || count < 2) return []
  const starts: number[] = []
  let passed = 0
  for (const segment of missing.toSorted((a, b) => a.fromFrame - b.fromFrame)) {
    if (passed >= (starts.length * frames) / count) starts.push(segment.fromFrame)
    passed += lengthOf(segment)
  }
  const end = Math.round((composition.durationMs * composition.fps) / 1000)
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? end }))
}

const lengthOf = ({ fromFrame, toFrame }: Segment) => toFrame - fromFrame

/** The segments of a composition by their content. */
function segmentsByContent(composition: Composition): Map<string, Segment[]> {
  const { segments, width, height, fps } = planRender(composition)
  // Sprites of slides are drawn later, so this estimate treats a change of one slide as a change of all.
  const { slides, brand } = composition
  return Map.groupBy(segments, (segment) => {
    const pages = pagesIn(segment, composition)
    const theme = slides || pages.length > 0 ? composition.theme : undefined
    return JSON.stringify([width, height, fps, theme, slides, brand, pages, rebaseSegment(segment, fps)])
  })
}

/** The caption pages that are visible in a segment, on the segment's clock in whole milliseconds. */
function pagesIn({ fromFrame, toFrame }: Segment, { pages, fps }: Composition): CompositionPage[] {
  const beganMs = (fromFrame * 1000) / fps
  const rebase = <Span extends { startMs: number; endMs: number }>(span: Span): Span => ({
    ...span,
    startMs: Math.round(span.startMs - beganMs),
    endMs: Math.round(span.endMs - beganMs),
  })
  return pages
    .filter(({ startMs, endMs }) => startMs * fps < toFrame * 1000 && endMs * fps > fromFrame * 1000)
    .map((page) => ({ ...rebase(page), words: page.words.map(rebase) }))
}
