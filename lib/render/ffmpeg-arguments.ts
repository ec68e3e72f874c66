/**
 * The argument lists of ffmpeg, as data. Untrusted inputs are passed as the finished arguments of
 * `lib/ffmpeg/limits.ts` (`input`); all other names are files in the scratch directory. Works with ffmpeg 4.1 and
 * later. The lists are hashed into segment keys.
 */
import type { Size } from './framing.ts'
import type { FrameFormat } from './segments/render-plan.ts'

/** Duration of a frame in ticks of the mp4 time base, which has fps * 512 ticks a second: 15360 at 30 fps. */
const ticksPerFrame = 512

export const toVideoColours = 'out_color_matrix=bt709:out_range=tv'
const outputColours = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']
const rawFrames = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p']
/** Keeps dates and versions out of the output, which makes it deterministic. */
export const bitexactArguments = [
  '-fflags',
  '+bitexact',
  '-flags:v',
  '+bitexact',
  '-flags:a',
  '+bitexact',
  '-map_metadata',
  '-1',
]

/** Decodes a still into one raw yuv420p frame that covers `size`. */
export function decodeStillArguments(input: readonly string[], { width, height }: Size, output: string): string[] {
  // JPEG and WebP are BT.601; for PNG the input matrix is ignored. Without it colours shift visibly.
  const scale = `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd`
  const filter = `${scale}:in_color_matrix=bt601:${toVideoColours},crop=${width}:${height},format=yuv420p`
  return ['-v', 'error', ...input, '-vf', filter, '-frames:v', '1', ...rawFrames, '-y', output]
}

/** Decodes an image to RGBA rows of `size` on standard output, without premultiplied alpha. */
export function decodeImageArguments(input: readonly string[], { width, height }: Size): string[] {
  const filter = `scale=${width}:${height}:flags=area+accurate_rnd,format=rgba`
  return ['-v', 'error', ...input, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1']
}

/** The colour matrix of the media. */
export type MediaColours = 'bt709' | 'bt601'

/** The frames `from` (included) to `to` (excluded) of a clip at the frame rate of the render. */
interface ClipRange {
  fps: number
  from: number
  to: number
  colours: MediaColours
  /** Whether the clip has the frame rate of the render: then ffmpeg can seek to the first frame. */
  hasConstantFrameRate: boolean
  /** Shows the whole picture, before a blurred copy that covers the frame. */
  isWhole?: boolean
}

/** The ground is blurred at this share of the frame's size, where it costs little. */
const groundShrink = 12

/** Decodes part of a clip, scaled to `size` and cropped to cover it unless it is shown whole, to raw yuv420p on standard output. */
export function decodeClipArguments(input: readonly string[], { width, height }: Size, range: ClipRange): string[] {
  const seeks = range.hasConstantFrameRate && range.from > 0
  const [from, to] = seeks ? [0, range.to - range.from] : [range.from, range.to]
  // Half a frame early, so that rounding cannot skip the first frame.
  const seek = seeks ? ['-ss', ((range.from - 0.5) / range.fps).toFixed(6)] : []
  const filters = [
    `setpts=PTS-STARTPTS,fps=${range.fps},trim=start_frame=${from}:end_frame=${to},setpts=PTS-STARTPTS`,
    ...(range.isWhole
      ? [wholePicture({ width, height }, range.colours)]
      : coveringPicture({ width, height }, range.colours)),
  ]
  return ['-v', 'error', ...seek, ...input, '-an', '-vf', filters.join(','), ...rawFrames, 'pipe:1']
}

const coveringPicture = ({ width, height }: Size, colours: MediaColours): string[] => [
  // Cropping first leaves less to scale.
  `crop=min(iw\\,ih*${width}/${height}):min(ih\\,iw*${height}/${width})`,
  `scale=${width}:${height}:flags=bicubic:in_color_matrix=${colours}:${toVideoColours},format=yuv420p`,
]

/** The picture in the middle of the frame, over a darker and blurred copy of it. */
function wholePicture({ width, height }: Size, colours: MediaColours): string {
  const converted = `flags=bicubic:in_color_matrix=${colours}:${toVideoColours},format=yuv420p`
  const small = { width: 2 * Math.ceil(width / groundShrink / 2), height: 2 * Math.ceil(height / groundShrink / 2) }
  const ground = [
    `crop=min(iw\\,ih*${width}/${height}):min(ih\\,iw*${height}/${width})`,
    `scale=${small.width}:${small.height}:${converted}`,
    'boxblur=3:2:2:2,lutyuv=y=16+(val-16)*0.62',
    `scale=${width}:${height}:flags=bicubic`,
  ]
  const side = (length: number, other: number, from: string, otherFrom: string) =>
    `2*round(min(${length}\\,${from}*${other}/${otherFrom})/2)`
  const picture = `scale=${side(width, height, 'iw', 'ih')}:${side(height, width, 'ih', 'iw')}:${converted}`
  return `split[a][b];[a]${ground.join(',')}[ground];[b]${picture}[picture];[ground][picture]overlay=(W-w)/2:(H-h)/2,format=yuv420p`
}

/** Parameter of x264: the same bytes on CPUs with other vector instructions, of one architecture. */
export const cpuIndependent = 'cpu-independent=1'

const segmentCodec = [
  ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '21', '-pix_fmt', 'yuv420p'],
  // superfast disables mb-tree, which halves the bytes at the same cost. Always two slices, each encoded by a thread of its
  // own: the bytes do not depend on the number of cores, and a single segment keeps two of them busy.
  ...['-threads', '2', '-x264-params'],
  `sliced-threads=1:mbtree=1:rc-lookahead=10:open-gop=0:keyint=90:${cpuIndependent}`,
]

/** Encodes the raw frames of a segment from standard input. */
export function encodeSegmentArguments({ width, height, fps }: FrameFormat, output: string): string[] {
  return [
    ...['-v', 'error', ...rawFrames, '-s', `${width}x${height}`, '-r', String(fps), '-i', 'pipe:0'],
    ...[...segmentCodec, ...outputColours],
    ...['-video_track_timescale', String(ticksPerFrame * fps), ...bitexactArguments, '-y', output],
  ]
}

/** Encodes frames from standard input with the settings of segments to an H.264 stream on standard output. */
export function encodeFingerprintArguments({ width, height }: Size): string[] {
  const input = [...rawFrames, '-s', `${width}x${height}`, '-r', '30', '-i', 'pipe:0']
  return ['-v', 'error', ...input, ...segmentCodec, '-f', 'h264', 'pipe:1']
}

/** Encodes the soundtrack to AAC. Its loudness and length are final already (see `sound/loudness.ts`). */
export function encodeSoundArguments(input: readonly string[], output: string): string[] {
  // Without vector instructions: FMA, AVX and SSE round differently, and AAC with them.
  const options = ['-cpuflags', '0', '-v', 'error']
  // Noise substitution (pns) raised peaks of speech by 1.6 dB.
  const codec = ['-c:a', 'aac', '-aac_coder', 'fast', '-aac_pns', '0', '-b:a', '96k', '-ar', '48000', '-ac', '1']
  return [...options, ...input, ...codec, ...bitexactArguments, '-y', output]
}

/** The list file of `concatArguments`. */
export function concatList(segments: readonly { file: string; frames: number }[], fps: number): string {
  // mp4 stores durations in ms: without exact ones, some frames at the joints would last 5 or 10 ticks longer.
  return segments.map(({ file, frames }) => `file '${file}'\nduration ${(frames / fps).toFixed(9)}\n`).join('')
}

/**
 * Joins the segments and the soundtrack without re-encoding; the index is moved to the front, so that players can start
 * early.
 */
export function concatArguments(list: string, sound: string, output: string): string[] {
  // Without this, ffmpeg decodes the start of each segment to find its colours, which takes eight times as long as the
  // rest.
  const segments = ['-codec_whitelist', 'none', '-f', 'concat', '-safe', '0', '-i', list]
  const inputs = [...segments, '-i', sound, '-map', '0:v', '-map', '1:a', '-c', 'copy', ...outputColours]
  return ['-v', 'error', ...inputs, ...bitexactArguments, '-movflags', '+faststart', '-y', output]
}

/**
 * A still, or the frame of a clip at `ms`, as RGB rows on standard output that cover `size`. No output after the end of
 * the clip.
 */
export function decodeFrameArguments(input: readonly string[], { width, height }: Size, ms: number): string[] {
  const seek = ms > 0 ? ['-ss', (ms / 1000).toFixed(3)] : []
  const cover = `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd`
  const filter = `${cover},crop=${width}:${height},format=rgb24`
  return ['-v', 'error', ...seek, ...input, '-an', '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', 'pipe:1']
}

/** Encodes RGB rows from standard input as a JPEG with 4:4:4 chroma: ffmpeg 4.1 gets the range of 4:2:0 wrong. */
export function encodeJpegArguments({ width, height }: Size): string[] {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'pipe:0']
  const filter = 'scale=flags=accurate_rnd:out_color_matrix=bt601:out_range=pc,format=yuvj444p'
  const picture = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'mjpeg', '-q:v', '3', ...bitexactArguments, 'pipe:1']
  return ['-v', 'error', ...input, '-vf', filter, ...picture]
}
