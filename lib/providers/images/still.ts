/** Reads a still that somebody else made, inside the limits of ffmpeg, so that it fills a frame. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProviderRejected } from '../../domain/core/failures.ts'
import { detectDemuxer, restrictedInput } from '../../ffmpeg/limits.ts'
import { FfmpegFailure, runFfmpeg } from '../../ffmpeg/run.ts'

const timeoutMs = 20_000
const pictures = ['png_pipe', 'jpeg_pipe', 'webp_pipe'] as const

interface Size {
  width: number
  height: number
}

interface StillContext {
  /** Exists and belongs to the call. */
  directory: string
  signal?: AbortSignal
}

/** JPEG and WebP are BT.601; for PNG the input matrix is ignored. */
const filmColours = 'in_color_matrix=bt601:out_color_matrix=bt709:out_range=tv'

/** One yuv420p frame in the colours of a film; `size` is even. Throws `ProviderRejected` where the bytes are no picture. */
export const decodeStill = (bytes: Uint8Array, size: Size, place: StillContext): Promise<Uint8Array> =>
  decodeCovering(bytes, size, place, ['-pix_fmt', 'yuv420p', '-f', 'rawvideo'], `:${filmColours}`)

/** The same as a JPEG, which is small enough to send along with a request. */
export const stillAsJpeg = (bytes: Uint8Array, size: Size, place: StillContext): Promise<Uint8Array> =>
  decodeCovering(bytes, size, place, ['-pix_fmt', 'yuvj444p', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2pipe'])

async function decodeCovering(
  bytes: Uint8Array,
  { width, height }: Size,
  { directory, signal }: StillContext,
  format: string[],
  colours = '',
): Promise<Uint8Array> {
  const demuxer = pictures.find((name) => name === detectDemuxer(bytes))
  if (!demuxer) throw noPicture()
  const file = join(directory, 'still')
  await writeFile(file, bytes)
  const scale = `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd${colours}`
  const filter = `${scale},crop=${width}:${height}`
  const input = ['-v', 'error', ...restrictedInput(file, demuxer), '-vf', filter, '-frames:v', '1']
  try {
    const run = { arguments: [...input, ...format, 'pipe:1'], directory, timeoutMs, ...(signal && { signal }) }
    return (await runFfmpeg(run)).output
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.isPermanent) throw noPicture(failure)
    throw failure
  }
}

const noPicture = (cause?: unknown) => new ProviderRejected('The still is no picture that can be used.', { cause })
