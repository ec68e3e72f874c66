/** Capability: cuts a narration into the scenes of a presentation. */
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import type { PresentationScene } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { Brief } from '../../domain/records/brief.ts'

export interface CutInput {
  /** The transcript: words as shown, with their times. */
  words: readonly TimedWord[]
  mood: string | null
  /** The tone of the first scenes (`brief.presentationTone`), or null. */
  tone: string | null
  /** Pictures of the client (`brief.presentationAssets`). */
  assets: Brief['presentationAssets']
  /** Another seed gives another look. The built-in director is deterministic. */
  seed: string
}

export type CutScene = Omit<PresentationScene, 'id'>

export interface Director {
  /** Maker and version: part of the artefact key of a cut. */
  id: string
  /** Scenes in order from 0 to the end of the last word, without gaps; none without words. */
  cut(input: CutInput): Promise<CutScene[]>
}
