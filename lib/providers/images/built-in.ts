/**
 * Built-in images: flat illustrations, composed from a few scenes and palettes by the seed. Needs no key and no
 * network.
 */
import { renderAsync } from '@resvg/resvg-js'
import { svgDocument } from './drawing.ts'
import { illustrationFor } from './illustration.ts'
import type { Images } from './index.ts'

export const builtInImages: Images = {
  // Increment when an illustration changes: it is part of the artefact key.
  id: 'drawn-2',
  async draw(input) {
    const { width, height } = input
    const drawing = svgDocument(illustrationFor(input, width, height).layers, { x: 0, y: 0, width, height })
    const picture = await renderAsync(drawing, { font: { loadSystemFonts: false } })
    return { bytes: picture.asPng(), contentType: 'image/png' }
  },
}
