/**
 * The files that a preview downloads, for the build and for servers of the studio: the folder `assets/` of the page.
 * Runs in Node only.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kernelFiles } from '../../lib/motion/kernel.ts'
import { allFontFiles } from '../../lib/render/fonts.ts'
import { fontName } from './font-name.ts'

/** Names below the folder, with the absolute paths of their contents. */
export function assetFiles(): Map<string, string> {
  const { resolve } = createRequire(import.meta.url)
  const emoji = dirname(resolve('@twemoji/svg/package.json'))
  const kernel = fileURLToPath(new URL('../../lib/motion/kernel/', import.meta.url))
  return new Map([
    ...Object.values(kernelFiles).map((file): [string, string] => [file, join(kernel, file)]),
    ['resvg.wasm', resolve('@resvg/resvg-wasm/index_bg.wasm')],
    ...allFontFiles().map((file): [string, string] => [`fonts/${fontName(file)}`, resolve(file)]),
    // Not `globSync`, which takes 0.2 s for these thousands of files.
    ...readdirSync(emoji)
      .filter((file) => file.endsWith('.svg'))
      .map((file): [string, string] => [`emoji/${file}`, join(emoji, file)]),
  ])
}
