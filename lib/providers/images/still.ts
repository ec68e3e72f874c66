/** Decodes an untrusted still inside the limits of ffmpeg, scaled and cropped to cover a frame. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProviderRejected } from '../../domain/core/failures.ts'
import { detectDemuxer, restrictedInput } from '../../ffmpeg/limits.ts'
import { FfmpegFailure, runFfmpeg } from '../../ffmpeg/run.ts'
import type { Size } from '../../render/framing.ts'

const timeoutMs = 20_000
const pictures = ['png_pipe', 'jpeg_pipe', 'webp_pipe'] as const

interface StillContext {
  /** Exists and belongs to the call. */
  directory: string
  signal?: AbortSignal
}

/** JPEG and WebP are BT.601; for PNG the input matrix is ignored. */
const videoColours = 'in_color_matrix=bt601:out_color_matrix=bt709:out_range=tv'

/** One yuv420p frame in BT.709; `size` is even. Throws `ProviderRejected` where the bytes are not a valid image. */
export const decodeStill = (bytes: Uint8Array, size: Size, context: StillContext): Promise<Uint8Array> =>
  decodeCovering(bytes, size, context, ['-pix_fmt', 'yuv420p', '-f', 'rawvideo'], `:${videoColours}`)

/** Like `decodeStill`, as a JPEG that is small enough to send inline with a request. */
export const stillAsJpeg = (bytes: Uint8Array, size: Size, context: StillContext): Promise<Uint8Array> =>
  decodeCovering(bytes, size, context, ['-pix_fmt', 'yuvj444p', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2pipe'])

async function decodeCovering(
  bytes: Uint8Array,
  { width, height }: Size,
  { directory, signal }: StillContext,
  format: string[],
  colours = '',
): Promise<Uint8Array> {
  const demuxer = pictures.find((name) => name === detectDemuxer(bytes))
  if (!demuxer) throw invalidImage()
  const file = join(directory, 'still')
  await writeFile(file, bytes)
  const scale = `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd${colours}`
  const filter = `${scale},crop=${width}:${height}`
  const input = ['-v', 'error', ...restrictedInput(file, demuxer), '-vf', filter, '-frames:v', '1']
  try {
    const run = { arguments: [...input, ...format, 'pipe:1'], directory, timeoutMs, ...(signal && { signal }) }
    return (await runFfmpeg(run)).output
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.isPermanent) throw invalidImage(failure)
    throw failure
  }
}

const invalidImage = (cause?: unknown) => new ProviderRejected('The still is not a valid image.', { cause })
