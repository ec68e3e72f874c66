/** Estimates from the manifests alone which segments a render must produce. Reads no segment store. */
import type { Composition, CompositionPage } from '../composition.ts'
import { rebaseSegment } from './rebase-segment.ts'
import { planRender, type Segment } from './render-plan.ts'

/**
 * The segments of `composition` that the previous render does not contain, in order and each content once. An estimate:
 * the worker that joins the segments renders whatever is still missing.
 */
export function missingSegments(composition: Composition, previous: Composition | undefined): Segment[] {
  const known = new Set(previous ? segmentsByContent(previous).keys() : [])
  return [...segmentsByContent(composition)]
    .flatMap(([content, segments]) => (known.has(content) ? [] : segments[0]!))
    .toSorted((a, b) => a.fromFrame - b.fromFrame)
}

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
