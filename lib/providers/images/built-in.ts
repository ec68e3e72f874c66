/**
 * Built-in images: objects over a ground, charts, cards and maps, or a landscape where nothing is to be shown. Needs no
 * key and no network.
 */
import { svgDocument } from './drawing.ts'
import { encodePng } from './encode-png.ts'
import { illustrationFor } from './illustration.ts'
import type { Images } from './index.ts'
import { rasterise } from './rasterise.ts'

export const builtInImages: Images = {
  // Increment when an illustration changes: it is part of the artefact key.
  id: 'drawn-4',
  async draw(input) {
    const { width, height } = input
    const drawing = svgDocument(illustrationFor(input, width, height).layers, { x: 0, y: 0, width, height })
    const picture = await rasterise(drawing)
    return { bytes: await encodePng(picture.pixels, { width, height }), contentType: 'image/png' }
  },
}
