/**
 * The host of the motion kernel (WebAssembly, `kernel/source/kernel.ts`): lays out its memory for one frame size and
 * draws frames. Frames are yuv420p without padding: a luma plane, then two chroma planes at half the size.
 */
import type { Framing } from '../render/composition.ts'
import { cropWindow, type Size } from '../render/framing.ts'
import type { Placement } from '../render/sprite.ts'
import { type Mipmap, mipLevelFor, mipmapByteLength } from './sprite-mipmap.ts'

/** Both are built from the same source and draw the same bytes; the one without SIMD takes 13 times as long. */
export const kernelFiles = { simd: 'kernel.wasm', plain: 'kernel-without-simd.wasm' }

/** The bytes of one of `kernelFiles`. */
export type ReadKernel = (file: string) => BufferSource | Promise<BufferSource>

interface KernelExports {
  memory: WebAssembly.Memory
  heapBase(): number
  resample(
    ...args: [
      ...[source: number, sourceWidth: number, sourceHeight: number],
      ...[left: number, top: number, width: number, height: number],
      ...[target: number, targetWidth: number, targetHeight: number],
    ]
  ): void
  overlay(
    ...args: [
      ...[colour: number, opacity: number, sourceWidth: number, sourceHeight: number],
      ...[left: number, top: number, width: number, height: number],
      ...[target: number, targetStride: number, boxWidth: number, boxHeight: number, strength: number],
    ]
  ): void
  mix(target: number, other: number, bytes: number, share: number): void
}

/** A region of the kernel's memory for one picture. */
export interface PictureBuffer {
  size: Size
  offset: number
  bytes: Uint8Array
}

/** A sprite in the kernel's memory. */
export interface LoadedSprite {
  mipmap: Mipmap
  offset: number
  /** The planes of the mipmap. */
  bytes: Uint8Array
}

export interface MotionKernel {
  /** The drawn frame, which the next drawing overwrites. */
  readonly frame: Uint8Array
  /**
   * Makes room for these sprites in place of all others; the caller fills in their bytes. Invalidates every buffer and
   * frame that was returned before, because memory may have moved.
   */
  spriteBuffers(mipmaps: readonly Mipmap[]): LoadedSprite[]
  /** One of two buffers, for the layers of a cross-fade. Its previous content is lost. */
  pictureBuffer(index: 0 | 1, size: Size): PictureBuffer
  drawPicture(picture: PictureBuffer, framing: Framing): void
  /** Draws a mix of two pictures; `share` is the weight of the second, 0 to 1. */
  drawCrossfade(
    a: { picture: PictureBuffer; framing: Framing },
    b: { picture: PictureBuffer; framing: Framing },
    share: number,
  ): void
  /** Blends a sprite over the frame. */
  drawSprite(sprite: LoadedSprite, placement: Placement): void
}

const pageBytes = 65_536
/** The kernel reads and writes whole vectors, a few bytes past the end of a picture. */
const slackBytes = 64

/** Size of an allocation, aligned and with slack. */
const alignedSize = (bytes: number) => Math.ceil((bytes + slackBytes) / 64) * 64

export function frameByteLength({ width, height }: Size): number {
  return (width * height * 3) / 2
}

/** `sourceMax` is the size of the largest picture that is drawn into frames of size `target`. */
export async function createMotionKernel(target: Size, sourceMax: Size, readKernel: ReadKernel): Promise<MotionKernel> {
  const kernel = await instantiate(readKernel)
  const sizeOf = (size: Size) => alignedSize(frameByteLength(size))
  const frameAt = kernel.heapBase()
  const otherAt = frameAt + sizeOf(target)
  const slotsAt = otherAt + sizeOf(target)
  const spritesAt = slotsAt + 2 * sizeOf(sourceMax)
  const growTo = (end: number) =>
    kernel.memory.grow(Math.max(0, Math.ceil((end - kernel.memory.buffer.byteLength) / pageBytes)))
  growTo(spritesAt)
  const view = (offset: number, size: Size) => new Uint8Array(kernel.memory.buffer, offset, frameByteLength(size))

  const drawAt = (picture: PictureBuffer, framing: Framing, frame: number) =>
    drawPicture(kernel, frame, target, picture, framing)
  return {
    get frame() {
      return view(frameAt, target)
    },
    spriteBuffers: (mipmaps) => {
      const offsets = [spritesAt]
      for (const mipmap of mipmaps) offsets.push(offsets.at(-1)! + alignedSize(mipmapByteLength(mipmap)))
      growTo(offsets.at(-1)!)
      return mipmaps.map((mipmap, index) => {
        const offset = offsets[index]!
        return { mipmap, offset, bytes: new Uint8Array(kernel.memory.buffer, offset, mipmapByteLength(mipmap)) }
      })
    },
    drawSprite: ({ mipmap, offset }, placement) => overlaySprite(kernel, frameAt, target, mipmap, offset, placement),
    pictureBuffer: (index, size) => {
      const offset = slotsAt + index * sizeOf(sourceMax)
      return { size, offset, bytes: view(offset, size) }
    },
    drawPicture: (picture, framing) => drawAt(picture, framing, frameAt),
    drawCrossfade: (a, b, share) => {
      drawAt(a.picture, a.framing, frameAt)
      drawAt(b.picture, b.framing, otherAt)
      kernel.mix(frameAt, otherAt, frameByteLength(target), Math.round(256 * share))
    },
  }
}

function drawPicture(
  kernel: KernelExports,
  frame: number,
  target: Size,
  { offset, size }: PictureBuffer,
  framing: Framing,
): void {
  let [from, to] = [offset, frame]
  for (const shrink of [1, 2, 2]) {
    const source = { width: size.width / shrink, height: size.height / shrink }
    const plane = { width: target.width / shrink, height: target.height / shrink }
    const { left, top, width, height } = cropWindow(framing, source)
    kernel.resample(from, source.width, source.height, left, top, width, height, to, plane.width, plane.height)
    from += source.width * source.height
    to += plane.width * plane.height
  }
}

/**
 * Plane by plane, in the layout of `OverlayPlanes`; the box is the part of the frame's plane that the sprite touches.
 */
function overlaySprite(
  kernel: KernelExports,
  frame: number,
  target: Size,
  mipmap: Mipmap,
  offset: number,
  placement: Placement,
): void {
  const level = mipLevelFor(mipmap, placement)
  const strength = Math.round(256 * placement.opacity)
  if (!level || strength === 0) return
  const grow = placement.scale / level.density
  const [full, half] = [level.width * level.height, (level.width * level.height) / 4]
  const at = offset + level.offset
  const blues = at + 2 * full
  const planes = [
    { colour: at, opacity: at + full, shrink: 1 },
    { colour: blues, opacity: blues + 2 * half, shrink: 2 },
    { colour: blues + half, opacity: blues + 2 * half, shrink: 2 },
  ]
  const edges = edgesOf(placement, level.pictureWidth * grow, target)
  let plane = frame
  for (const { colour, opacity, shrink } of planes) {
    const [width, height] = [level.width / shrink, level.height / shrink]
    const [planeWidth, planeHeight] = [target.width / shrink, target.height / shrink]
    const left = (placement.x - level.centreX * grow) / shrink
    const top = (placement.y - level.centreY * grow) / shrink
    const [fromX, fromY] = [Math.max(0, edges.from / shrink, Math.floor(left)), Math.max(0, Math.floor(top))]
    const toX = Math.min(planeWidth, edges.to / shrink, Math.ceil(left + width * grow))
    const toY = Math.min(planeHeight, Math.ceil(top + height * grow))
    if (toX > fromX && toY > fromY) {
      const window = [(fromX - left) / grow, (fromY - top) / grow, (toX - fromX) / grow, (toY - fromY) / grow] as const
      const box = [plane + fromY * planeWidth + fromX, planeWidth, toX - fromX, toY - fromY] as const
      kernel.overlay(colour, opacity, width, height, ...window, ...box, strength)
    }
    plane += planeWidth * planeHeight
  }
}

/** The visible columns of the frame. Even, so that they are whole chroma samples. */
function edgesOf({ x, from, to }: Placement, width: number, frameSize: Size): { from: number; to: number } {
  const column = (share: number) => 2 * Math.round((x + (share - 0.5) * width) / 2)
  return { from: from <= 0 ? 0 : column(from), to: to >= 1 ? frameSize.width : column(to) }
}

async function instantiate(readKernel: ReadKernel): Promise<KernelExports> {
  const simd = await readKernel(kernelFiles.simd)
  const bytes = WebAssembly.validate(simd) ? simd : await readKernel(kernelFiles.plain)
  const { instance } = await WebAssembly.instantiate(bytes)
  return instance.exports as unknown as KernelExports
}
