/** Puts the caption script and its fonts into the scratch directory. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { type Captions, drawSwatch } from '../../lib/render/arguments.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { captionFonts } from '../../lib/render/fonts.ts'
import { writeSubtitles } from '../../lib/render/subtitles.ts'
import { blackSwatch, isBt601, swatchScript, swatchSize } from '../../lib/render/swatch.ts'
import { readFace } from '../../lib/render/truetype.ts'
import type { Workplace } from './workplace.ts'

/** Where `prepareCaptions` puts them. */
export const captionFiles: Captions = { script: 'captions.ass', fonts: 'fonts' }

export async function prepareCaptions(composition: Composition, place: Workplace): Promise<void> {
  await mkdir(join(place.directory, captionFiles.fonts), { recursive: true })
  const { resolve } = createRequire(import.meta.url)
  const faces = await Promise.all(
    captionFonts(composition.theme).map(async ({ file, name }) => {
      const path = resolve(file)
      // libass loads every file of the directory, so it holds the fonts of this film only.
      await copyFile(path, join(place.directory, captionFiles.fonts, basename(path)))
      return readFace(await readFile(path), name)
    }),
  )
  const script = writeSubtitles(composition, faces, { bt601: await drawsWithBt601(place) })
  await writeFile(join(place.directory, captionFiles.script), script)
}

/** Whether this ffmpeg draws captions with BT.601 colours. It takes 0.05 s to ask, too little to remember the answer. */
async function drawsWithBt601(place: Workplace): Promise<boolean> {
  const swatch: Captions = { script: 'swatch.ass', fonts: captionFiles.fonts }
  await writeFile(join(place.directory, swatch.script), swatchScript)
  const { output } = await runFfmpeg({ ...place, arguments: drawSwatch(swatchSize, swatch), input: one(blackSwatch()) })
  return isBt601(output)
}

async function* one(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}
