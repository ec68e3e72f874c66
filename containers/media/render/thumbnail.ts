/**
 * Decodes the candidate frames of a thumbnail, blends the title over the best one and encodes the JPEG. Frames come
 * from the media of the shots, because rendered frames have captions on them. The pure halves are
 * `lib/render/thumbnail-moments.ts` and `frame-score.ts` (which frame) and `lib/render/thumbnail-title.ts` (the title's
 * layout).
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { settleAll } from '../../../lib/async.ts'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import type { Raster } from '../../../lib/motion/raster.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { loadFonts } from '../../../lib/render/drawing/load-fonts.ts'
import { decodeFrameArguments, encodeJpegArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import { captionFonts } from '../../../lib/render/fonts.ts'
import { type RgbImage, scoreFrame } from '../../../lib/render/frame-score.ts'
import type { Size } from '../../../lib/render/framing.ts'
import { thumbnailKey } from '../../../lib/render/segments/segment-key.ts'
import { typefaceOf } from '../../../lib/render/slides/typefaces.ts'
import type { Drawing } from '../../../lib/render/sprite.ts'
import { type ThumbnailMoment, thumbnailMoments } from '../../../lib/render/thumbnail-moments.ts'
import { drawTitle, thumbnailSize } from '../../../lib/render/thumbnail-title.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asMediaFailure } from '../render-failure.ts'
import { installedAssets } from './drawing-assets.ts'
import { identifyFile, type LocalFiles } from './materials.ts'
import { rasterise } from './rasterise.ts'
import type { RenderRequest } from './render-request.ts'

type ThumbnailDeps = Pick<RenderRequest, 'files' | 'fetchFiles' | 'store'>

interface ThumbnailPlan {
  moments: ThumbnailMoment[]
  size: Size
  /** Pixels of the thumbnail per pixel of the video. */
  zoom: number
  /** Blended over the frame. */
  title: Drawing
  /** Name in the segment store. */
  name: string
}

/** Name of the scratch file. */
export const thumbnailFile = 'thumbnail.jpg'

/** `tools` is the fingerprint of the toolchain. */
export async function planThumbnail(composition: Composition, tools: string): Promise<ThumbnailPlan> {
  const { title: words = '', theme, isPresented } = composition
  const size = thumbnailSize(composition)
  const fonts = captionFonts(theme, words)
  const title = drawTitle(words, theme, typefaceOf(fonts, await loadFonts(fonts, installedAssets)), size, isPresented)
  const moments = thumbnailMoments(composition)
  const zoom = size.width / composition.width
  return { moments, size, zoom, title, name: `${thumbnailKey({ moments, size, title }, tools)}.jpg` }
}

/** Writes the scratch file, from the segment store where it has the thumbnail. */
export async function makeThumbnail(
  plan: ThumbnailPlan,
  context: FfmpegContext,
  { files, fetchFiles, store }: ThumbnailDeps,
): Promise<void> {
  const { moments, size, title, name } = plan
  const path = join(context.directory, thumbnailFile)
  if (await store?.fetch(name, path, context.signal)) return
  const keys = moments.flatMap(({ media }) => ('key' in media ? media.key : []))
  await fetchFiles?.(keys, context.signal)
  const [frames, { pixels: overlay }] = await settleAll([
    settleAll(moments.map((moment) => frameAt(moment, plan, files, context))),
    rasterise(title, 1),
  ])
  const best = frames.map((frame) => ({ frame, appeal: scoreFrame(frame) })).toSorted((a, b) => b.appeal - a.appeal)[0]!
  const input = [blendOver(best.frame.pixels, overlay)]
  const { output } = await runFfmpeg({ ...context, arguments: encodeJpegArguments(size), input })
  // ffmpeg itself would silently write an empty file to a full disk.
  await writeFile(path, output)
  await store?.put(name, path, context.signal)
}

async function frameAt(
  { media, clipMs }: ThumbnailMoment,
  { size, zoom }: ThumbnailPlan,
  files: LocalFiles,
  context: FfmpegContext,
): Promise<RgbImage> {
  if (media.kind === 'drawing') return opaque(await rasterise(media, zoom), size)
  try {
    const { path, demuxer } = await identifyFile(media.key, files)
    const at = async (ms: number) =>
      (await runFfmpeg({ ...context, arguments: decodeFrameArguments(restrictedInput(path, demuxer), size, ms) }))
        .output
    const pixels = await at(clipMs)
    // A clip that is shorter than that starts over.
    return { ...size, pixels: pixels.length > 0 || clipMs === 0 ? pixels : await at(0) }
  } catch (failure) {
    throw asMediaFailure(failure, media)
  }
}

/** The raster on black, cropped or extended to `size`, from which it may differ by a row or a column. */
function opaque({ width, height, pixels }: Raster, size: Size): RgbImage {
  const result = new Uint8Array(3 * size.width * size.height)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const from = 4 * (Math.min(y, height - 1) * width + Math.min(x, width - 1))
      const to = 3 * (y * size.width + x)
      for (let channel = 0; channel < 3; channel++) result[to + channel] = pixels[from + channel]!
    }
  }
  return { ...size, pixels: result }
}

/** `overlay` is RGBA of the same size with premultiplied alpha. */
function blendOver(pixels: Uint8Array, overlay: Uint8Array): Uint8Array {
  const result = new Uint8Array(pixels.length)
  for (let from = 0, to = 0; to < pixels.length; from += 4, to += 3) {
    const rest = 255 - overlay[from + 3]!
    for (let channel = 0; channel < 3; channel++) {
      result[to + channel] = overlay[from + channel]! + (pixels[to + channel]! * rest) / 255 + 0.5
    }
  }
  return result
}
