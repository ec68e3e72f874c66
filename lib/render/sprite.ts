/**
 * Sprites: small pictures with transparent parts that lie over the film and move on their own: the words of a slide, a logo, an emoji.
 * Plain data; containers/render/sprites.ts makes them pixels and the motion kernel lays them over a frame.
 */
import { type Track, valueAt } from './keyframes.ts'

/** What is drawn: `fonts` are the files (paths inside packages) that its text is set in. No blur filters: they take seconds. */
export interface Drawing {
  kind: 'drawing'
  /** An SVG document with its width and height in pixels. */
  svg: string
  fonts?: readonly string[]
}

export interface Sprite {
  /** A drawing, or the storage key of a picture (PNG, JPEG, WebP) that is shown whole. */
  picture: Drawing | { kind: 'image'; key: string }
  /** Pixels of the film at scale 1. */
  width: number
  height: number
  /** Shown from `fromMs` (included) to `toMs` (excluded) of the film. All tracks are on the film's clock. */
  fromMs: number
  toMs: number
  /** Where the centre of the sprite is, in pixels of the film. */
  x: Track
  y: Track
  scale: Track
  /** 0 to 1. */
  opacity: Track
}

/** How a sprite lies in one frame. */
export interface Placement {
  x: number
  y: number
  scale: number
  opacity: number
}

export const placementAt = ({ x, y, scale, opacity }: Sprite, ms: number): Placement => ({
  x: valueAt(x, ms),
  y: valueAt(y, ms),
  scale: valueAt(scale, ms),
  opacity: Math.max(0, Math.min(1, valueAt(opacity, ms))),
})

/** The frames of the film that a sprite is shown in: `from` included, `to` excluded. */
export const framesOf = ({ fromMs, toMs }: Pick<Sprite, 'fromMs' | 'toMs'>, fps: number) => ({
  from: Math.round((fromMs * fps) / 1000),
  to: Math.round((toMs * fps) / 1000),
})

/** Smallest and largest scale that a sprite is shown at; tracks have their extremes at key frames. */
export function scaleRange({ scale }: Pick<Sprite, 'scale'>): { smallest: number; largest: number } {
  const values = scale.map(([, value]) => value)
  return { smallest: Math.min(...values), largest: Math.max(...values) }
}
