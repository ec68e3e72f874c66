/** Draws the frames of a segment. Runs in a worker, between the decoders and the encoder. */
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { streamFfmpeg } from '../../../lib/ffmpeg/run.ts'
import type { MotionKernel, PictureBuffer } from '../../../lib/motion/kernel.ts'
import type { SpriteMaterial } from '../../../lib/motion/sprite-mipmap.ts'
import { decodeClipArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import { layerFraming } from '../../../lib/render/framing.ts'
import type { Layer, Segment } from '../../../lib/render/segments/render-plan.ts'
import { type PlannedSprite, placementAt } from '../../../lib/render/sprite.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asMediaFailure } from '../render-failure.ts'
import type { ClipMaterial, Material } from './materials.ts'

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
  const drawSprites = await spriteDrawer(segment.sprites, spriteMaterials, kernel, fps, context)
  const fadeEnd = fromFrame + (fade?.frames ?? 0)
  const picture = kernel.pictureBuffer(0, material.size)
  const shown = playLayer(layer, material, picture, { from: fromFrame, to: toFrame, fps }, context)
  const fading = fade && fadeMaterial && { layer: fade.from, picture: kernel.pictureBuffer(1, fadeMaterial.size) }
  const fadingShown =
    fading && playLayer(fading.layer, fadeMaterial, fading.picture, { from: fromFrame, to: fadeEnd, fps }, context)
  try {
    for (let frame = fromFrame; frame < toFrame; frame++) {
      await shown.next()
      const now = { picture, framing: layerFraming(layer, frame) }
      if (fading && fadingShown && frame < fadeEnd) {
        await fadingShown.next()
        const before = { picture: fading.picture, framing: layerFraming(fading.layer, frame) }
        // Both the first and the last frame of a fade show a mix of the two.
        kernel.drawCrossfade(before, now, (frame - fromFrame + 1) / (fadeEnd - fromFrame + 1))
      } else {
        kernel.drawPicture(now.picture, now.framing)
      }
      drawSprites(frame)
      yield kernel.frame
    }
  } finally {
    // Also ends the decoders when the consumer stops early.
    await shown.return()
    await fadingShown?.return()
  }
}

/**
 * Loads the sprites, which must precede any other use of the kernel's memory, and returns a function that draws those
 * of a frame.
 */
async function spriteDrawer(
  sprites: readonly PlannedSprite[],
  materials: readonly SpriteMaterial[],
  kernel: MotionKernel,
  fps: number,
  context: FfmpegContext,
): Promise<(frame: number) => void> {
  const read = async (material: SpriteMaterial) => ({
    material,
    bytes: await readFile(join(context.directory, material.file)),
  })
  const loaded = kernel.loadSprites(await Promise.all(materials.map(read)))
  return (frame) => {
    for (const [index, sprite] of sprites.entries()) {
      const isShown = sprite.fromFrame <= frame && frame < sprite.toFrame
      if (isShown) kernel.drawSprite(loaded[index]!, placementAt(sprite, (frame * 1000) / fps))
    }
  }
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
