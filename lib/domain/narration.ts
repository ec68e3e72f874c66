/** What is kept of a narration beside its sound. */
import type { HeardWord } from './timelines/captions.ts'

export interface NarrationFacts {
  audioKey: string
  durationMs: number
  words: HeardWord[]
}

/** The film goes on for a moment after the last word. */
export const tailMs = 600
