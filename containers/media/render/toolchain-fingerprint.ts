/** Names the tools that films are made with: with other ones, the same segment may be other bytes. */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { kernelFiles, readKernel } from '../../../lib/motion/kernel.ts'
import { specimenFrame, specimenSize } from '../../../lib/render/encoder-fingerprint.ts'
import { encodeSpecimen } from '../../../lib/render/ffmpeg-arguments.ts'
import { together, type Workplace } from '../ffmpeg-context.ts'

const require = createRequire(import.meta.url)

/** One hash of ffmpeg with its encoder, of the drawer of SVG and of the motion kernel. Takes about 0.02 s. */
export async function toolsOf(place: Workplace): Promise<string> {
  // ffmpeg tells nothing of the libraries it is linked with, which systems install on their own: x264 writes its version into its stream.
  const [{ output: ffmpeg }, { output: specimen }] = await together([
    runFfmpeg({ ...place, arguments: ['-version'] }),
    runFfmpeg({ ...place, arguments: encodeSpecimen(specimenSize), input: [specimenFrame()] }),
  ])
  const { version: resvg }: { version: string } = require('@resvg/resvg-js/package.json')
  const hash = createHash('sha256')
  for (const tool of [ffmpeg, specimen, resvg, ...Object.values(kernelFiles).map(readKernel)]) hash.update(tool)
  return hash.digest('hex')
}
