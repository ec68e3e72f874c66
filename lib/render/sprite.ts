/**
 * Sprites: small transparent pictures that move independently over the video, such as the words of a slide, a logo or
 * an emoji. Plain data and pure functions; `containers/media/render/sprites.ts` rasterises them, and the motion kernel
 * blends them over a frame.
 */
import { type Track, valueAt } from './keyframes.ts'

/**
 * A font file: its path inside a package, and the hash of its bytes, so that a drawing determines its pixels
 * completely.
 */
export interface DrawingFont {
  file: string
  sha256: string
}

/**
 * An SVG drawing with the fonts of its text. A blur filter takes 5 ms on a word, but seconds at the size of the whole
 * video.
 */
export interface Drawing {
  kind: 'drawing'
  /** An SVG document with its width and height in pixels. */
  svg: string
  fonts?: readonly DrawingFont[]
}

/** What a sprite shows, and its tracks on the clock of the video. */
interface SpriteMotion {
  /** A drawing, or the storage key of an image (PNG, JPEG, WebP) that is shown uncropped. */
  picture: Drawing | { kind: 'image'; key: string }
  /** Pixels of the video at scale 1. */
  width: number
  height: number
  /** Centre of the sprite, in pixels of the video. */
  x: Track
  y: Track
  scale: Track
  /** 0 to 1. */
  opacity: Track
  /** The visible range of its width, as shares of it; absent, all is visible. */
  reveal?: { from: Track; to: Track }
}

/** The smallest and the largest scale at which a picture is shown. */
export interface ScaleRange {
  smallest: number
  largest: number
}

/** A sprite of a composition: shown from `fromMs` (included) to `toMs` (excluded). */
export interface Sprite extends SpriteMotion {
  fromMs: number
  toMs: number
  /**
   * Set where several sprites share a picture, so that it is prepared once for all; by default the range of its own
   * track.
   */
  scales?: ScaleRange
}

/** A sprite of a plan: shown from `fromFrame` (included) to `toFrame` (excluded). */
export interface PlannedSprite extends SpriteMotion {
  fromFrame: number
  toFrame: number
  /** Range over its whole time, also in a segment that shows less of it: the mip levels cover this range. */
  scales: ScaleRange
}

/** Position and look of a sprite in one frame. */
export interface Placement {
  x: number
  y: number
  scale: number
  opacity: number
  /** The visible range of its width. */
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

/** Tracks are linear between key frames, so their extremes are at key frames. */
export function scaleRangeOf(scale: Track): ScaleRange {
  const values = scale.map(([, value]) => value)
  return { smallest: Math.min(...values), largest: Math.max(...values) }
}

/** The sprite in frames. Its times are rounded only here, so that it ends in the same frame as the shot under it. */
export function planSprite({ fromMs, toMs, ...sprite }: Sprite, frameAt: (ms: number) => number): PlannedSprite {
  return {
    ...sprite,
    fromFrame: frameAt(fromMs),
    toFrame: frameAt(toMs),
    scales: sprite.scales ?? scaleRangeOf(sprite.scale),
  }
}
