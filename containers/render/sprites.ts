/** Makes sprites ready for drawing: each becomes planes in a scratch file, at its own size and at fractions of it for when it is small. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limitedInput } from '../../lib/ffmpeg/limits.ts'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { FfmpegFailure, readFfmpeg } from '../../lib/ffmpeg/run.ts'
import { log } from '../../lib/log.ts'
import { loadImage } from '../../lib/render/arguments.ts'
import type { Size } from '../../lib/render/motion.ts'
import type { RenderPlan } from '../../lib/render/plan.ts'
import { type Placement, type Sprite, scaleRange } from '../../lib/render/sprite.ts'
import { halved, paddedSize, planesOf, type Raster, rasterise } from './drawings.ts'
import { type Files, findFile } from './materials.ts'
import type { Workplace } from './workplace.ts'

/** The planes of a sprite at one size, at `offset` in its file: see `OverlayPlanes`. */
export interface SpriteLevel extends Size {
  offset: number
  /** Its pixels per pixel of the film at scale 1. */
  density: number
  /** Where the centre of the picture is, in its pixels. */
  centreX: number
  centreY: number
}

/** `levels` from the largest to the smallest. */
export interface SpriteMaterial {
  file: string
  levels: SpriteLevel[]
}

/** Room for the filter, which looks at most two pixels beyond the one it draws. */
const margin = 4
/** The kernel draws from at most this many pixels per pixel. */
const reductionMax = 1.5
const levelsMax = 5
/** Larger drawings than the largest film show nothing more. */
const sideMax = 4096
const imageSideMax = 1024

/** Bytes of a level: luma and opacity, and at half the size two colours and their opacity. */
export const levelBytes = ({ width, height }: Size) => (width * height * 11) / 4

/** The smallest level that is still sharp at this scale; undefined where the sprite is too small to be seen. */
export const levelFor = ({ levels }: SpriteMaterial, { scale }: Pick<Placement, 'scale'>): SpriteLevel | undefined =>
  levels.find(({ density }) => density <= reductionMax * scale)

/** Tasks that fill in `bySprite`. Sprites that look the same share one material. */
export function prepareSprites(
  plan: RenderPlan,
  files: Files,
  place: Workplace,
): { tasks: (() => Promise<void>)[]; bySprite: ReadonlyMap<Sprite, SpriteMaterial> } {
  const byLook = new Map<string, Promise<SpriteMaterial>>()
  const bySprite = new Map<Sprite, SpriteMaterial>()
  const sprites = [...new Set(plan.segments.flatMap((segment) => segment.sprites))]
  const tasks = sprites.map((sprite, index) => async () => {
    const { picture, width, height } = sprite
    const look = JSON.stringify([picture, width, height, scaleRange(sprite)])
    const material = byLook.get(look) ?? prepareSprite(sprite, `sprite-${index}.yuva`, files, place)
    byLook.set(look, material)
    bySprite.set(sprite, await material)
  })
  return { tasks, bySprite }
}

async function prepareSprite(sprite: Sprite, file: string, files: Files, place: Workplace): Promise<SpriteMaterial> {
  const { smallest, largest } = scaleRange(sprite)
  const drawn = await draw(sprite, largest, files, place)
  let raster = drawn ?? nothing
  let density = raster.width / sprite.width
  const levels: SpriteLevel[] = []
  const planes: Uint8Array[] = []
  let offset = 0
  while (drawn && levels.length < levelsMax) {
    // A picture may be much larger than it is ever shown.
    if (density <= 2 * largest) {
      const size = paddedSize(raster, margin)
      const centre = { centreX: margin + raster.width / 2, centreY: margin + raster.height / 2 }
      levels.push({ ...size, ...centre, offset, density })
      planes.push(...planesOf(raster, margin))
      offset += levelBytes(size)
      if (density <= reductionMax * smallest) break
    }
    raster = halved(raster)
    density /= 2
  }
  await writeFile(join(place.directory, file), planes)
  return { file, levels }
}

const nothing: Raster = { width: 0, height: 0, pixels: new Uint8Array() }

/** A drawing as large as it will be shown; a picture as large as it is, within bounds. */
async function draw({ picture, width, height }: Sprite, largest: number, files: Files, place: Workplace) {
  if (picture.kind === 'image') return decode(picture.key, files, place)
  return rasterise(picture, Math.min(largest, sideMax / width, sideMax / height))
}

/** Undefined for what cannot be decoded: a film is made also without a client's picture, as where it could not be fetched. */
async function decode(key: string, files: Files, place: Workplace): Promise<Raster | undefined> {
  const { path, demuxer } = await findFile(key, files)
  try {
    const { video } = await probeMedia(path, demuxer, place)
    if (!video) throw new RangeError('there is no picture in it')
    const shrink = Math.min(1, imageSideMax / Math.max(video.width, video.height))
    const size = { width: Math.ceil(video.width * shrink), height: Math.ceil(video.height * shrink) }
    const run = { ...place, arguments: loadImage(limitedInput(path, demuxer), size) }
    return { ...size, pixels: premultiplied(Buffer.concat(await Array.fromAsync(readFfmpeg(run)))) }
  } catch (failure) {
    if (!(failure instanceof FfmpegFailure || failure instanceof RangeError)) throw failure
    log.warn('picture.left-out', { key, reason: failure.message })
    return undefined
  }
}

function premultiplied(pixels: Uint8Array): Uint8Array {
  return pixels.map((value, index) => (index % 4 === 3 ? value : Math.round((value * pixels[index | 3]!) / 255)))
}
