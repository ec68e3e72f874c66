/**
 * What ffmpeg is told to do, as data. Inputs from strangers come as the finished arguments of lib/ffmpeg/limits.ts (`input`);
 * all other names are files in the scratch directory. Works with ffmpeg 4.1 and later.
 */
import type { Size } from './framing.ts'
import type { RenderPlan } from './segments/render-plan.ts'

type FrameFormat = Pick<RenderPlan, 'width' | 'height' | 'fps'>

/** Length of every frame on a film's clock, which counts fps * 512 ticks a second: 15360 at 30 fps. */
export const ticksPerFrame = 512

export const toVideoColours = 'out_color_matrix=bt709:out_range=tv'
const filmColours = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']
const rawFrames = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p']
/** Leaves dates and versions out of files, so that the same film is the same bytes. */
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

/** Decodes a picture to RGBA rows of `size` on standard output; colours are not multiplied by their opacity. */
export function decodeImageArguments(input: readonly string[], { width, height }: Size): string[] {
  const filter = `scale=${width}:${height}:flags=area+accurate_rnd,format=rgba`
  return ['-v', 'error', ...input, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1']
}

/** The matrix by which colours are coded. */
export type MediaColours = 'bt709' | 'bt601'

/** The frames `from` to `to` of a clip at the film's rate, as raw yuv420p on standard output. */
export interface ClipRange {
  fps: number
  from: number
  to: number
  colours: MediaColours
  /** True where every picture of the clip lasts one frame of the film: then ffmpeg can go to the first one at once. */
  hasConstantFrameRate: boolean
}

/** Decodes part of a clip, covering `size`. */
export function decodeClipArguments(input: readonly string[], { width, height }: Size, part: ClipRange): string[] {
  const seeks = part.hasConstantFrameRate && part.from > 0
  const [from, to] = seeks ? [0, part.to - part.from] : [part.from, part.to]
  // Half a frame early, so that no rounding passes over the first one.
  const seek = seeks ? ['-ss', ((part.from - 0.5) / part.fps).toFixed(6)] : []
  const filters = [
    `setpts=PTS-STARTPTS,fps=${part.fps},trim=start_frame=${from}:end_frame=${to},setpts=PTS-STARTPTS`,
    // Cropping first leaves less to scale.
    `crop=min(iw\\,ih*${width}/${height}):min(ih\\,iw*${height}/${width})`,
    `scale=${width}:${height}:flags=bicubic:in_color_matrix=${part.colours}:${toVideoColours},format=yuv420p`,
  ]
  return ['-v', 'error', ...seek, ...input, '-an', '-vf', filters.join(','), ...rawFrames, 'pipe:1']
}

/** Encodes the raw frames of a segment from standard input. */
export function encodeSegmentArguments({ width, height, fps }: FrameFormat, output: string): string[] {
  return [
    ...['-v', 'error', ...rawFrames, '-s', `${width}x${height}`, '-r', String(fps), '-i', 'pipe:0'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '21', '-pix_fmt', 'yuv420p'],
    // superfast leaves out mb-tree, the one setting that halves the bytes at the same cost. One thread is deterministic.
    ...['-threads', '1', '-x264-params', 'mbtree=1:rc-lookahead=10:open-gop=0:keyint=90'],
    ...filmColours,
    ...['-video_track_timescale', String(ticksPerFrame * fps), ...bitexactArguments, '-y', output],
  ]
}

/** Encodes one frame (from standard input) without loss, to an H.264 stream on standard output. */
export function encodeFingerprintArguments({ width, height }: Size): string[] {
  const input = [...rawFrames, '-s', `${width}x${height}`, '-r', '1', '-i', 'pipe:0']
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-threads', '1']
  return ['-v', 'error', ...input, ...codec, '-f', 'h264', 'pipe:1']
}

/** Narration to AAC. The sound is level and of the right length already (see loudness.ts). */
export function encodeSoundArguments(input: readonly string[], output: string): string[] {
  // Noise substitution (pns) raised peaks of speech by 1.6 dB.
  const codec = ['-c:a', 'aac', '-aac_coder', 'fast', '-aac_pns', '0', '-b:a', '96k', '-ar', '48000', '-ac', '1']
  return ['-v', 'error', ...input, ...codec, ...bitexactArguments, '-y', output]
}

/** The list that `stitch` reads. */
export function concatList(segments: readonly { file: string; frames: number }[], fps: number): string {
  // mp4 keeps durations in ms: without the exact ones, some frames at the joints would last 5 or 10 ticks longer.
  return segments.map(({ file, frames }) => `file '${file}'\nduration ${(frames / fps).toFixed(9)}\n`).join('')
}

/** Joins the segments and the sound without encoding anything again; the index goes first, so that players start at once. */
export function concatArguments(list: string, sound: string, output: string): string[] {
  // ffmpeg would decode the beginning of each segment, only to learn its colours: that takes eight times as long as all the rest.
  const segments = ['-codec_whitelist', 'none', '-f', 'concat', '-safe', '0', '-i', list]
  const copied = [...segments, '-i', sound, '-map', '0:v', '-map', '1:a', '-c', 'copy', ...filmColours]
  return ['-v', 'error', ...copied, ...bitexactArguments, '-movflags', '+faststart', '-y', output]
}

/** One picture of a still or, `ms` after its beginning, of a clip: RGB rows on standard output that cover `size`. Nothing where the clip is over. */
export function decodeFrameArguments(input: readonly string[], { width, height }: Size, ms: number): string[] {
  const seek = ms > 0 ? ['-ss', (ms / 1000).toFixed(3)] : []
  const cover = `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd`
  const filter = `${cover},crop=${width}:${height},format=rgb24`
  return ['-v', 'error', ...seek, ...input, '-an', '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', 'pipe:1']
}

/** RGB rows from standard input as a JPEG, with full colour resolution: ffmpeg 4.1 gets the range of 4:2:0 wrong. */
export function encodeJpegArguments({ width, height }: Size): string[] {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'pipe:0']
  const filter = 'scale=flags=accurate_rnd:out_color_matrix=bt601:out_range=pc,format=yuvj444p'
  const picture = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'mjpeg', '-q:v', '3', ...bitexactArguments, 'pipe:1']
  return ['-v', 'error', ...input, '-vf', filter, ...picture]
}
