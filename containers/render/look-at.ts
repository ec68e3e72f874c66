/** Looks at a picture or a clip that was made, before it is kept: whether there is anything to see on it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isEmptyPicture, pictureCheck, type QualityCheck } from '../../lib/domain/quality.ts'
import { demuxerFor, limitedInput } from '../../lib/ffmpeg/limits.ts'
import { FfmpegFailure, runFfmpeg } from '../../lib/ffmpeg/run.ts'

/** A picture is judged by so many points of it in a square. */
const side = 32
const timeoutMs = 20_000
/** A clip may fade in from black: its keyframes are looked at first, which is quick, and then more of it. */
const looks = [['-skip_frame', 'nokey'], []]
const framesMax = 120

/** `directory` exists and belongs to the call. */
export async function lookAt(bytes: Uint8Array, directory: string): Promise<QualityCheck[]> {
  const demuxer = demuxerFor(bytes)
  if (!demuxer) return [pictureCheck(1)]
  const file = join(directory, 'seen')
  await writeFile(file, bytes)
  for (const look of demuxer === 'mov' ? looks : [[]]) {
    const frames = await framesOf([...look, ...limitedInput(file, demuxer)], directory)
    if (frames.some((frame) => !isEmptyPicture(frame))) return [pictureCheck(0)]
  }
  return [pictureCheck(1)]
}

/** The frames as brightness; none where it cannot be decoded. */
async function framesOf(input: string[], directory: string): Promise<Uint8Array[]> {
  const drawn = ['-vf', `scale=${side}:${side}:flags=neighbor,format=gray`, '-vsync', '0', '-frames:v', `${framesMax}`]
  try {
    const { output } = await runFfmpeg({
      directory,
      timeoutMs,
      arguments: ['-v', 'error', ...input, ...drawn, '-f', 'rawvideo', 'pipe:1'],
    })
    const count = Math.floor(output.length / side ** 2)
    return Array.from({ length: count }, (_, index) => output.subarray(index * side ** 2, (index + 1) * side ** 2))
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.code === 'failed') return []
    throw failure
  }
}
