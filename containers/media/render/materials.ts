/** Prepares the media of layers for drawing: stills become raw frames in a file, clips are measured. */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Demuxer, detectDemuxer, restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { opaqueFrame } from '../../../lib/motion/overlay-planes.ts'
import { decodeStillArguments, type MediaColours } from '../../../lib/render/ffmpeg-arguments.ts'
import { layerSourceSize, type Size } from '../../../lib/render/framing.ts'
import type { FrameFormat, Layer } from '../../../lib/render/segments/render-plan.ts'
import type { Drawing } from '../../../lib/render/sprite.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asMediaFailure, RenderFailure } from '../render-failure.ts'
import { rasterise } from './rasterise.ts'

/** One raw frame of `size` in a scratch file. */
interface StillMaterial {
  kind: 'still'
  size: Size
  file: string
}

/** A clip to decode at `size`, looped after `frames` frames. */
export interface ClipMaterial {
  kind: 'clip'
  size: Size
  path: string
  demuxer: Demuxer
  frames: number
  colours: MediaColours
  /** Whether its frame rate is that of the render. */
  isSteady: boolean
  /** Whether it is shown whole, before a blurred copy of itself. */
  isWhole: boolean
}

/** A larger part of a picture must not be cropped away if it can be shown whole. */
const cropShareMax = 0.3

export type Material = StillMaterial | ClipMaterial

/** Absolute local paths by storage key. */
export type LocalFiles = ReadonlyMap<string, string>

/** Returns a memoised function that prepares the material of a layer. Layers with the same media and size share it. */
export function materialsFor(
  format: FrameFormat,
  files: LocalFiles,
  context: FfmpegContext,
): (layer: Layer) => Promise<Material> {
  const cache = new Map<string, Promise<Material>>()
  return (layer) => {
    const size = layerSourceSize(layer, format)
    const content = JSON.stringify([layer.media, size, layer.fit])
    const material =
      cache.get(content) ?? prepareMaterial(layer, size, `still-${cache.size}.yuv`, format, files, context)
    cache.set(content, material)
    return material
  }
}

async function prepareMaterial(
  { media, fit }: Layer,
  size: Size,
  file: string,
  format: FrameFormat,
  files: LocalFiles,
  context: FfmpegContext,
): Promise<Material> {
  try {
    if (media.kind === 'drawing') return await drawStill(media, size, format, file, context)
    const { path, demuxer } = await identifyFile(media.key, files)
    if (media.kind === 'clip') {
      const clip = await measureClip({ key: media.key, path, demuxer }, size, format.fps, context)
      return { ...clip, isWhole: clip.isWhole && fit === 'whole' }
    }
    await runFfmpeg({ ...context, arguments: decodeStillArguments(restrictedInput(path, demuxer), size, file) })
    return { kind: 'still', size, file }
  } catch (failure) {
    throw asMediaFailure(failure, media)
  }
}

/** A drawing has the size of the video. */
async function drawStill(
  drawing: Drawing,
  size: Size,
  format: Size,
  file: string,
  context: FfmpegContext,
): Promise<StillMaterial> {
  const raster = await rasterise(drawing, size.width / format.width)
  await writeFile(join(context.directory, file), opaqueFrame(raster))
  return { kind: 'still', size, file }
}

/** Path and demuxer of the local copy of a stored file. */
export async function identifyFile(key: string, files: LocalFiles): Promise<{ path: string; demuxer: Demuxer }> {
  const path = files.get(key)
  if (path === undefined) throw new RenderFailure('bad-media', `No local file was given for ${key}`)
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0)
    const demuxer = detectDemuxer(buffer)
    if (demuxer === undefined) throw new RenderFailure('bad-media', `${key} has an unsupported file format`)
    return { path, demuxer }
  } finally {
    await file.close()
  }
}

async function measureClip(
  { key, path, demuxer }: { key: string; path: string; demuxer: Demuxer },
  size: Size,
  fps: number,
  context: FfmpegContext,
): Promise<ClipMaterial> {
  const { durationMs = 0, video } = await probeMedia(path, demuxer, context)
  if (!video) throw new RenderFailure('bad-media', `The clip ${key} has no video stream`)
  // Rounded to the nearest: a render as long as its source must not loop it for the last frame.
  const frames = Math.max(1, Math.round((durationMs * fps) / 1000))
  // Clips without a declared matrix are usually HD, which is BT.709.
  const colours = video.colours ?? 'bt709'
  const shapes = (video.width * size.height) / (video.height * size.width)
  const cropShare = 1 - Math.min(shapes, 1 / shapes)
  return {
    kind: 'clip',
    size,
    path,
    demuxer,
    frames,
    colours,
    isSteady: video.fps === fps,
    isWhole: cropShare > cropShareMax,
  }
}
