/** Reads glyph outlines from a TrueType font: the tables `loca` and `glyf` of the OpenType specification. */
import { type Outline, outlineOf, type PathCommand, quadraticToCubic } from './outline.ts'

/** Offsets of the glyph tables in a font file. */
interface GlyphTables {
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

/** Flags of a point, and of a component of a composite glyph. */
const point = { onCurve: 1, shortX: 2, shortY: 4, repeated: 8, sameX: 16, sameY: 32 }
const component = { wordArguments: 1, areOffsets: 2, scaled: 8, more: 32, scaledXY: 64, matrix: 128 }
/** Limit for nested composite glyphs, against malformed fonts. */
const depthMax = 6

/** Returns a function that reads the outline of a glyph; empty for a space. */
export function readGlyphs(view: DataView, tables: GlyphTables): (glyph: number) => Outline {
  const { unitsPerEm } = tables
  return (glyph) =>
    outlineOf(contoursOf(view, tables, glyph, 0).flatMap((contour) => contourCommands(contour, unitsPerEm)))
}

function contoursOf(view: DataView, tables: GlyphTables, glyph: number, depth: number): Contour[] {
  const { loca, glyf, hasLongOffsets } = tables
  const offset = (index: number) =>
    hasLongOffsets ? view.getUint32(loca + 4 * index) : 2 * view.getUint16(loca + 2 * index)
  const at = glyf + offset(glyph)
  if (offset(glyph + 1) === offset(glyph) || depth > depthMax) return []
  const contours = view.getInt16(at)
  return contours >= 0 ? readSimpleGlyph(view, at + 10, contours) : readCompositeGlyph(view, tables, at + 10, depth)
}

function readSimpleGlyph(view: DataView, at: number, contours: number): Contour[] {
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

function readCompositeGlyph(view: DataView, tables: GlyphTables, at: number, depth: number): Contour[] {
  const contours: Contour[] = []
  let next = at
  const number16 = () => {
    next += 2
    return view.getInt16(next - 2)
  }
  /** A fixed-point number with 14 fractional bits (F2DOT14). */
  const scale = () => number16() / 16_384
  for (let flags: number = component.more; flags & component.more; ) {
    flags = number16()
    const glyph = number16() & 0xffff
    const [dx, dy] = flags & component.wordArguments ? [number16(), number16()] : bytePair(view, next)
    if (!(flags & component.wordArguments)) next += 2
    let [a, b, c, d] = [1, 0, 0, 1]
    if (flags & component.scaled) a = d = scale()
    else if (flags & component.scaledXY) [a, d] = [scale(), scale()]
    else if (flags & component.matrix) [a, b, c, d] = [scale(), scale(), scale(), scale()]
    // None of our fonts joins components point to point.
    const [left, up] = flags & component.areOffsets ? [dx, dy] : [0, 0]
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

/** Off-curve points control quadratic curves; between two consecutive ones lies an implied on-curve point. */
function contourCommands(contour: Contour, unitsPerEm: number): PathCommand[] {
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
