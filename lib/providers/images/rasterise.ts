/** Rasterises SVG documents. System fonts are never used, so that a picture looks the same on every machine. */
import { type RenderedImage, renderAsync } from '@resvg/resvg-js'
import { fontFilesFor } from './scene/lettering.ts'

export function rasterise(svg: string): Promise<RenderedImage> {
  const texts = Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, text]) => text).join(' ')
  return renderAsync(svg, { font: { loadSystemFonts: false, ...(texts && { fontFiles: fontFilesFor(texts) }) } })
}
