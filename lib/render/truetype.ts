/**
 * Reads metrics, advances and glyph outlines from a TrueType font file, by the OpenType specification (cmap formats 4
 * and 12). Kerning is ignored, so that a word can be split anywhere.
 */
import { readGlyphs } from './glyphs.ts'
import { latin1 } from './latin1.ts'
import { memoize } from './memoize.ts'
import { type Outline, outlineOf } from './outline.ts'

/** Lengths are in em: multiples of the font size. */
export interface FontFace {
  /** Extent of letters above and below the baseline. */
  ascent: number
  descent: number
  /** Undefined where the font has no glyph for the code point. */
  advance: (codePoint: number) => number | undefined
  /** The outline of a letter; empty where the font has none. */
  letter: (codePoint: number) => Outline
  /** Set for fonts of complex scripts: shapes a word as a whole. */
  outline?: (text: string) => Outline
}

/** `bytes` is a complete .ttf file; `name` is used in errors. */
export function parseFontFace(bytes: Uint8Array, name: string): FontFace {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const table = (tag: string): number => {
    for (let i = 0; i < view.getUint16(4); i++) {
      const record = 12 + 16 * i
      if (latin1(bytes.subarray(record, record + 4)) === tag) return view.getUint32(record + 8)
    }
    throw new RangeError(`The font ${name} has no table ${tag}`)
  }
  const unitsPerEm = view.getUint16(table('head') + 18)
  const hasLongOffsets = view.getInt16(table('head') + 50) === 1
  const outline = readGlyphs(view, { loca: table('loca'), glyf: table('glyf'), unitsPerEm, hasLongOffsets })
  const os2 = table('OS/2')
  const hmtx = table('hmtx')
  const lastMetric = view.getUint16(table('hhea') + 34) - 1
  const glyphOf = readCharacterMap(view, table('cmap'))
  return {
    ascent: view.getUint16(os2 + 74) / unitsPerEm,
    descent: view.getUint16(os2 + 76) / unitsPerEm,
    // Memoised, because the character map of a Chinese font has thousands of segments to search.
    advance: memoize((codePoint: number) => {
      const glyph = glyphOf(codePoint)
      return glyph === 0 ? undefined : view.getUint16(hmtx + 4 * Math.min(glyph, lastMetric)) / unitsPerEm
    }),
    letter: memoize((codePoint: number) => (glyphOf(codePoint) === 0 ? outlineOf([]) : outline(glyphOf(codePoint)))),
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
