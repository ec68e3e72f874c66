/** Names the tools that films are made with: with other ones, the same segment may be other bytes. */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { settleAll } from '../../../lib/async.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { kernelFiles, readKernel } from '../../../lib/motion/kernel.ts'
import { fingerprintFrame, fingerprintFrameSize } from '../../../lib/render/encoder-fingerprint.ts'
import { encodeFingerprintArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'

const require = createRequire(import.meta.url)

/** One hash of ffmpeg with its encoder, of the drawer of SVG and of the motion kernel. Takes about 0.02 s. */
export async function toolchainFingerprint(place: FfmpegContext): Promise<string> {
  // ffmpeg tells nothing of the libraries it is linked with, which systems install on their own: x264 writes its version into its stream.
  const [{ output: ffmpeg }, { output: specimen }] = await settleAll([
    runFfmpeg({ ...place, arguments: ['-version'] }),
    runFfmpeg({ ...place, arguments: encodeFingerprintArguments(fingerprintFrameSize), input: [fingerprintFrame()] }),
  ])
  const { version: resvg }: { version: string } = require('@resvg/resvg-js/package.json')
  const hash = createHash('sha256')
  for (const tool of [ffmpeg, specimen, resvg, ...Object.values(kernelFiles).map(readKernel)]) hash.update(tool)
  return hash.digest('hex')
}
