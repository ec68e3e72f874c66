/** Rasterises SVG documents. System fonts are never used, so that a picture looks the same on every machine. */
import { type BBox, type RenderedImage, Resvg, renderAsync } from '@resvg/resvg-js'
import { fontFilesFor } from './scene/lettering.ts'

export const rasterise = (svg: string): Promise<RenderedImage> => renderAsync(svg, optionsFor(svg))

/** What a document draws on, strokes included, in its own coordinates; undefined for an empty one. */
export const drawnBox = (svg: string): BBox | undefined => new Resvg(svg, optionsFor(svg)).getBBox()

function optionsFor(svg: string) {
  const texts = Array.from(svg.matchAll(/<text[^<>]*>([^<]*)</g), ([, text]) => text).join(' ')
  return { font: { loadSystemFonts: false, ...(texts && { fontFiles: fontFilesFor(texts) }) } }
}
