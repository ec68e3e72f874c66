/** The mipmap of a sprite: its planes at several sizes, and the choice of the level to draw from. */
import { reductionMax, type Size } from '../render/framing.ts'
import type { Placement, ScaleRange } from '../render/sprite.ts'
import { overlayPlanesOf, paddedSize } from './overlay-planes.ts'
import { halveRaster, type Raster } from './raster.ts'

/**
 * The planes of a sprite at one size, at `offset` in its bytes; see
 * `OverlayPlanes`.
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
export interface Mipmap {
  levels: MipLevel[]
}

/** Transparent edge for the filter, which reads at most two pixels beyond the one it draws. */
const margin = 4
const levelsMax = 5

/** The levels that a sprite `width` pixels wide needs at these scales, and their bytes; no level without a raster. */
export function buildMipmap(
  drawn: Raster | undefined,
  width: number,
  { smallest, largest }: ScaleRange,
): Mipmap & { planes: Uint8Array[] } {
  const levels: MipLevel[] = []
  const planes: Uint8Array[] = []
  if (!drawn) return { levels, planes }
  let raster = drawn
  let density = raster.width / width
  let offset = 0
  while (levels.length < levelsMax) {
    // Levels larger than the sprite is ever shown are skipped.
    if (density <= 2 * largest) {
      const size = paddedSize(raster, margin)
      const centre = { centreX: margin + raster.width / 2, centreY: margin + raster.height / 2 }
      levels.push({ ...size, ...centre, pictureWidth: raster.width, offset, density })
      planes.push(...overlayPlanesOf(raster, margin))
      offset += mipLevelBytes(size)
      if (density <= reductionMax * smallest) break
    }
    raster = halveRaster(raster)
    density /= 2
  }
  return { levels, planes }
}

/** Bytes of all levels. */
export function mipmapByteLength({ levels }: Mipmap): number {
  const last = levels.at(-1)
  return last ? last.offset + mipLevelBytes(last) : 0
}

/** Bytes of a level: luma and opacity, and at half the size two chroma planes and their opacity. */
const mipLevelBytes = ({ width, height }: Size) => (width * height * 11) / 4

/** The largest level that the kernel can reduce to this scale; undefined when the sprite is too small to be visible. */
export const mipLevelFor = ({ levels }: Mipmap, { scale }: Pick<Placement, 'scale'>): MipLevel | undefined =>
  levels.find(({ density }) => density <= reductionMax * scale)
