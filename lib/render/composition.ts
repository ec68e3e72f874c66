/**
 * The input of the renderer as plain data, independent of files, clocks and AWS. It is also the immutable manifest of a
 * render, so the same composition must always give the same video. The names of its fields are stored and hashed.
 */

import type { CaptionWord } from '../domain/generation/captions/captions.ts'
import type { CameraMotion } from '../domain/generation/scenes/camera.ts'
import type { ThemeConfig } from '../domain/records/theme.ts'
import type { Music } from './music/bed.ts'
import type { Brand, Slide } from './slides/slide.ts'
import type { Drawing, Sprite } from './sprite.ts'

/** The visible part of a picture. */
export type Framing = CameraMotion['from']

/**
 * Storage key of a still (PNG, JPEG) or of a clip (H.264 mp4), which is looped when it is shorter than its shot; or a
 * drawing.
 */
export type ShotMedia = { kind: 'still' | 'clip'; key: string } | Drawing

/** Media on the screen from `startMs` to `endMs`, moving linearly between two framings. */
export interface Shot {
  startMs: number
  endMs: number
  media: ShotMedia
  /** By default the previous shot fades into this one; `cut` where something else covers the change. */
  enter?: 'cut'
  /** Position in the clip at the start of the shot; 0 by default. */
  offsetMs?: number
  motion: CameraMotion
  /** Show the whole picture before a blurred copy of itself where covering the frame would lose much of it. */
  fit?: 'whole'
  /** When the camera jumps closer, back, closer and so on; ascending, inside the shot. */
  punchInsMs?: number[]
}

/** A group of words shown together. Words lie inside the page and in order. */
export interface CompositionPage {
  startMs: number
  endMs: number
  words: Pick<CaptionWord, 'startMs' | 'endMs' | 'punctuated_word'>[]
  /** Shown above or below the words. */
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
  /** Background music. */
  music?: Music
  /** Without hidden pages; empty when `showSubtitles` is false. */
  pages: CompositionPage[]
  /** In order. Their content is drawn over their backgrounds, which are among the shots. */
  slides?: Slide[]
  /** The client's logo and icon. */
  brand?: Brand
  /** In drawing order, above the shots and below the captions. */
  sprites?: Sprite[]
  theme: ThemeConfig
  /** Title of the thumbnail. */
  title?: string
  /** Words over the first seconds, which say what the video is about. */
  hook?: string
  /** A presenter speaks to the camera throughout. */
  isPresented?: true
}
