/**
 * The argument lists of ffmpeg for source files, like `ffmpeg-arguments.ts`. The renderer takes single frames out of a
 * source, so it needs one with exactly the frame rate of the render, a start time of 0 and no rotation.
 */
import type { MediaColours } from './ffmpeg-arguments.ts'
import { bitexactArguments, cpuIndependent, toVideoColours } from './ffmpeg-arguments.ts'

/** Frame rate of every render. */
export const sourceFps = 30
/** Sharp enough for a render that shows the full height; more would only take longer. */
const shortSideMax = 1_440
const soundSampleRate = 48_000

/**
 * Transcodes to a constant frame rate and square pixels, upright, at most `seconds` long, with the first sound and
 * subtitle streams.
 */
export function transcodeSourceArguments(
  input: readonly string[],
  { seconds, colours }: { seconds: number; colours: MediaColours },
  output: string,
): string[] {
  const factor = `min(1\\,${shortSideMax}/min(iw*sar\\,ih))`
  const side = (length: string) => `2*max(1\\,trunc(${length}*${factor}/2))`
  const filters = [
    // Fills the gap where the sound starts before the first frame.
    `fps=fps=${sourceFps}:start_time=0`,
    `scale=${side('iw*sar')}:${side('ih')}:flags=bicubic:in_color_matrix=${colours}:${toVideoColours}`,
    'setsar=1,format=yuv420p',
  ]
  return [
    ...['-v', 'error', ...input, '-map', '0:v:0', '-map', '0:a:0?', '-map', '0:s:0?', '-t', seconds.toFixed(3)],
    ...['-vf', filters.join(','), '-c:v', 'libx264', '-preset', 'superfast', '-crf', '20', '-g', String(sourceFps)],
    // As many as x264 would start on the two processors of a task: the bytes depend on the number.
    ...['-threads', '3', '-x264-params', cpuIndependent],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    ...['-af', 'aresample=async=1:first_pts=0', '-c:a', 'aac', '-b:a', '160k', '-ar', String(soundSampleRate)],
    ...['-c:s', 'mov_text', '-video_track_timescale', String(sourceFps * 512), '-movflags', '+faststart'],
    ...[...bitexactArguments, '-f', 'mp4', '-y', output],
  ]
}

/** Extracts the first sound stream as 16-bit mono WAV, in sync with the video and exactly as long. */
export function extractSoundArguments(input: readonly string[], seconds: number, output: string): string[] {
  const filter = `aresample=${soundSampleRate}:async=1:first_pts=0,apad`
  const sound = ['-ac', '1', '-c:a', 'pcm_s16le', '-t', seconds.toFixed(3)]
  return [
    '-v',
    'error',
    ...input,
    '-map',
    '0:a:0',
    '-af',
    filter,
    ...sound,
    ...bitexactArguments,
    '-f',
    'wav',
    '-y',
    output,
  ]
}

/** Extracts the frame at a time as a JPEG, 540 pixels wide. */
export function extractFrameArguments(input: readonly string[], seconds: number, output: string): string[] {
  const toJpegColours = 'in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc'
  const filter = `scale=540:-2:flags=lanczos+accurate_rnd:${toJpegColours},format=yuvj444p`
  const picture = ['-map', '0:v:0', '-vf', filter, '-frames:v', '1', '-q:v', '3']
  return ['-v', 'error', '-ss', seconds.toFixed(3), ...input, ...picture, ...bitexactArguments, '-y', output]
}

/**
 * Whether a stream starts at 0 and has exactly one frame per frame of a render. Times are in ticks of `timescale` per
 * second.
 */
export const hasConstantFrameRate = (pts: readonly number[], timescale: number): boolean =>
  pts.toSorted((a, b) => a - b).every((time, index) => time * sourceFps === index * timescale)
