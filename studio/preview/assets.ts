/** The fonts, emoji, rasteriser and kernel of the renderer, downloaded from the origin of the page when first needed. */
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Raster } from '../../lib/motion/raster.ts'
import type { DrawingAssets } from '../../lib/render/drawing/assets.ts'
import { memoize } from '../../lib/render/memoize.ts'
import type { Drawing } from '../../lib/render/sprite.ts'
import { fontName } from './font-name.ts'

export interface BrowserAssets extends DrawingAssets {
  /** Rasterises at `zoom` times the size that the drawing states. */
  rasterise(drawing: Drawing, zoom: number): Promise<Raster>
  /** A client's image with premultiplied alpha; undefined where it cannot be shown. */
  image(url: string): Promise<Raster | undefined>
  readKernel(file: string): Promise<ArrayBuffer>
}

/** The longer side of a client's image, as in a render. */
const imageSideMax = 1024

/** `base` is the URL of the folder that `asset-files.ts` lists, with a slash at its end. */
export async function loadAssets(base: string): Promise<BrowserAssets> {
  const download = async (name: string) => {
    const response = await fetch(new URL(name, base))
    if (!response.ok) throw new Error(`${name} cannot be loaded: the server responds with ${response.status}.`)
    return response
  }
  await initWasm(download('resvg.wasm'))
  const fonts = memoize(async (name: string) => new Uint8Array(await (await download(`fonts/${name}`)).arrayBuffer()))
  const emoji = memoize(async (name: string) => {
    const response = await fetch(new URL(`emoji/${name}.svg`, base))
    return response.ok ? response.text() : undefined
  })
  const readFont = (file: string) => fonts(fontName(file))
  return {
    readFont,
    readEmoji: emoji,
    textToPaths: (svg, { bytes }) => {
      const drawing = new Resvg(svg, { font: { loadSystemFonts: false, fontBuffers: [bytes] } })
      const paths = drawing.toString()
      drawing.free()
      return paths
    },
    remember: rememberLatest(),
    // Only keys of segments hold it, and a preview stores none.
    sha256: () => '',
    rasterise: async ({ svg, fonts: files = [] }, zoom) => {
      const fontBuffers = await Promise.all(files.map(({ file }) => readFont(file)))
      const drawing = new Resvg(svg, {
        fitTo: { mode: 'zoom', value: zoom },
        font: { loadSystemFonts: false, fontBuffers },
      })
      const image = drawing.render()
      const raster = { width: image.width, height: image.height, pixels: image.pixels }
      image.free()
      drawing.free()
      return raster
    },
    image: (url) => loadImage(url).catch(() => undefined),
    readKernel: async (file) => (await download(file)).arrayBuffer(),
  }
}

/** More than the pages of the longest video: what is not asked for among so many others is forgotten. */
const rememberedMax = 2_500

function rememberLatest(): NonNullable<DrawingAssets['remember']> {
  const known = new Map<string, unknown>()
  return <Value>(key: string, make: () => Value): Value => {
    const value = known.has(key) ? (known.get(key) as Value) : make()
    known.delete(key)
    known.set(key, value)
    if (known.size > rememberedMax) known.delete(known.keys().next().value!)
    return value
  }
}

async function loadImage(url: string): Promise<Raster> {
  const bitmap = await createImageBitmap(await (await fetch(url)).blob())
  const shrink = Math.min(1, imageSideMax / Math.max(bitmap.width, bitmap.height))
  const size = { width: Math.ceil(bitmap.width * shrink), height: Math.ceil(bitmap.height * shrink) }
  const canvas = new OffscreenCanvas(size.width, size.height)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, size.width, size.height)
  const { data } = context.getImageData(0, 0, size.width, size.height)
  const pixels = new Uint8Array(data.buffer)
  for (let at = 0; at < pixels.length; at += 4)
    for (const channel of [at, at + 1, at + 2]) pixels[channel] = Math.round((pixels[channel]! * pixels[at + 3]!) / 255)
  return { ...size, pixels }
}
