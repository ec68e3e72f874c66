/** Makes sprites ready for drawing: each becomes planes in a scratch file, at its own size and at fractions of it for when it is small. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { log } from '../../../lib/log.ts'
import { type MipLevel, mipLevelBytes, reductionMax, type SpriteMaterial } from '../../../lib/motion/sprite-mipmap.ts'
import { decodeImageArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { PlannedSprite } from '../../../lib/render/sprite.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { identifyFile, type LocalFiles } from './materials.ts'
import { halveRaster, overlayPlanesOf, paddedSize, type Raster, rasterise } from './raster.ts'
import { asRenderFailure } from './render-failure.ts'

/** Room for the filter, which looks at most two pixels beyond the one it draws. */
const margin = 4
const levelsMax = 5
/** Larger drawings than the largest film show nothing more. */
const sideMax = 4096
const imageSideMax = 1024

/** Answers the material of a sprite, which is made when it is first asked for. Sprites that look the same share one. */
export function spriteMaterialsFor(
  files: LocalFiles,
  place: FfmpegContext,
): (sprite: SpriteLook) => Promise<SpriteMaterial> {
  const made = new Map<string, Promise<SpriteMaterial>>()
  return (sprite) => {
    const { picture, width, height, scales } = sprite
    const look = JSON.stringify([picture, width, height, scales])
    const material = made.get(look) ?? prepareSprite(sprite, `sprite-${made.size}.yuva`, files, place)
    made.set(look, material)
    return material
  }
}

type SpriteLook = Pick<PlannedSprite, 'picture' | 'width' | 'height' | 'scales'>

async function prepareSprite(
  sprite: SpriteLook,
  file: string,
  files: LocalFiles,
  place: FfmpegContext,
): Promise<SpriteMaterial> {
  const { smallest, largest } = sprite.scales
  const drawn = await draw(sprite, largest, files, place)
  let raster = drawn ?? nothing
  let density = raster.width / sprite.width
  const levels: MipLevel[] = []
  const planes: Uint8Array[] = []
  let offset = 0
  while (drawn && levels.length < levelsMax) {
    // A picture may be much larger than it is ever shown.
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
  await writeFile(join(place.directory, file), planes)
  return { file, levels }
}

const nothing: Raster = { width: 0, height: 0, pixels: new Uint8Array() }

/** A drawing as large as it will be shown; a picture as large as it is, within bounds. */
async function draw({ picture, width, height }: SpriteLook, largest: number, files: LocalFiles, place: FfmpegContext) {
  if (picture.kind === 'image') return decode(picture.key, files, place)
  return rasterise(picture, Math.min(largest, sideMax / width, sideMax / height))
}

/** Undefined for what is no picture: a film is made also without a client's picture, as where it could not be fetched. */
async function decode(key: string, files: LocalFiles, place: FfmpegContext): Promise<Raster | undefined> {
  const { path, demuxer } = await identifyFile(key, files)
  try {
    const { video } = await probeMedia(path, demuxer, place)
    if (!video) return skipPicture(key, 'there is no picture in it')
    const shrink = Math.min(1, imageSideMax / Math.max(video.width, video.height))
    const size = { width: Math.ceil(video.width * shrink), height: Math.ceil(video.height * shrink) }
    const { output } = await runFfmpeg({
      ...place,
      arguments: decodeImageArguments(restrictedInput(path, demuxer), size),
    })
    if (output.length !== 4 * size.width * size.height) return skipPicture(key, 'there is not all of a picture in it')
    return { ...size, pixels: premultiplied(output) }
  } catch (failure) {
    // What is drawn is kept under a key that names the file and nothing else: only what lies in the file may decide it.
    if (failure instanceof FfmpegFailure && failure.isPermanent) return skipPicture(key, failure.message)
    throw asRenderFailure(failure, `The picture ${key} cannot be read`)
  }
}

function skipPicture(key: string, reason: string): undefined {
  log.warn('picture.left-out', { key, reason })
}

function premultiplied(pixels: Uint8Array): Uint8Array {
  return pixels.map((value, index) => (index % 4 === 3 ? value : Math.round((value * pixels[index | 3]!) / 255)))
}
