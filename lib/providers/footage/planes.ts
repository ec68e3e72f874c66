/**
 * Layers of a clip as planar video with alpha, and the blending of a moving layer over a frame with a precision of
 * 1/256 pixel.
 */

type DriftAxis = 'x' | 'y'

/** One plane of a layer. Colours are premultiplied by alpha, so that neighbours can be interpolated before blending. */
interface Plane {
  width: number
  height: number
  colour: Uint8Array
  alpha: Uint8Array
  runs: Runs
  /** 1 for each row that is fully opaque. */
  opaqueRows: Uint8Array
}

/**
 * The visible pixels of a plane: `[start, end, kind]` triples, those of row y from `rows[y]` to `rows[y + 1]`. Most
 * pixels are either empty or opaque, which needs no blending; most opaque ones are flat, which needs no interpolation.
 */
interface Runs {
  axis: DriftAxis
  rows: Int32Array
  triples: Int32Array
}

export interface LayerPlanes {
  luma: Plane
  chroma: readonly [Plane, Plane]
  /** The layer is fully opaque from this row down. */
  opaqueFrom: number
}

/**
 * Splits premultiplied RGBA of even size into BT.709 planes of limited range, chroma at half size; `axis` is that of
 * the motion.
 */
export function layerPlanesOf(rgba: Uint8Array, width: number, height: number, axis: DriftAxis): LayerPlanes {
  const lumaColour = new Uint8Array(width * height)
  const lumaAlpha = new Uint8Array(width * height)
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, width * height)
  const [top, bottom] = visibleRows(pixels, width)
  // Most pixels are empty or equal to the one before.
  for (let at = top * width, before = 0, colour = 0; at < bottom * width; at++) {
    const pixel = pixels[at]!
    if (pixel === 0) continue
    const a = pixel >>> 24
    if (pixel !== before) {
      const [r, g, b] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]
      colour = (0.18259 * r + 0.61423 * g + 0.06201 * b + (16 * a) / 255 + 0.5) | 0
      before = pixel
    }
    lumaAlpha[at] = a
    lumaColour[at] = colour
  }
  const alpha = new Uint8Array((width * height) / 4)
  const u = new Uint8Array(alpha.length)
  const v = new Uint8Array(alpha.length)
  const flat = { pixel: 0, alpha: 0, u: 0, v: 0 }
  for (let y = top, at = (top * width) / 4; y < bottom; y += 2) {
    for (let pixel = y * width, end = pixel + width; pixel < end; pixel += 2, at++) {
      const [first, second] = [pixels[pixel]!, pixels[pixel + 1]!]
      const [third, fourth] = [pixels[pixel + width]!, pixels[pixel + width + 1]!]
      if ((first | second | third | fourth) === 0) continue
      const isFlat = first === second && first === third && first === fourth
      if (isFlat && first === flat.pixel) {
        alpha[at] = flat.alpha
        u[at] = flat.u
        v[at] = flat.v
        continue
      }
      const from = pixel * 4
      const below = from + width * 4
      const r = (rgba[from]! + rgba[from + 4]! + rgba[below]! + rgba[below + 4]!) / 4
      const g = (rgba[from + 1]! + rgba[from + 5]! + rgba[below + 1]! + rgba[below + 5]!) / 4
      const b = (rgba[from + 2]! + rgba[from + 6]! + rgba[below + 2]! + rgba[below + 6]!) / 4
      const a = (rgba[from + 3]! + rgba[from + 7]! + rgba[below + 3]! + rgba[below + 7]!) / 4
      alpha[at] = a + 0.5
      u[at] = -0.10064 * r - 0.33857 * g + 0.43922 * b + (128 * a) / 255 + 0.5
      v[at] = 0.43922 * r - 0.39894 * g - 0.04027 * b + (128 * a) / 255 + 0.5
      if (isFlat) Object.assign(flat, { pixel: first, alpha: alpha[at], u: u[at], v: v[at] })
    }
  }
  // The row above the visible ones is interpolated with them.
  const from = Math.max(0, top - 2)
  const luma = planeOf(lumaAlpha, runsOf(lumaAlpha, [lumaColour], width, axis, [from, bottom]), width)
  const half = planeOf(alpha, runsOf(alpha, [u, v], width / 2, axis, [from / 2, bottom / 2]), width / 2)
  return {
    luma: { ...luma, colour: lumaColour },
    chroma: [
      { ...half, colour: u },
      { ...half, colour: v },
    ],
    // The row below the last one that is not opaque.
    opaqueFrom: luma.opaqueRows.lastIndexOf(0) + 1,
  }
}

/** The first and the end of the rows with visible pixels, both even. */
function visibleRows(pixels: Int32Array, width: number): [number, number] {
  let [first, end] = [0, pixels.length]
  while (first < end && pixels[first] === 0) first++
  while (end > first && pixels[end - 1] === 0) end--
  return [2 * Math.floor(first / width / 2), 2 * Math.ceil(end / width / 2)]
}

const planeOf = (alpha: Uint8Array, runs: Runs, width: number): Omit<Plane, 'colour'> => ({
  width,
  height: alpha.length / width,
  alpha,
  runs,
  opaqueRows: opaqueRowsOf(runs, width),
})

const empty = 0
const blended = 1
const opaque = 2
/** Opaque and of the same colour as its neighbour. */
const flat = 3
/** A shorter flat run counts as opaque. */
const flatMin = 24

/**
 * A pixel is classified together with its neighbour on the axis of motion, since the two are interpolated. Rows outside
 * `from` to `to` are empty.
 */
function runsOf(
  alpha: Uint8Array,
  colours: readonly Uint8Array[],
  width: number,
  axis: DriftAxis,
  [from, to]: readonly [number, number],
): Runs {
  const height = alpha.length / width
  const rows = new Int32Array(height + 1)
  const triples: number[] = []
  const [first, last] = [colours[0]!, colours.at(-1)!]
  for (let y = 0; y < height; y++) {
    rows[y] = triples.length
    if (y < from || y >= to) continue
    const below = y < height - 1 ? width : 0
    let kind = empty
    let start = 0
    for (let x = 0; x <= width; x++) {
      const at = y * width + x
      const next = axis === 'y' ? at + below : x < width - 1 ? at + 1 : at
      const sum = x < width ? alpha[at]! + alpha[next]! : 0
      let now = blended
      if (sum === 0) now = empty
      else if (sum === 510) now = first[at] === first[next] && last[at] === last[next] ? flat : opaque
      if (now === kind && x < width) continue
      if (kind !== empty) add(triples, rows[y]!, start, x, kind)
      kind = now
      start = x
    }
  }
  rows[height] = triples.length
  return { axis, rows, triples: Int32Array.from(triples) }
}

/** Appends a run to the row that begins at `from`; extends an adjacent opaque run. */
function add(triples: number[], from: number, start: number, end: number, kind: number): void {
  const mixed = kind === flat && end - start < flatMin ? opaque : kind
  const before = triples.length - 3
  if (mixed === opaque && before >= from && triples[before + 2] === opaque && triples[before + 1] === start)
    triples[before + 1] = end
  else triples.push(start, end, mixed)
}

function opaqueRowsOf({ rows, triples }: Runs, width: number): Uint8Array {
  const isOpaque = (y: number) => {
    let end = 0
    for (let run = rows[y]!; run < rows[y + 1]! && triples[run] === end && triples[run + 2]! >= opaque; run += 3)
      end = triples[run + 1]!
    return end === width
  }
  return Uint8Array.from({ length: rows.length - 1 }, (_, y) => Number(isOpaque(y)))
}

/** Blends `plane`, offset by `x`, `y` (at most one of them fractional), over rows `from` to `to` of `target`. */
export function blendPlane(
  plane: Plane,
  target: Uint8Array,
  width: number,
  x: number,
  y: number,
  from: number,
  to: number,
): void {
  const { colour, alpha, runs } = plane
  const left = Math.floor(x)
  const above = Math.floor(y)
  const share = Math.round((x - left + y - above) * 256)
  // A layer at rest has no spare pixels: its last one has no neighbour, and undefined * 0 is NaN.
  const step = share === 0 ? 0 : y === above ? 1 : plane.width
  const rest = 256 - share
  // Chroma may be between two rows while it moves along them: then other neighbours are interpolated than were
  // compared.
  const mixesAlong = share === 0 || runs.axis === (y === above ? 'x' : 'y')
  // The plane may begin below the first row and end above the last one.
  const end = Math.min(to, plane.height - above)
  for (let row = Math.max(from, -above); row < end; row++) {
    const line = row + above
    const offset = row * width - left
    const lastRun = runs.rows[line + 1]!
    for (let run = runs.rows[line]!; run < lastRun; run += 3) {
      const start = Math.max(runs.triples[run]!, left)
      const past = Math.min(runs.triples[run + 1]!, left + width)
      let source = line * plane.width + start
      const stop = offset + past
      const kind = runs.triples[run + 2]
      if (kind === flat && mixesAlong) {
        if (past > start) target.set(colour.subarray(source, source + past - start), offset + start)
        continue
      }
      if (kind !== blended) {
        for (let at = offset + start; at < stop; at++, source++)
          target[at] = (colour[source]! * rest + colour[source + step]! * share + 128) >> 8
        continue
      }
      if (share === 0) {
        for (let at = offset + start; at < stop; at++, source++)
          target[at] = colour[source]! + ((target[at]! * (255 - alpha[source]!) * 257 + 32768) >> 16)
        continue
      }
      for (let at = offset + start; at < stop; at++, source++) {
        const seen = 65280 - alpha[source]! * rest - alpha[source + step]! * share
        // 257 / 65536 approximates 1 / 255: exact enough for a byte, and integers are the same on every machine.
        const behind = (target[at]! * (seen >> 1) * 257) >>> 15
        target[at] = (colour[source]! * rest + colour[source + step]! * share + behind + 128) >> 8
      }
    }
  }
}
