/** Reads the size of a PNG, JPEG or WebP image from its header, by the formats' specifications, without decoding it. */
import type { Size } from './framing.ts'

export interface PictureHeader extends Size {
  format: 'png' | 'webp' | 'jpeg'
}

/** Undefined for other formats and truncated headers. */
export function pictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    for (const [format, sizeOf] of readers) {
      const size = sizeOf(view)
      if (size) return size.width > 0 && size.height > 0 ? { format, ...size } : undefined
    }
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The size alone. */
export function pictureSize(bytes: Uint8Array): Size | undefined {
  const header = pictureHeader(bytes)
  return header && { width: header.width, height: header.height }
}

function pngSize(view: DataView): Size | undefined {
  if (view.getUint32(0) !== 0x89504e47) return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Start-of-frame markers. C4, C8 and CC have other meanings. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(view: DataView): Size | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint8(at + 1) === 0xff) at += 1
    if (view.getUint8(at) !== 0xff) return undefined
    if (isFrame(view.getUint8(at + 1))) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
}

function webpSize(view: DataView): Size | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined
  const part = view.getUint32(12)
  if (part === 0x56503858) {
    const length = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1
    return { width: length(24), height: length(27) }
  }
  if (part === 0x5650384c) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (part === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  return undefined
}

const readers: readonly (readonly [PictureHeader['format'], (view: DataView) => Size | undefined])[] = [
  ['png', pngSize],
  ['webp', webpSize],
  ['jpeg', jpegSize],
]
