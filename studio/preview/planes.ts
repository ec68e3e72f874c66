/** Pictures of the browser as planes of video frames: yuv420p, BT.709 in limited range, as ffmpeg decodes them. */
import { createMotionKernel, frameByteLength, type ReadKernel } from '../../lib/motion/kernel.ts'
import { opaqueFrame } from '../../lib/motion/overlay-planes.ts'
import { reductionMax, type Size } from '../../lib/render/framing.ts'
import { createWholePicture } from './whole-picture.ts'

const whole = { scale: 1, x: 0, y: 0 }

/** The part of a picture in the middle that has the shape of `target`. */
export function coveringPart(picture: Size, target: Size): Size & { x: number; y: number } {
  const width = Math.min(picture.width, (picture.height * target.width) / target.height)
  const height = Math.min(picture.height, (picture.width * target.height) / target.width)
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height }
}

/** An image as one frame that covers `size`. */
export function imageFrame(image: ImageBitmap | VideoFrame, picture: Size, size: Size): Uint8Array {
  const canvas = new OffscreenCanvas(size.width, size.height)
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!
  context.imageSmoothingQuality = 'high'
  const { x, y, width, height } = coveringPart(picture, size)
  context.drawImage(image, x, y, width, height, 0, 0, size.width, size.height)
  return opaqueFrame({
    ...size,
    pixels: new Uint8Array(context.getImageData(0, 0, size.width, size.height).data.buffer),
  })
}

/** Scales the pictures of one clip to the planes of frames of one size. */
export type ClipScaler = (picture: VideoFrame) => Promise<Uint8Array>

/** `picture`: the size of the clip's pictures. `isWhole`: nothing is cropped, see `whole-picture.ts`. */
export async function createClipScaler(
  picture: Size,
  size: Size,
  isWhole: boolean,
  readKernel: ReadKernel,
): Promise<ClipScaler> {
  const part = evenPart(coveringPart(picture, size))
  const byCanvas = (shown: VideoFrame) =>
    imageFrame(shown, { width: shown.displayWidth, height: shown.displayHeight }, size)
  if (!isWhole) {
    const scale = await createScaler(part, size, readKernel)
    return async (shown) => {
      const planes = await planesOf(shown, part)
      return planes ? scale(planes) : byCanvas(shown)
    }
  }
  const all = { x: 0, y: 0, width: evenly(picture.width), height: evenly(picture.height) }
  const compose = await createWholePicture(part, all, size, (from, to) => createScaler(from, to, readKernel))
  return async (shown) => {
    const [covering, whole] = [await planesOf(shown, part), await planesOf(shown, all)]
    return covering && whole ? compose(covering, whole) : byCanvas(shown)
  }
}

/** Scales planes from one size to another. The result is overwritten by the next call. */
export type Scaler = (planes: Uint8Array) => Uint8Array

async function createScaler(from: Size, to: Size, readKernel: ReadKernel): Promise<Scaler> {
  // The kernel reads at most `reductionMax` pixels for one: larger pictures are halved before.
  const halvings = Math.max(
    0,
    Math.ceil(Math.log2(Math.max(from.width / to.width, from.height / to.height) / reductionMax)),
  )
  const source = { width: evenly(from.width / 2 ** halvings), height: evenly(from.height / 2 ** halvings) }
  const kernel = await createMotionKernel(to, source, readKernel)
  const picture = kernel.pictureBuffer(0, source)
  return (planes) => {
    picture.bytes.set(halve(planes, from, halvings))
    kernel.drawPicture(picture, whole)
    return kernel.frame
  }
}

const evenly = (length: number) => 2 * Math.floor(length / 2)
/** Rounded as the `crop` filter of ffmpeg does: to whole pixels, then down to whole chroma samples. */
const evenPart = ({ x, y, width, height }: ReturnType<typeof coveringPart>) => ({
  x: evenly(Math.round(x)),
  y: evenly(Math.round(y)),
  width: evenly(Math.round(width)),
  height: evenly(Math.round(height)),
})

/** The planes of a part; undefined for pictures that are not BT.709 in limited range, which a canvas converts. */
async function planesOf(picture: VideoFrame, rect: Size & { x: number; y: number }): Promise<Uint8Array | undefined> {
  const { format, colorSpace } = picture
  // A clip that does not say is taken for BT.709, as in a render.
  const isVideoColours = (colorSpace.matrix ?? 'bt709') === 'bt709' && !colorSpace.fullRange
  if (!isVideoColours || (format !== 'I420' && format !== 'NV12')) return undefined
  const { width, height } = rect
  const bytes = new Uint8Array(frameByteLength(rect))
  const luma = { offset: 0, stride: width }
  if (format === 'I420') {
    const quarter = (width * height) / 4
    const chroma = (index: number) => ({ offset: width * height + index * quarter, stride: width / 2 })
    await picture.copyTo(bytes, { rect, layout: [luma, chroma(0), chroma(1)] })
    return bytes
  }
  await picture.copyTo(bytes, { rect, layout: [luma, { offset: width * height, stride: width }] })
  return separateChroma(bytes, width * height)
}

/** From pairs of blue and red to two planes. */
function separateChroma(bytes: Uint8Array, from: number): Uint8Array {
  const result = bytes.slice()
  const quarter = (bytes.length - from) / 2
  for (let i = 0; i < quarter; i++) {
    result[from + i] = bytes[from + 2 * i]!
    result[from + quarter + i] = bytes[from + 2 * i + 1]!
  }
  return result
}

/** Halves the sides of all planes as many times, by averaging. Sides stay even: a last odd pair is left out. */
function halve(bytes: Uint8Array, { width, height }: Size, times: number): Uint8Array {
  if (times === 0) return bytes
  const half = { width: evenly(width / 2), height: evenly(height / 2) }
  const result = new Uint8Array(frameByteLength(half))
  let [from, to] = [0, 0]
  for (const shrink of [1, 2, 2]) {
    const [columns, rows, stride] = [half.width / shrink, half.height / shrink, width / shrink]
    for (let y = 0; y < rows; y++) {
      for (let x = 0, at = from + 2 * y * stride; x < columns; x++, at += 2) {
        result[to++] = (bytes[at]! + bytes[at + 1]! + bytes[at + stride]! + bytes[at + stride + 1]! + 2) >> 2
      }
    }
    from += stride * (height / shrink)
  }
  return halve(result, half, times - 1)
}
