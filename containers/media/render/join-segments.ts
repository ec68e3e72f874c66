/**
 * Joins the segments and the soundtrack to one mp4 without re-encoding, and verifies the number and spacing of its
 * frames.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { settleAll } from '../../../lib/async.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { concatArguments, concatList } from '../../../lib/render/ffmpeg-arguments.ts'
import type { RenderPlan } from '../../../lib/render/segments/render-plan.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { RenderFailure } from '../render-failure.ts'
import { readMp4Index } from './mp4-index.ts'
import { frameCount, type SegmentFile } from './segment-files.ts'

/** Writes the scratch file `output` and returns its SHA-256 in hex. */
export async function joinSegments(
  { fps, frames }: RenderPlan,
  segmentFiles: readonly SegmentFile[],
  sound: string,
  output: string,
  context: FfmpegContext,
): Promise<string> {
  const list = 'segments.txt'
  const entries = segmentFiles.map(({ segment, file }) => ({ file, frames: frameCount([{ segment }]) }))
  await writeFile(join(context.directory, list), concatList(entries, fps))
  await settleAll([
    refuseMixedEncoders(segmentFiles, context),
    runFfmpeg({ ...context, arguments: concatArguments(list, sound, output) }),
  ])

  const path = join(context.directory, output)
  const [index, sha256] = await settleAll([readMp4Index(path), sha256Of(path)])
  if (!index) throw new RenderFailure('failed', 'The joined video is truncated')
  const times = index.times.toSorted((a, b) => a - b)
  const isEven = times.every((time, at) => time === times[0]! + (at * index.timescale) / fps)
  if (times.length !== frames || !isEven) {
    throw new RenderFailure(
      'failed',
      `The joined video has ${times.length} of ${frames} frames${isEven ? '' : ', unevenly spaced'}`,
    )
  }
  return sha256
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** ffmpeg would also join segments of different encoders, into a stream that decodes to garbage. */
async function refuseMixedEncoders(segmentFiles: readonly SegmentFile[], { directory }: FfmpegContext): Promise<void> {
  const files = [...new Set(segmentFiles.map(({ file }) => file))]
  let first: Buffer | undefined
  for (const file of files) {
    const settings = (await readMp4Index(join(directory, file)))?.decoderSettings
    first ??= settings
    if (!settings || !first?.equals(settings)) {
      throw new RenderFailure(
        'failed',
        `${file} is truncated, or its encoder differs from that of the segments before it`,
      )
    }
  }
}
