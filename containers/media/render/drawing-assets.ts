/** The fonts and emoji of the installed packages, for `lib/render/drawing`. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import type { DrawingAssets } from '../../../lib/render/drawing/assets.ts'
import { asRenderFailure } from '../render-failure.ts'

const { resolve } = createRequire(import.meta.url)
const emoji = dirname(resolve('@twemoji/svg/package.json'))

/** A file that cannot be read is no fault of the composition: its failure is not permanent. */
const readInstalled = (path: string) =>
  readFile(path).catch((failure) => {
    throw asRenderFailure(failure, 'Reading a drawing')
  })

export const installedAssets: DrawingAssets = {
  readFont: (file) => readInstalled(resolve(file)),
  readEmoji: async (name) => {
    const path = join(emoji, `${name}.svg`)
    return existsSync(path) ? (await readInstalled(path)).toString() : undefined
  },
  textToPaths: (svg, { file }) =>
    new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [resolve(file)] } }).toString(),
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
}
