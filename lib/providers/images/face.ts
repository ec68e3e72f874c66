/**
 * Where the face of a drawn person is, and the colours that its mouth and eyelids need. A PNG of the person carries it in
 * a text chunk, so that the built-in avatars can move the mouth. Any client can send such a chunk: it is validated.
 */
import * as v from 'valibot'

const colour = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))
const length = v.pipe(v.number(), v.minValue(0), v.maxValue(8_192))

const drawnFace = v.object({
  /** The middle of the face and the unit of its drawing, in pixels of the picture. */
  x: length,
  y: length,
  size: v.pipe(length, v.minValue(16)),
  skin: colour,
  lash: colour,
  hasGlasses: v.boolean(),
})
export type DrawnFace = v.InferOutput<typeof drawnFace>

/** Keyword of the chunk (PNG specification, 11.3.3.2: tEXt). */
export const faceKeyword = 'reelsmith-face'

/** The face in a PNG; undefined where there is none. */
export function faceInPng(png: Uint8Array): DrawnFace | undefined {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return undefined
    const end = at + 8 + bytes.readUInt32BE(at)
    const text = type === 'tEXt' && end < bytes.length ? bytes.toString('latin1', at + 8, end) : ''
    if (text.startsWith(`${faceKeyword}\0`)) return faceFrom(text.slice(faceKeyword.length + 1))
  }
  return undefined
}

function faceFrom(json: string): DrawnFace | undefined {
  try {
    const parsed = v.safeParse(drawnFace, JSON.parse(json))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}
