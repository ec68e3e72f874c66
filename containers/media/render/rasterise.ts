/**
 * Rasterises SVG drawings with resvg. Uses the given font files only, so that the output does not depend on the
 * machine.
 */
import { createRequire } from 'node:module'
import { renderAsync } from '@resvg/resvg-js'
import type { Raster } from '../../../lib/motion/raster.ts'
import type { Drawing, DrawingFont } from '../../../lib/render/sprite.ts'
import { badComposition } from '../render-failure.ts'

type SvgSource = Pick<Drawing, 'svg'> & { fonts?: readonly Pick<DrawingFont, 'file'>[] }

/** Rasterises at `zoom` times the size that the drawing states. */
export async function rasterise({ svg, fonts = [] }: SvgSource, zoom: number): Promise<Raster> {
  const { resolve } = createRequire(import.meta.url)
  // System fonts would make the output depend on the machine.
  const font = { loadSystemFonts: false, fontFiles: fonts.map(({ file }) => resolve(file)) }
  const drawing = renderAsync(svg, { fitTo: { mode: 'zoom', value: zoom }, font })
  const { width, height, pixels } = await drawing.catch((failure) => {
    throw badComposition(failure)
  })
  return { width, height, pixels }
}
