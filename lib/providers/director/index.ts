/** Cuts what is said into the scenes of a presentation. */

import type { TimedWord } from '../../domain/core/timeline-item.ts'
import type { PresentationScene } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { Brief } from '../../domain/records/brief.ts'

export interface CutInput {
  /** The transcript: words as they are shown, each in its own time. */
  words: readonly TimedWord[]
  mood: string | null
  /** The tone that the scenes begin with (`brief.presentationTone`), or null. */
  tone: string | null
  /** What the client wants to see in it. */
  assets: Brief['presentationAssets']
  /** The same seed gives the same cut, another one another look. */
  seed: string
}

export type CutScene = Omit<PresentationScene, 'id'>

export interface Director {
  /** Names the maker and its version: part of the name under which a cut is kept. */
  id: string
  /** Scenes in order from 0 to the end of the last word, without a gap; none where nothing is said. */
  cut(wish: CutInput): Promise<CutScene[]>
}
