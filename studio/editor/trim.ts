/** Trims of pictures in the timeline: the border between two segments moves, and snaps to words. */
import type { EditorDocument } from './document.ts'

/** A segment is never trimmed to less. */
export const trimMsMin = 200

type Spans = 'bRolls' | 'presentationScenes'

/** Moves the end of a segment, and the start of the one that follows without a gap. */
export function trimEnd(document: EditorDocument, spans: Spans, id: string, endMs: number): EditorDocument {
  const all = document[spans]
  const index = all.findIndex((segment) => segment.id === id)
  const segment = all[index]
  if (!segment) return document
  const next = all[index + 1]
  const follows = next !== undefined && next.startMs === segment.endMs
  const latest = follows ? next.endMs - trimMsMin : (next?.startMs ?? Number.POSITIVE_INFINITY)
  const to = Math.round(Math.max(segment.startMs + trimMsMin, Math.min(endMs, latest)))
  if (to === segment.endMs || latest < segment.startMs + trimMsMin) return document
  const trimmed = all.map((other, at) => {
    if (at === index) return { ...other, endMs: to }
    return follows && at === index + 1 ? { ...other, startMs: to } : other
  })
  return { ...document, [spans]: trimmed }
}

/** The point that is nearest to a time, if one is within reach; else the time. */
export function snapped(ms: number, points: readonly number[], reachMs: number): number {
  let nearest = ms
  let distance = reachMs
  for (const point of points) {
    if (Math.abs(point - ms) <= distance) {
      nearest = point
      distance = Math.abs(point - ms)
    }
  }
  return nearest
}

/** Where words begin and end: pictures that change there look cut to the narration. */
export const wordBorders = ({ captions }: EditorDocument): number[] => [
  ...new Set(captions.flatMap(({ startMs, endMs }) => [startMs, endMs])),
]
