/** Hashes the tools that produce segments: different builds may give different bytes for the same segment. */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { settleAll } from '../../../lib/async.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { kernelFiles } from '../../../lib/motion/kernel.ts'
import { readKernel } from '../../../lib/motion/kernel-files.ts'
import { fingerprintFrameSize, fingerprintFrames } from '../../../lib/render/encoder-fingerprint.ts'
import { encodeFingerprintArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'

const require = createRequire(import.meta.url)

/**
 * One hash of ffmpeg with its encoder, of the SVG rasteriser, of the motion kernel and of the CPU's architecture: x64 and
 * ARM round differently. Takes about 0.02 s.
 */
export async function toolchainFingerprint(context: FfmpegContext): Promise<string> {
  // ffmpeg -version does not name the build of x264, which is installed separately; x264 writes its version into the
  // stream.
  const [{ output: ffmpeg }, { output: specimen }] = await settleAll([
    runFfmpeg({ ...context, arguments: ['-version'] }),
    runFfmpeg({
      ...context,
      arguments: encodeFingerprintArguments(fingerprintFrameSize),
      input: [fingerprintFrames()],
    }),
  ])
  const { version: resvg }: { version: string } = require('@resvg/resvg-js/package.json')
  const hash = createHash('sha256')
  const tools = [process.arch, ffmpeg, specimen, resvg, ...Object.values(kernelFiles).map(readKernel)]
  for (const tool of tools) hash.update(tool)
  return hash.digest('hex')
}
