/**
 * What a renderer is asked to show: plain data, nothing about files, clocks or AWS. It is also the immutable manifest of
 * a render, so the same composition must always give the same film.
 */

import type { CaptionWord } from '../domain/generation/captions/captions.ts'
import type { ThemeConfig } from '../domain/records/theme.ts'
import type { Music } from './music/bed.ts'
import type { Brand, Slide } from './slides/slide.ts'
import type { Drawing, Sprite } from './sprite.ts'

/** The visible part of a picture: `scale` 1 shows all of it, `x` and `y` (0 to 1) place the window in what is left over. */
export interface Framing {
  scale: number
  x: number
  y: number
}

/** Storage key of a picture (PNG, JPEG) or of a clip (H.264 mp4), which is looped where it is shorter than its shot; or a drawing. */
export type ShotMedia = { kind: 'still' | 'clip'; key: string } | Drawing

/** A picture or a clip on the screen from `startMs` to `endMs`, moving evenly between two framings. */
export interface Shot {
  startMs: number
  endMs: number
  media: ShotMedia
  /** `cut` where something else covers the change; absent, the shot before fades into this one. */
  enter?: 'cut'
  /** Where in the clip the shot begins; at its start where this is absent. */
  offsetMs?: number
  motion: { from: Framing; to: Framing }
}

/** A group of words shown together. Words lie inside the page and in order. */
export interface CompositionPage {
  startMs: number
  endMs: number
  words: Pick<CaptionWord, 'startMs' | 'endMs' | 'punctuated_word'>[]
  /** An emoji that is shown beside the words. */
  emoji?: string
}

export interface Composition {
  width: number
  height: number
  fps: number
  durationMs: number
  /** In order and without gaps from 0 to `durationMs`. */
  shots: Shot[]
  /** Storage key of the narration (16-bit mono WAV). */
  narrationKey: string
  /** What lies under the narration. */
  music?: Music
  /** Pages that are hidden are not in here; none at all where `showSubtitles` is false. */
  pages: CompositionPage[]
  /** In order; what stands on them is drawn over their grounds, which are among the shots. */
  slides?: Slide[]
  /** Pictures of the client's that slides show. */
  brand?: Brand
  /** In the order in which they are drawn, over the shots and under the captions. */
  sprites?: Sprite[]
  theme: ThemeConfig
  /** Stands on the thumbnail. */
  title?: string
  /** Somebody speaks to the camera all the time. */
  isPresented?: true
}
