/** Draws the frames of a segment. Runs in a worker, between the decoders and the encoder. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { settleAll } from '../../../lib/async.ts'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { streamFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { drawFrame, isFading } from '../../../lib/motion/draw-frame.ts'
import type { LoadedSprite, MotionKernel, PictureBuffer } from '../../../lib/motion/kernel.ts'
import { decodeClipArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { Layer, Segment } from '../../../lib/render/segments/render-plan.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asMediaFailure } from '../render-failure.ts'
import type { ClipMaterial, Material } from './materials.ts'
import type { SpriteMaterial } from './sprites.ts'

/** A segment with the materials of its layers. */
export interface PreparedSegment {
  segment: Segment
  material: Material
  fadeMaterial: Material | undefined
  /** Of the segment's sprites, in their order. */
  spriteMaterials: SpriteMaterial[]
  /** Name of the scratch file to encode into. */
  output: string
}

/** Yields raw yuv420p frames, each valid until the next one is requested. */
export async function* drawFrames(
  { segment, material, fadeMaterial, spriteMaterials }: PreparedSegment,
  kernel: MotionKernel,
  fps: number,
  context: FfmpegContext,
): AsyncGenerator<Uint8Array, void> {
  const { fromFrame, toFrame, layer, fade } = segment
  const sprites = await loadSprites(spriteMaterials, kernel, context)
  const picture = kernel.pictureBuffer(0, material.size)
  const shown = playLayer(layer, material, picture, { from: fromFrame, to: toFrame, fps }, context)
  const fading = fade && fadeMaterial && kernel.pictureBuffer(1, fadeMaterial.size)
  const fadingSpan = { from: fromFrame, to: fromFrame + (fade?.frames ?? 0), fps }
  const fadingShown = fading && playLayer(fade.from, fadeMaterial, fading, fadingSpan, context)
  try {
    for (let frame = fromFrame; frame < toFrame; frame++) {
      await shown.next()
      if (isFading(segment, frame)) await fadingShown?.next()
      drawFrame(kernel, segment, frame, fps, { picture, fading, sprites })
      yield kernel.frame
    }
  } finally {
    // Also ends the decoders when the consumer stops early.
    await shown.return()
    await fadingShown?.return()
  }
}

/**
 * Must precede any other use of the kernel's memory. Reads straight into it: buffers of their own would make V8 collect
 * garbage for every segment.
 */
async function loadSprites(
  materials: readonly SpriteMaterial[],
  kernel: MotionKernel,
  context: FfmpegContext,
): Promise<LoadedSprite[]> {
  const sprites = kernel.spriteBuffers(materials)
  await settleAll(materials.map(({ file }, index) => readInto(sprites[index]!.bytes, join(context.directory, file))))
  return sprites
}

interface Span {
  from: number
  to: number
  fps: number
}

/** At each step, fills the buffer with the picture of the next frame. */
async function* playLayer(
  layer: Layer,
  material: Material,
  buffer: PictureBuffer,
  span: Span,
  context: FfmpegContext,
): AsyncGenerator<void, void> {
  if (material.kind === 'clip') {
    yield* playClip(layer, material, buffer, span, context)
  } else {
    await readInto(buffer.bytes, join(context.directory, material.file))
    for (;;) yield
  }
}

/** Reads a file of exactly this length. */
async function readInto(bytes: Uint8Array, path: string): Promise<void> {
  const file = await open(path)
  try {
    for (let read = 0; read < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, read)
      if (bytesRead === 0) throw new Error(`${path} has ${read} bytes instead of ${bytes.length}`)
      read += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** Decodes from the clip's position at the first frame of the span, and loops the clip at its end. */
async function* playClip(
  layer: Layer,
  clip: ClipMaterial,
  buffer: PictureBuffer,
  { from, to, fps }: Span,
  context: FfmpegContext,
): AsyncGenerator<void, void> {
  let position = (layer.offsetFrames + from - layer.fromFrame) % clip.frames
  let remaining = to - from
  while (remaining > 0) {
    const end = Math.min(clip.frames, position + remaining)
    const range = {
      fps,
      from: position,
      to: end,
      colours: clip.colours,
      hasConstantFrameRate: clip.isSteady,
      isWhole: clip.isWhole,
    }
    const run = {
      ...context,
      arguments: decodeClipArguments(restrictedInput(clip.path, clip.demuxer), clip.size, range),
    }
    try {
      for await (const _ of fillFrames(streamFfmpeg(run), buffer.bytes)) {
        yield
        position++
        remaining--
      }
    } catch (failure) {
      throw asMediaFailure(failure, layer.media)
    }
    // Some clips end a frame or two before their stated duration: the last frame is repeated.
    for (; position < end; position++, remaining--) yield
    position = 0
  }
}

/** Copies a stream of raw frames into `frame`, and yields whenever it is complete. */
async function* fillFrames(chunks: AsyncIterable<Uint8Array>, frame: Uint8Array): AsyncGenerator<void, void> {
  let filled = 0
  for await (const chunk of chunks) {
    for (let read = 0; read < chunk.length; ) {
      const piece = chunk.subarray(read, read + frame.length - filled)
      frame.set(piece, filled)
      read += piece.length
      filled += piece.length
      if (filled === frame.length) {
        filled = 0
        yield
      }
    }
  }
}
