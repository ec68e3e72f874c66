/** Spreads a long render over several tasks: each renders a run of segments, then one joins them all. */
import type { Composition, CompositionPage } from '../composition.ts'
import { planRender, type Segment } from './render-plan.ts'
import { rebaseSegment } from './segment-key.ts'

/** The segments that begin in the frames `from` (included) to `to` (excluded) of the film. */
export interface Batch {
  from: number
  to: number
}

/**
 * A task renders 2.4 s of film in a second and takes 20 to 60 s to start: with less to render than this, a second round of
 * tasks would begin later than one task ends.
 */
const secondsMin = 240
/** What is worth a task. */
const secondsOfBatchMin = 60

/**
 * At most `batchesMax` runs of about equal length over what `before`, the film that was rendered last, does not show; none
 * where one task is done sooner. It is an estimate: what is missing in the end, the task that joins them renders itself.
 */
export function planBatches(composition: Composition, before: Composition | undefined, batchesMax: number): Batch[] {
  const there = new Set(before ? segmentsByContent(before).keys() : [])
  const missing = [...segmentsByContent(composition)].flatMap(([shown, segments]) =>
    there.has(shown) ? [] : segments[0]!,
  )
  const frames = missing.reduce((sum, segment) => sum + lengthOf(segment), 0)
  const seconds = frames / composition.fps
  const count = Math.min(batchesMax, Math.floor(seconds / secondsOfBatchMin))
  if (seconds < secondsMin || count < 2) return []
  const firsts: number[] = []
  let passed = 0
  for (const segment of missing.toSorted((a, b) => a.fromFrame - b.fromFrame)) {
    if (passed >= (firsts.length * frames) / count) firsts.push(segment.fromFrame)
    passed += lengthOf(segment)
  }
  const end = Math.round((composition.durationMs * composition.fps) / 1000)
  return firsts.map((from, index) => ({ from, to: firsts[index + 1] ?? end }))
}

const lengthOf = ({ fromFrame, toFrame }: Segment) => toFrame - fromFrame

/** The segments of a film by what they show. */
function segmentsByContent(composition: Composition): Map<string, Segment[]> {
  const { segments, width, height, fps } = planRender(composition)
  // What stands on slides is drawn later: who changes one of them changes all, as far as an estimate goes.
  const { slides, brand } = composition
  return Map.groupBy(segments, (segment) => {
    const pages = pagesIn(segment, composition)
    const theme = slides || pages.length > 0 ? composition.theme : undefined
    return JSON.stringify([width, height, fps, theme, slides, brand, pages, rebaseSegment(segment, fps)])
  })
}

/** The caption pages that are seen in a segment, on its own clock in whole milliseconds. */
function pagesIn({ fromFrame, toFrame }: Segment, { pages, fps }: Composition): CompositionPage[] {
  const beganMs = (fromFrame * 1000) / fps
  const moved = <Span extends { startMs: number; endMs: number }>(span: Span): Span => ({
    ...span,
    startMs: Math.round(span.startMs - beganMs),
    endMs: Math.round(span.endMs - beganMs),
  })
  return pages
    .filter(({ startMs, endMs }) => startMs * fps < toFrame * 1000 && endMs * fps > fromFrame * 1000)
    .map((page) => ({ ...moved(page), words: page.words.map(moved) }))
}
