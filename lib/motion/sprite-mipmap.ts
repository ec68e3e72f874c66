/** What the kernel is given of a sprite: its planes at several sizes, and which of them is drawn from. Loaded by every rendering thread. */
import { reductionMax, type Size } from '../render/framing.ts'
import type { Placement } from '../render/sprite.ts'

/** The planes of a sprite at one size, at `offset` in its file: see `OverlayPlanes`. */
export interface MipLevel extends Size {
  offset: number
  /** Its pixels per pixel of the film at scale 1. */
  density: number
  /** Where the centre of the picture is, in its pixels. */
  centreX: number
  centreY: number
  /** How wide it is without the room around it. */
  pictureWidth: number
}

/** `levels` from the largest to the smallest. */
export interface SpriteMaterial {
  file: string
  levels: MipLevel[]
}

/** Bytes of a level: luma and opacity, and at half the size two colours and their opacity. */
export const mipLevelBytes = ({ width, height }: Size) => (width * height * 11) / 4

/** The smallest level that is still sharp at this scale; undefined where the sprite is too small to be seen. */
export const mipLevelFor = ({ levels }: SpriteMaterial, { scale }: Pick<Placement, 'scale'>): MipLevel | undefined =>
  levels.find(({ density }) => density <= reductionMax * scale)
