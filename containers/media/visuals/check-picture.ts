/** Looks at a picture or a clip that was made, before it is kept: whether there is anything to see on it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isEmptyPicture, pictureCheck } from '../../../lib/domain/generation/quality/checks.ts'
import type { QualityCheck } from '../../../lib/domain/records/quality.ts'
import { detectDemuxer, restrictedInput } from '../../../lib/ffmpeg/limits.ts'
import { FfmpegFailure, runFfmpeg } from '../../../lib/ffmpeg/run.ts'

/** A picture is judged by the average of so many parts of it in a row and in a column: small lights in the night count too. */
const side = 32
const timeoutMs = 20_000
/** Of a clip so much is looked at, so often in a second. */
const [secondsMax, perSecond] = [30, 'fps=4:round=up,']
/** Quickly: a frame that others are not drawn from, or that is a little blocky, tells nothing more. */
const fastDecodeArguments = ['-skip_frame', 'noref', '-skip_loop_filter', 'all']
/** A clip may fade in from black or out to it, or pause: it may be empty for so much of its time at a stretch. */
const emptyShareMax = 0.5

/** `directory` exists and belongs to the call. */
export async function checkPicture(bytes: Uint8Array, directory: string): Promise<QualityCheck[]> {
  const demuxer = detectDemuxer(bytes)
  if (!demuxer) return [pictureCheck(1)]
  const file = join(directory, 'seen')
  await writeFile(file, bytes)
  const input = restrictedInput(file, demuxer)
  const frames =
    demuxer === 'mov'
      ? await framesOf(directory, [...fastDecodeArguments, ...input], perSecond)
      : await framesOf(directory, input)
  return [pictureCheck(longestEmptyRun(frames) > emptyShareMax * frames.length || frames.length === 0 ? 1 : 0)]
}

/** How many frames in a row show nothing, where it is most. */
function longestEmptyRun(frames: readonly Uint8Array[]): number {
  let [longest, empty] = [0, 0]
  for (const frame of frames) {
    empty = isEmptyPicture(frame) ? empty + 1 : 0
    longest = Math.max(longest, empty)
  }
  return longest
}

/** The frames as brightness; none where it cannot be decoded. */
async function framesOf(directory: string, input: string[], chosen = ''): Promise<Uint8Array[]> {
  const drawn = `${chosen}scale=${side}:${side}:flags=area,format=gray`
  try {
    const { output } = await runFfmpeg({
      directory,
      timeoutMs,
      arguments: ['-v', 'error', ...input, '-vf', drawn, '-t', `${secondsMax}`, '-f', 'rawvideo', 'pipe:1'],
    })
    const count = Math.floor(output.length / side ** 2)
    return Array.from({ length: count }, (_, index) => output.subarray(index * side ** 2, (index + 1) * side ** 2))
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.isPermanent) return []
    throw failure
  }
}
