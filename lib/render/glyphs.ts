/** Reads the shapes of letters from a TrueType font: the tables `loca` and `glyf` of the OpenType specification. */
import { type Outline, outlineOf, type PathCommand, quadraticToCubic } from './outline.ts'

/** Where in a font the shapes of its glyphs lie. */
export interface GlyphTables {
  loca: number
  glyf: number
  unitsPerEm: number
  /** Whether offsets in `loca` have four bytes. */
  hasLongOffsets: boolean
}

interface Point {
  x: number
  y: number
  isOnCurve: boolean
}
type Contour = Point[]

/** Flags of a point, and of a part of a composite glyph. */
const point = { onCurve: 1, shortX: 2, shortY: 4, repeated: 8, sameX: 16, sameY: 32 }
const part = { wordArguments: 1, areOffsets: 2, scaled: 8, more: 32, scaledXY: 64, matrix: 128 }
/** A glyph is made of glyphs that are made of glyphs; no font goes further. */
const depthMax = 6

/** Answers the outline of a glyph, which is empty for a space. */
export function readGlyphs(view: DataView, tables: GlyphTables): (glyph: number) => Outline {
  const { unitsPerEm } = tables
  return (glyph) => outlineOf(contoursOf(view, tables, glyph, 0).flatMap((contour) => drawn(contour, unitsPerEm)))
}

function contoursOf(view: DataView, tables: GlyphTables, glyph: number, depth: number): Contour[] {
  const { loca, glyf, hasLongOffsets } = tables
  const offset = (index: number) =>
    hasLongOffsets ? view.getUint32(loca + 4 * index) : 2 * view.getUint16(loca + 2 * index)
  const at = glyf + offset(glyph)
  if (offset(glyph + 1) === offset(glyph) || depth > depthMax) return []
  const contours = view.getInt16(at)
  return contours >= 0 ? simple(view, at + 10, contours) : composite(view, tables, at + 10, depth)
}

function simple(view: DataView, at: number, contours: number): Contour[] {
  const ends = Array.from({ length: contours }, (_, index) => view.getUint16(at + 2 * index) + 1)
  const count = ends.at(-1) ?? 0
  let next = at + 2 * contours
  next += 2 + view.getUint16(next)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = view.getUint8(next++)
    const times = flag & point.repeated ? view.getUint8(next++) + 1 : 1
    for (let i = 0; i < times; i++) flags.push(flag)
  }
  const coordinates = (short: number, same: number) => {
    let value = 0
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? view.getUint8(next++) : -view.getUint8(next++)
      else if (!(flag & same)) {
        value += view.getInt16(next)
        next += 2
      }
      return value
    })
  }
  const xs = coordinates(point.shortX, point.sameX)
  const ys = coordinates(point.shortY, point.sameY)
  const points = flags.map((flag, i): Point => ({ x: xs[i]!, y: ys[i]!, isOnCurve: (flag & point.onCurve) !== 0 }))
  return ends.map((end, index) => points.slice(ends[index - 1] ?? 0, end))
}

function composite(view: DataView, tables: GlyphTables, at: number, depth: number): Contour[] {
  const contours: Contour[] = []
  let next = at
  const number16 = () => {
    next += 2
    return view.getInt16(next - 2)
  }
  /** A number with 14 bits behind the point. */
  const scale = () => number16() / 16_384
  for (let flags: number = part.more; flags & part.more; ) {
    flags = number16()
    const glyph = number16() & 0xffff
    const [dx, dy] = flags & part.wordArguments ? [number16(), number16()] : bytePair(view, next)
    if (!(flags & part.wordArguments)) next += 2
    let [a, b, c, d] = [1, 0, 0, 1]
    if (flags & part.scaled) a = d = scale()
    else if (flags & part.scaledXY) [a, d] = [scale(), scale()]
    else if (flags & part.matrix) [a, b, c, d] = [scale(), scale(), scale(), scale()]
    // Parts that are joined point to point are in none of our fonts.
    const [left, up] = flags & part.areOffsets ? [dx, dy] : [0, 0]
    for (const contour of contoursOf(view, tables, glyph, depth + 1)) {
      contours.push(
        contour.map(({ x, y, isOnCurve }) => ({ x: a * x + c * y + left, y: b * x + d * y + up, isOnCurve })),
      )
    }
  }
  return contours
}

const bytePair = (view: DataView, at: number): [number, number] => [view.getInt8(at), view.getInt8(at + 1)]

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, isOnCurve: true })

/** Points off the curve are control points of quadratic curves; between two of them lies a point on it that is not written. */
function drawn(contour: Contour, unitsPerEm: number): PathCommand[] {
  const [first, last] = [contour[0], contour.at(-1)]
  if (!first || !last) return []
  const start = first.isOnCurve ? first : last.isOnCurve ? last : middle(last, first)
  const em = ({ x, y }: Point): [number, number] => [x / unitsPerEm, -y / unitsPerEm]
  const commands: PathCommand[] = [['M', ...em(start)]]
  let [here, control]: [Point, Point | undefined] = [start, undefined]
  const curveTo = (to: Point) => {
    commands.push(control ? quadraticToCubic(em(here), [...em(control), ...em(to)]) : ['L', ...em(to)])
    here = to
    control = undefined
  }
  for (const next of first.isOnCurve ? contour.slice(1) : contour) {
    if (next.isOnCurve) curveTo(next)
    else {
      if (control) curveTo(middle(control, next))
      control = next
    }
  }
  curveTo(start)
  return commands
}
