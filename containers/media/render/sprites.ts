/**
 * Rasterises or decodes the picture of a sprite and writes it to a scratch file as a mipmap of planes for the motion
 * kernel. What a sprite is and how it moves is pure data, in `lib/render/sprite.ts`; caption sprites are laid out in
 * `lib/render/captions/sprites.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { log } from '../../../lib/log.ts'
import type { Raster } from '../../../lib/motion/raster.ts'
import { buildMipmap, type Mipmap } from '../../../lib/motion/sprite-mipmap.ts'
import { decodeImageArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { PlannedSprite } from '../../../lib/render/sprite.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asRenderFailure } from '../render-failure.ts'
import { identifyFile, type LocalFiles } from './materials.ts'
import { rasterise } from './rasterise.ts'

/** A mipmap in a scratch file. */
export interface SpriteMaterial extends Mipmap {
  file: string
}

/** No drawing needs to be larger than the largest video. */
const sideMax = 4096
const imageSideMax = 1024

/**
 * Returns a memoised function that prepares the material of a sprite. Sprites with the same picture and sizes share it.
 */
export function spriteMaterialsFor(
  files: LocalFiles,
  context: FfmpegContext,
): (sprite: SpriteLook) => Promise<SpriteMaterial> {
  const cache = new Map<string, Promise<SpriteMaterial>>()
  return (sprite) => {
    const { picture, width, height, scales } = sprite
    const look = JSON.stringify([picture, width, height, scales])
    const material = cache.get(look) ?? prepareSprite(sprite, `sprite-${cache.size}.yuva`, files, context)
    cache.set(look, material)
    return material
  }
}

type SpriteLook = Pick<PlannedSprite, 'picture' | 'width' | 'height' | 'scales'>

async function prepareSprite(
  sprite: SpriteLook,
  file: string,
  files: LocalFiles,
  context: FfmpegContext,
): Promise<SpriteMaterial> {
  const drawn = await rasterisePicture(sprite, sprite.scales.largest, files, context)
  const { levels, planes } = buildMipmap(drawn, sprite.width, sprite.scales)
  await writeFile(join(context.directory, file), planes)
  return { file, levels }
}

/** A drawing at its largest scale; an image at its own size, within limits. */
async function rasterisePicture(
  { picture, width, height }: SpriteLook,
  largest: number,
  files: LocalFiles,
  context: FfmpegContext,
) {
  if (picture.kind === 'image') return decodeImage(picture.key, files, context)
  return rasterise(picture, Math.min(largest, sideMax / width, sideMax / height))
}

/**
 * Undefined for a file that is not a valid image: the render continues without a client's image, as when it could not
 * be fetched.
 */
async function decodeImage(key: string, files: LocalFiles, context: FfmpegContext): Promise<Raster | undefined> {
  const { path, demuxer } = await identifyFile(key, files)
  try {
    const { video } = await probeMedia(path, demuxer, context)
    if (!video) return skipPicture(key, 'it contains no image')
    const shrink = Math.min(1, imageSideMax / Math.max(video.width, video.height))
    const size = { width: Math.ceil(video.width * shrink), height: Math.ceil(video.height * shrink) }
    const { output } = await runFfmpeg({
      ...context,
      arguments: decodeImageArguments(restrictedInput(path, demuxer), size),
    })
    if (output.length !== 4 * size.width * size.height) return skipPicture(key, 'the image is truncated')
    return { ...size, pixels: premultiplied(output) }
  } catch (failure) {
    // Segments are cached by the file's key alone, so only the content of the file may decide that it is left out.
    if (failure instanceof FfmpegFailure && failure.isPermanent) return skipPicture(key, failure.message)
    throw asRenderFailure(failure, `The image ${key} cannot be read`)
  }
}

function skipPicture(key: string, reason: string): undefined {
  log.warn('picture.left-out', { key, reason })
}

function premultiplied(pixels: Uint8Array): Uint8Array {
  return pixels.map((value, index) => (index % 4 === 3 ? value : Math.round((value * pixels[index | 3]!) / 255)))
}
