/** Makes pictures and clips ready for drawing: stills become raw frames in a file, clips are measured. */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Demuxer, detectDemuxer, restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { decodeStillArguments, type MediaColours } from '../../../lib/render/ffmpeg-arguments.ts'
import { type Size, sourceSize } from '../../../lib/render/framing.ts'
import type { Layer, RenderPlan, Segment } from '../../../lib/render/segments/render-plan.ts'
import type { Drawing } from '../../../lib/render/sprite.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { opaqueFrame, rasterise } from './raster.ts'
import { asMediaFailure, RenderFailure } from './render-failure.ts'

/** One raw frame of `size` in a scratch file. */
export interface StillMaterial {
  kind: 'still'
  size: Size
  file: string
}

/** A clip to decode at `size`, which starts over after `frames` frames. */
export interface ClipMaterial {
  kind: 'clip'
  size: Size
  path: string
  demuxer: Demuxer
  frames: number
  colours: MediaColours
  /** Whether each of its pictures lasts one frame of the film. */
  isSteady: boolean
}

export type Material = StillMaterial | ClipMaterial

type Film = Pick<RenderPlan, 'width' | 'height' | 'fps'>

/** Absolute local paths by storage key. */
export type LocalFiles = ReadonlyMap<string, string>

/** Answers the material of a layer, which is made when it is first asked for. Layers that show the same share one. */
export function materialsFor(plan: Film, files: LocalFiles, place: FfmpegContext): (layer: Layer) => Promise<Material> {
  const made = new Map<string, Promise<Material>>()
  return (layer) => {
    const size = sourceSize(layer.motion, plan)
    const content = JSON.stringify([layer.media, size])
    const material = made.get(content) ?? prepareMaterial(layer, size, `still-${made.size}.yuv`, plan, files, place)
    made.set(content, material)
    return material
  }
}

async function prepareMaterial(
  { media }: Layer,
  size: Size,
  file: string,
  film: Film,
  files: LocalFiles,
  place: FfmpegContext,
): Promise<Material> {
  try {
    if (media.kind === 'drawing') return await drawStill(media, size, film, file, place)
    const { path, demuxer } = await identifyFile(media.key, files)
    if (media.kind === 'clip') return await measureClip({ key: media.key, path, demuxer }, size, film.fps, place)
    await runFfmpeg({ ...place, arguments: decodeStillArguments(restrictedInput(path, demuxer), size, file) })
    return { kind: 'still', size, file }
  } catch (failure) {
    throw asMediaFailure(failure, media)
  }
}

/** The storage keys of all that segments show. */
export function mediaKeysOf(segments: readonly Segment[]): string[] {
  const shown = segments.flatMap(({ layer, fade, sprites }) => [
    layer.media,
    ...(fade ? [fade.from.media] : []),
    ...sprites.map(({ picture }) => picture),
  ])
  return [...new Set(shown.flatMap((media) => ('key' in media ? [media.key] : [])))]
}

/** The drawing is as large as the film. */
async function drawStill(
  drawing: Drawing,
  size: Size,
  film: Size,
  file: string,
  place: FfmpegContext,
): Promise<StillMaterial> {
  const raster = await rasterise(drawing, size.width / film.width)
  await writeFile(join(place.directory, file), opaqueFrame(raster))
  return { kind: 'still', size, file }
}

/** Path and kind of the local copy of a stored file. */
export async function identifyFile(key: string, files: LocalFiles): Promise<{ path: string; demuxer: Demuxer }> {
  const path = files.get(key)
  if (path === undefined) throw new RenderFailure('bad-media', `No local file was given for ${key}`)
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0)
    const demuxer = detectDemuxer(buffer)
    if (demuxer === undefined) throw new RenderFailure('bad-media', `${key} is not a kind of file that can be used`)
    return { path, demuxer }
  } finally {
    await file.close()
  }
}

async function measureClip(
  { key, path, demuxer }: { key: string; path: string; demuxer: Demuxer },
  size: Size,
  fps: number,
  place: FfmpegContext,
): Promise<Material> {
  const { durationMs = 0, video } = await probeMedia(path, demuxer, place)
  if (!video) throw new RenderFailure('bad-media', `There is no picture in the clip ${key}`)
  // To the nearest one: a film as long as its source must not begin it again for its last frame.
  const frames = Math.max(1, Math.round((durationMs * fps) / 1000))
  // Clips that do not say are HD ones as a rule, and those are BT.709.
  const colours = video.colours ?? 'bt709'
  return { kind: 'clip', size, path, demuxer, frames, colours, isSteady: video.fps === fps }
}
