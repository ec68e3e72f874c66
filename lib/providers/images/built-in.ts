/** Draws pictures without any model or key: flat illustrations, composed from a few scenes and palettes by the seed. */
import { renderAsync } from '@resvg/resvg-js'
import { document } from './drawing.ts'
import { sceneFor } from './illustration.ts'
import type { Images } from './index.ts'

export const drawnImages: Images = {
  // Counts up whenever a scene changes, since pictures are kept under it.
  id: 'drawn-2',
  async draw(wish) {
    const { width, height } = wish
    const drawing = document(sceneFor(wish, width, height).layers, { x: 0, y: 0, width, height })
    const picture = await renderAsync(drawing, { font: { loadSystemFonts: false } })
    return { bytes: picture.asPng(), contentType: 'image/png' }
  },
}
