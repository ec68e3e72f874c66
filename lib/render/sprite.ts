/**
 * Sprites: small pictures with transparent parts that lie over the film and move on their own: the words of a slide, a logo, an emoji.
 * Plain data; containers/media/render/sprites.ts makes them pixels and the motion kernel lays them over a frame.
 */
import { type Track, valueAt } from './keyframes.ts'

/** A file that text is set in: its path inside a package, and the hash of its bytes, so that a drawing says all that it looks like. */
export interface DrawingFont {
  file: string
  sha256: string
}

/** What is drawn, with the fonts of its text. A blur filter takes 5 ms on a word, and seconds on a whole film's size. */
export interface Drawing {
  kind: 'drawing'
  /** An SVG document with its width and height in pixels. */
  svg: string
  fonts?: readonly DrawingFont[]
}

/** What a sprite shows, and how it moves on the clock of the film. */
interface SpriteMotion {
  /** A drawing, or the storage key of a picture (PNG, JPEG, WebP) that is shown whole. */
  picture: Drawing | { kind: 'image'; key: string }
  /** Pixels of the film at scale 1. */
  width: number
  height: number
  /** Where the centre of the sprite is, in pixels of the film. */
  x: Track
  y: Track
  scale: Track
  /** 0 to 1. */
  opacity: Track
  /** What is seen of it where that is not all: from where to where, as shares of its width. */
  reveal?: { from: Track; to: Track }
}

/** From the smallest to the largest scale at which a picture is seen. */
export interface ScaleRange {
  smallest: number
  largest: number
}

/** A sprite of a composition: shown from `fromMs` (included) to `toMs` (excluded). */
export interface Sprite extends SpriteMotion {
  fromMs: number
  toMs: number
  /** Given where several sprites show one picture, which is then made ready once for all of them; else those of its own track. */
  scales?: ScaleRange
}

/** A sprite of a plan: shown from `fromFrame` (included) to `toFrame` (excluded). */
export interface PlannedSprite extends SpriteMotion {
  fromFrame: number
  toFrame: number
  /** Of all its time, also where less of that is seen: it is made ready at the sizes between them. */
  scales: ScaleRange
}

/** How a sprite lies in one frame. */
export interface Placement {
  x: number
  y: number
  scale: number
  opacity: number
  /** The part of its width that is seen. */
  from: number
  to: number
}

export const placementAt = ({ x, y, scale, opacity, reveal }: SpriteMotion, ms: number): Placement => ({
  x: valueAt(x, ms),
  y: valueAt(y, ms),
  scale: valueAt(scale, ms),
  opacity: Math.max(0, Math.min(1, valueAt(opacity, ms))),
  from: reveal ? valueAt(reveal.from, ms) : 0,
  to: reveal ? valueAt(reveal.to, ms) : 1,
})

/** Tracks have their extremes at key frames. */
export function scaleRangeOf(scale: Track): ScaleRange {
  const values = scale.map(([, value]) => value)
  return { smallest: Math.min(...values), largest: Math.max(...values) }
}

/** The sprite in frames. Nobody rounds its times again: it ends in the very frame in which the shot under it changes. */
export function planSprite({ fromMs, toMs, ...sprite }: Sprite, frameAt: (ms: number) => number): PlannedSprite {
  return {
    ...sprite,
    fromFrame: frameAt(fromMs),
    toFrame: frameAt(toMs),
    scales: sprite.scales ?? scaleRangeOf(sprite.scale),
  }
}
