/**
 * Built-in images: objects over a ground, charts, cards and maps, or a landscape where nothing is to be shown. Needs no
 * key and no network.
 */
import { svgDocument } from './drawing.ts'
import { encodePng } from './encode-png.ts'
import { faceKeyword } from './face.ts'
import { illustrationFor } from './illustration.ts'
import type { Images } from './index.ts'
import { rasterise } from './rasterise.ts'

/** The closest framing enlarges a still by less than a quarter; flat shapes look the same, at two thirds of the cost. */
const shorterSideMax = 1080

export const builtInImages: Images = {
  // Increment when an illustration changes: it is part of the artefact key.
  id: 'drawn-6',
  async draw(input) {
    const scale = Math.min(1, shorterSideMax / Math.min(input.width, input.height))
    const [width, height] = [Math.round(input.width * scale), Math.round(input.height * scale)]
    const { layers } = illustrationFor(input, width, height)
    const drawing = svgDocument(layers, { x: 0, y: 0, width, height })
    const picture = await rasterise(drawing)
    const face = layers.find((layer) => layer.face)?.face
    const text = face && { keyword: faceKeyword, text: JSON.stringify(face) }
    return { bytes: await encodePng(picture.pixels, { width, height }, text), contentType: 'image/png' }
  },
}
