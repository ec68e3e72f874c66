/** A beat: the span of a narration that becomes one scene. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'

export interface Beat {
  startMs: number
  endMs: number
  words: TimedWord[]
  text: string
}
