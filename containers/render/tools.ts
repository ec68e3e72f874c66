/** Names the tools that films are made with: with other ones, the same segment may be other bytes. */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { kernelFiles, readKernel } from '../../lib/motion/kernel.ts'
import { drawSpecimen } from '../../lib/render/arguments.ts'
import { captionFonts } from '../../lib/render/fonts.ts'
import { specimenGround, specimenScript, specimenSize } from '../../lib/render/specimen.ts'
import { together, type Workplace } from './workplace.ts'

const require = createRequire(import.meta.url)

/** One hash of ffmpeg with its libraries, of the drawer of SVG and of the motion kernel. Takes about 0.02 s. */
export async function toolsOf(place: Workplace): Promise<string> {
  const [{ output: ffmpeg }, specimen] = await together([
    runFfmpeg({ ...place, arguments: ['-version'] }),
    makeSpecimen(place),
  ])
  const { version: resvg }: { version: string } = require('@resvg/resvg-js/package.json')
  const hash = createHash('sha256')
  for (const tool of [ffmpeg, specimen, resvg, ...Object.values(kernelFiles).map(readKernel)]) hash.update(tool)
  return hash.digest('hex')
}

/**
 * ffmpeg tells nothing of the libraries it is linked with, which systems install on their own. So a frame is drawn by libass with what
 * shapes and fills its letters, and encoded without loss by x264, which writes its version beside it.
 */
async function makeSpecimen(place: Workplace): Promise<Uint8Array> {
  const drawn = { script: 'specimen.ass', fonts: 'specimen' }
  const [font] = captionFonts({}, '')
  const path = require.resolve(font!.file)
  await mkdir(join(place.directory, drawn.fonts), { recursive: true })
  await copyFile(path, join(place.directory, drawn.fonts, basename(path)))
  await writeFile(join(place.directory, drawn.script), specimenScript(font!.name))
  const { output } = await runFfmpeg({ ...place, arguments: drawSpecimen(specimenSize, drawn), input: ground() })
  return output
}

async function* ground(): AsyncGenerator<Uint8Array> {
  yield specimenGround()
}
