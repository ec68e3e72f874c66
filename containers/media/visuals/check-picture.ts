/**
 * Checks a generated still or clip before it is stored: an empty picture, or a clip that is empty for most of its time,
 * fails.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isEmptyPicture, pictureCheck } from '../../../lib/domain/generation/quality/checks.ts'
import type { QualityCheck } from '../../../lib/domain/records/quality.ts'
import { detectDemuxer, restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'

/** A frame is scaled down to a square of this many luma samples per side: small lights in a night scene still show. */
const side = 32
const timeoutMs = 20_000
/** How much of a clip is checked, and the filter that samples it. */
const [secondsMax, samplingFilter] = [30, 'fps=4:round=up,']
/** Non-reference frames and the deblocking filter would not change the result. */
const fastDecodeArguments = ['-skip_frame', 'noref', '-skip_loop_filter', 'all']
/** The longest share of a clip that may be empty at a stretch: it may fade from or to black, or pause. */
const emptyShareMax = 0.5

/** `directory` must exist and be used by this call only. */
export async function checkPicture(bytes: Uint8Array, directory: string): Promise<QualityCheck[]> {
  const demuxer = detectDemuxer(bytes)
  if (!demuxer) return [pictureCheck(1)]
  const file = join(directory, 'seen')
  await writeFile(file, bytes)
  const input = restrictedInput(file, demuxer)
  const frames =
    demuxer === 'mov'
      ? await decodeLuma(directory, [...fastDecodeArguments, ...input], samplingFilter)
      : await decodeLuma(directory, input)
  return [pictureCheck(longestEmptyRun(frames) > emptyShareMax * frames.length || frames.length === 0 ? 1 : 0)]
}

/** Length of the longest run of empty frames. */
function longestEmptyRun(frames: readonly Uint8Array[]): number {
  let [longest, empty] = [0, 0]
  for (const frame of frames) {
    empty = isEmptyPicture(frame) ? empty + 1 : 0
    longest = Math.max(longest, empty)
  }
  return longest
}

/** The luma of each sampled frame; empty for a file that cannot be decoded. */
async function decodeLuma(directory: string, input: string[], sampling = ''): Promise<Uint8Array[]> {
  const filter = `${sampling}scale=${side}:${side}:flags=area,format=gray`
  try {
    const { output } = await runFfmpeg({
      directory,
      timeoutMs,
      arguments: ['-v', 'error', ...input, '-vf', filter, '-t', `${secondsMax}`, '-f', 'rawvideo', 'pipe:1'],
    })
    const count = Math.floor(output.length / side ** 2)
    return Array.from({ length: count }, (_, index) => output.subarray(index * side ** 2, (index + 1) * side ** 2))
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.isPermanent) return []
    throw failure
  }
}
