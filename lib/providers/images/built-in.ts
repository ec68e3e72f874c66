/** Draws pictures without any model or key: flat illustrations, composed from a few scenes and palettes by the seed. */
import { renderAsync } from '@resvg/resvg-js'
import { svgDocument } from './drawing.ts'
import { illustrationFor } from './illustration.ts'
import type { Images } from './index.ts'

export const builtInImages: Images = {
  // Counts up whenever a scene changes, since pictures are kept under it.
  id: 'drawn-2',
  async draw(wish) {
    const { width, height } = wish
    const drawing = svgDocument(illustrationFor(wish, width, height).layers, { x: 0, y: 0, width, height })
    const picture = await renderAsync(drawing, { font: { loadSystemFonts: false } })
    return { bytes: picture.asPng(), contentType: 'image/png' }
  },
}
