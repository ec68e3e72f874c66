/** Draws any frame of a plan with the motion kernel of the renderer. */
import { drawFrame, isFading } from '../../lib/motion/draw-frame.ts'
import {
  createMotionKernel,
  type LoadedSprite,
  type MotionKernel,
  type PictureBuffer,
} from '../../lib/motion/kernel.ts'
import { buildMipmap, type Mipmap } from '../../lib/motion/sprite-mipmap.ts'
import { layerSourceSize, type Size } from '../../lib/render/framing.ts'
import { rebaseSegment } from '../../lib/render/segments/rebase-segment.ts'
import type { Layer, RenderPlan, Segment } from '../../lib/render/segments/render-plan.ts'
import type { PlannedSprite } from '../../lib/render/sprite.ts'
import type { BrowserAssets } from './assets.ts'
import { pause } from './pause.ts'
import { createPictureSource, type PictureSource } from './picture-source.ts'

/** No drawing needs to be larger than the largest video. */
const sideMax = 4096

type SpriteMipmap = Promise<{ mipmap: Mipmap; bytes: Uint8Array }>

export interface FrameDrawer {
  /** Shows another plan of the same size from now on. Materials that both need stay. */
  use(plan: RenderPlan): Promise<void>
  /** The planes of a frame, which the next call overwrites. Calls must not overlap. */
  draw(frame: number): Promise<Uint8Array>
  /** Downloads and rasterises what is shown after the segment of a frame, bit by bit. */
  prepare(frame: number): Promise<void>
}

export function createFrameDrawer(format: RenderPlan, assets: BrowserAssets): FrameDrawer {
  const pictures = createPictureSource(format, assets)
  const sprites = new Map<string, SpriteMipmap>()
  let plan = format
  let kernel: MotionKernel | undefined
  let sourceMax: Size = { width: 0, height: 0 }
  let open: OpenSegment | undefined

  const mipmapOf = (sprite: PlannedSprite): SpriteMipmap => {
    const name = lookOf(sprite)
    const mipmap = sprites.get(name) ?? prepareSprite(sprite, assets)
    sprites.set(name, mipmap)
    return mipmap
  }
  const segmentAt = (frame: number) => plan.segments.find(({ toFrame }) => frame < toFrame) ?? plan.segments.at(-1)!
  const layersOf = ({ layer, fade }: Segment) => (fade ? [layer, fade.from] : [layer])
  /** The segment whose materials are made while the one before is shown. */
  let preparing: Segment | undefined
  return {
    use: async (next) => {
      plan = next
      open = undefined
      preparing = undefined
      const layers = plan.segments.flatMap(layersOf)
      pictures.keep(layers)
      const shown = new Set(plan.segments.flatMap((segment) => segment.sprites.map(lookOf)))
      for (const name of sprites.keys()) if (!shown.has(name)) sprites.delete(name)
      const needed = largest(layers.map((layer) => layerSourceSize(layer, plan)))
      if (kernel && needed.width <= sourceMax.width && needed.height <= sourceMax.height) return
      sourceMax = needed
      kernel = await createMotionKernel(plan, sourceMax, assets.readKernel)
    },
    draw: async (frame) => {
      const planned = segmentAt(frame)
      if (open?.planned !== planned) open = await openSegment(planned, plan, kernel!, mipmapOf)
      return drawIn(open, frame, plan.fps, kernel!, pictures)
    },
    prepare: async (frame) => {
      const next = plan.segments[plan.segments.indexOf(segmentAt(frame)) + 1]
      if (!next || preparing === next) return
      preparing = next
      const works = [
        ...layersOf(next).map((layer) => () => pictures.prepare(layer)),
        ...next.sprites.map((sprite) => () => mipmapOf(sprite)),
      ]
      for (const work of works) {
        await work()
        await pause()
        if (preparing !== next) return
      }
    },
  }
}

/** The segment whose sprites are in the kernel's memory. */
interface OpenSegment {
  planned: Segment
  /** On a clock that starts with it, as it is rendered. */
  segment: Segment
  sprites: LoadedSprite[]
  picture: PictureBuffer
  fading: PictureBuffer | undefined
}

async function openSegment(
  planned: Segment,
  plan: RenderPlan,
  kernel: MotionKernel,
  mipmapOf: (sprite: PlannedSprite) => SpriteMipmap,
): Promise<OpenSegment> {
  const segment = rebaseSegment(planned, plan.fps)
  const drawn = await Promise.all(planned.sprites.map(mipmapOf))
  const sprites = kernel.spriteBuffers(drawn.map(({ mipmap }) => mipmap))
  for (const [index, { bytes }] of drawn.entries()) sprites[index]!.bytes.set(bytes)
  const picture = kernel.pictureBuffer(0, layerSourceSize(planned.layer, plan))
  const fading = planned.fade && kernel.pictureBuffer(1, layerSourceSize(planned.fade.from, plan))
  return { planned, segment, sprites, picture, fading }
}

async function drawIn(
  { planned, segment, sprites, picture, fading }: OpenSegment,
  frame: number,
  fps: number,
  kernel: MotionKernel,
  pictures: PictureSource,
): Promise<Uint8Array> {
  const fill = (buffer: PictureBuffer, layer: Layer) => pictures.fill(buffer, layer, frame)
  await fill(picture, planned.layer)
  if (planned.fade && fading && isFading(planned, frame)) await fill(fading, planned.fade.from)
  drawFrame(kernel, segment, frame - planned.fromFrame, fps, { picture, fading, sprites })
  return kernel.frame
}

const looks = new WeakMap<PlannedSprite, string>()

/** Sprites of the same look share their mipmap. */
function lookOf(sprite: PlannedSprite): string {
  const { picture, width, height, scales } = sprite
  const look = looks.get(sprite) ?? JSON.stringify([picture, width, height, scales])
  looks.set(sprite, look)
  return look
}

async function prepareSprite({ picture, width, height, scales }: PlannedSprite, assets: BrowserAssets) {
  const zoom = Math.min(scales.largest, sideMax / width, sideMax / height)
  const drawn = picture.kind === 'drawing' ? await assets.rasterise(picture, zoom) : await assets.image(picture.key)
  const { planes, ...mipmap } = buildMipmap(drawn, width, scales)
  return { mipmap, bytes: joined(planes) }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const largest = (sizes: readonly Size[]): Size => ({
  width: Math.max(...sizes.map(({ width }) => width)),
  height: Math.max(...sizes.map(({ height }) => height)),
})
