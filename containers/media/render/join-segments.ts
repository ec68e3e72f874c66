/** Joins the rendered segments and the sound to one film, and checks that no frame was lost or moved on the way. */
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
import { readMp4Index } from './mp4-index.ts'
import { RenderFailure } from './render-failure.ts'
import type { SegmentFile } from './segment-files.ts'

/** Writes the scratch file `output`, and answers its SHA-256 in hex. */
export async function joinSegments(
  { fps, frames }: RenderPlan,
  joined: readonly SegmentFile[],
  sound: string,
  output: string,
  place: FfmpegContext,
): Promise<string> {
  await refuseMixedEncoders(joined, place)
  const list = 'segments.txt'
  const parts = joined.map(({ segment, file }) => ({ file, frames: segment.toFrame - segment.fromFrame }))
  await writeFile(join(place.directory, list), concatList(parts, fps))
  await runFfmpeg({ ...place, arguments: concatArguments(list, sound, output) })

  const path = join(place.directory, output)
  const [index, sha256] = await settleAll([readMp4Index(path), sha256Of(path)])
  if (!index) throw new RenderFailure('failed', 'The joined film breaks off')
  const times = index.times.toSorted((a, b) => a - b)
  const even = times.every((time, at) => time === times[0]! + (at * index.timescale) / fps)
  if (times.length !== frames || !even) {
    throw new RenderFailure(
      'failed',
      `The joined film has ${times.length} of ${frames} frames${even ? '' : ', unevenly spaced'}`,
    )
  }
  return sha256
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Segments that another encoder made would be joined all the same, and show rubbish. */
async function refuseMixedEncoders(joined: readonly SegmentFile[], { directory }: FfmpegContext): Promise<void> {
  const files = [...new Set(joined.map(({ file }) => file))]
  let first: Buffer | undefined
  for (const file of files) {
    const settings = (await readMp4Index(join(directory, file)))?.decoderSettings
    first ??= settings
    if (!settings || !first?.equals(settings)) {
      throw new RenderFailure('failed', `${file} is not whole, or was encoded otherwise than the segments before it`)
    }
  }
}
