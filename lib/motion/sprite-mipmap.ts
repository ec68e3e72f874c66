/**
 * The mipmap of a sprite: its planes at several sizes, and the choice of the level to draw from. Loaded by every
 * rendering thread.
 */
import { reductionMax, type Size } from '../render/framing.ts'
import type { Placement } from '../render/sprite.ts'

/**
 * The planes of a sprite at one size, at `offset` in its file; see `OverlayPlanes` in
 * `containers/media/render/drawing/overlay-planes.ts`.
 */
export interface MipLevel extends Size {
  offset: number
  /** Pixels per pixel of the video at scale 1. */
  density: number
  /** Centre of the picture, in pixels of the level. */
  centreX: number
  centreY: number
  /** Width without the margin. */
  pictureWidth: number
}

/** `levels` are in order of falling size. */
export interface SpriteMaterial {
  file: string
  levels: MipLevel[]
}

/** Bytes of a level: luma and opacity, and at half the size two chroma planes and their opacity. */
export const mipLevelBytes = ({ width, height }: Size) => (width * height * 11) / 4

/** The largest level that the kernel can reduce to this scale; undefined when the sprite is too small to be visible. */
export const mipLevelFor = ({ levels }: SpriteMaterial, { scale }: Pick<Placement, 'scale'>): MipLevel | undefined =>
  levels.find(({ density }) => density <= reductionMax * scale)
