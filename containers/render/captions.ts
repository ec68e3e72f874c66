/** Puts the fonts of the captions into the scratch directory, and writes the script of each segment. */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { type Captions, drawSwatch } from '../../lib/render/arguments.ts'
import type { Composition, CompositionPage } from '../../lib/render/composition.ts'
import { captionFonts as fontsOfCaptions } from '../../lib/render/fonts.ts'
import { writeSubtitles } from '../../lib/render/subtitles.ts'
import { blackSwatch, isBt601, swatchScript, swatchSize } from '../../lib/render/swatch.ts'
import { type Face, readFace } from '../../lib/render/truetype.ts'
import { fromComposition } from './failure.ts'
import { outlinesOf } from './shaping.ts'
import type { Workplace } from './workplace.ts'

/** The directory of the fonts, inside the scratch directory. */
export const captionFonts = 'fonts'

/** A script for libass, and the hashes of the font files that it names: together all that captions look like. */
export interface WrittenCaptions {
  script: string
  fonts: string[]
}
export type CaptionWriter = (pages: CompositionPage[]) => WrittenCaptions

/** Makes everything ready to write captions of this film; the pages may be any of them, on any clock. */
export async function prepareCaptions(composition: Composition, place: Workplace): Promise<CaptionWriter> {
  await mkdir(join(place.directory, captionFonts), { recursive: true })
  const fonts = await captionFaces(composition)
  // libass loads every file of the directory, so it holds the fonts of this film only; outlines need none.
  const given = fonts.filter(({ face }) => !face.outline)
  await Promise.all(given.map(({ path }) => copyFile(path, join(place.directory, captionFonts, basename(path)))))
  const hashes = new Map(given.map(({ face, bytes }) => [face.name, createHash('sha256').update(bytes).digest('hex')]))
  const faces = fonts.map(({ face }) => face)
  const bt601 = await drawsWithBt601(place)
  return (pages) => {
    const script = fromComposition(() => writeSubtitles({ ...composition, pages }, faces, { bt601 }))
    return { script, fonts: [...hashes].flatMap(([name, hash]) => (script.includes(name) ? hash : [])) }
  }
}

interface LoadedFont {
  face: Face
  path: string
  bytes: Uint8Array
}

/** The fonts that the captions of a film need, the theme's first. */
export function captionFaces({ theme, pages }: Pick<Composition, 'theme' | 'pages'>): Promise<LoadedFont[]> {
  const { resolve } = createRequire(import.meta.url)
  return Promise.all(
    fontsOfCaptions(theme, textOf(pages)).map(async ({ file, name, shapedAs }) => {
      const path = resolve(file)
      const bytes = await readFile(path)
      const face = readFace(bytes, name)
      return { path, bytes, face: shapedAs ? { ...face, outline: outlinesOf(path, shapedAs) } : face }
    }),
  )
}

const textOf = (pages: CompositionPage[]) =>
  pages.flatMap(({ words }) => words.map(({ punctuated_word }) => punctuated_word)).join(' ')

/** Whether this ffmpeg draws captions with BT.601 colours. It takes 0.05 s to ask, too little to remember the answer. */
async function drawsWithBt601(place: Workplace): Promise<boolean> {
  const swatch: Captions = { script: 'swatch.ass', fonts: captionFonts }
  await writeFile(join(place.directory, swatch.script), swatchScript)
  const { output } = await runFfmpeg({ ...place, arguments: drawSwatch(swatchSize, swatch), input: one(blackSwatch()) })
  return isBt601(output)
}

async function* one(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}
