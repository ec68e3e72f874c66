/**
 * Reads from a TrueType font file the few numbers captions are measured with. Kerning is left out: libass leaves it out
 * too unless a script asks for it. Formats are those of the OpenType specification (cmap 4 and 12).
 */

import type { Outline } from './caption-outline.ts'

/** Lengths are in em: multiples of the font size. */
export interface Face {
  /** The name libass finds the font by. */
  name: string
  /** libass takes a font size for the height ascent + descent, not for the em. */
  ascent: number
  descent: number
  /** Undefined where the font has no glyph for the code point. */
  advance: (codePoint: number) => number | undefined
  /** Set for a font whose words are drawn as outlines, because their letters change with their neighbours. */
  outline?: (text: string) => Outline
}

/** `bytes` is a whole .ttf file, `name` the full name of the font in it. */
export function readFace(bytes: Uint8Array, name: string): Face {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const table = (tag: string): number => {
    for (let i = 0; i < view.getUint16(4); i++) {
      const record = 12 + 16 * i
      if (Buffer.from(bytes.subarray(record, record + 4)).toString('latin1') === tag) return view.getUint32(record + 8)
    }
    throw new RangeError(`The font ${name} has no table ${tag}`)
  }
  const unitsPerEm = view.getUint16(table('head') + 18)
  const os2 = table('OS/2')
  const hmtx = table('hmtx')
  const lastMetric = view.getUint16(table('hhea') + 34) - 1
  const glyphOf = readCharacterMap(view, table('cmap'))
  return {
    name,
    ascent: view.getUint16(os2 + 74) / unitsPerEm,
    descent: view.getUint16(os2 + 76) / unitsPerEm,
    advance: remembered((codePoint) => {
      const glyph = glyphOf(codePoint)
      return glyph === 0 ? undefined : view.getUint16(hmtx + 4 * Math.min(glyph, lastMetric)) / unitsPerEm
    }),
  }
}

/** A Chinese font has thousands of segments to look through. */
function remembered<Value>(find: (codePoint: number) => Value): (codePoint: number) => Value {
  const known = new Map<number, Value>()
  return (codePoint) => {
    if (!known.has(codePoint)) known.set(codePoint, find(codePoint))
    return known.get(codePoint)!
  }
}

type CharacterMap = (codePoint: number) => number

function readCharacterMap(view: DataView, cmap: number): CharacterMap {
  const subtables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, i) => cmap + view.getUint32(cmap + 4 + 8 * i + 4),
  )
  const full = subtables.find((offset) => view.getUint16(offset) === 12)
  if (full !== undefined) return readGroups(view, full)
  const basic = subtables.find((offset) => view.getUint16(offset) === 4)
  if (basic !== undefined) return readSegments(view, basic)
  return () => 0
}

function readGroups(view: DataView, offset: number): CharacterMap {
  const groups = view.getUint32(offset + 12)
  return (codePoint) => {
    for (let group = offset + 16; group < offset + 16 + 12 * groups; group += 12) {
      const first = view.getUint32(group)
      if (codePoint >= first && codePoint <= view.getUint32(group + 4))
        return view.getUint32(group + 8) + codePoint - first
    }
    return 0
  }
}

function readSegments(view: DataView, offset: number): CharacterMap {
  const twice = view.getUint16(offset + 6)
  const [ends, starts] = [offset + 14, offset + 16 + twice]
  const [deltas, ranges] = [starts + twice, starts + 2 * twice]
  return (codePoint) => {
    for (let i = 0; i < twice; i += 2) {
      if (codePoint > view.getUint16(ends + i)) continue
      const first = view.getUint16(starts + i)
      if (codePoint < first) return 0
      const delta = view.getUint16(deltas + i)
      const range = view.getUint16(ranges + i)
      if (range === 0) return (codePoint + delta) & 0xffff
      const glyph = view.getUint16(ranges + i + range + 2 * (codePoint - first))
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}
