// Samples an 8-bit plane at sub-pixel precision with a separable Catmull-Rom filter, whose columns are planned once for
// all rows of a plane. Built with SIMD and without it; both give the same bytes.

/**
 * Weights of one sample sum to 1 << WEIGHT_BITS. Six bits keep them within an i8, and every sum of four taps within an
 * i16.
 */
const WEIGHT_BITS: i32 = 6
const WEIGHT_ONE: i32 = 1 << WEIGHT_BITS
const WEIGHT_HALF: i32 = 1 << (WEIGHT_BITS - 1)

/**
 * Eight outputs are computed at a time; at up to 1.5 source pixels per output their taps span at most 16 bytes: one
 * swizzle.
 */
const GROUP: i32 = 8
export const TARGET_WIDTH_MAX: i32 = 4096
const SOURCE_WIDTH_MAX: i32 = 8192
/** A window may reach beyond the plane, where the edge is repeated. 16 on either side covers a whole group. */
const MARGIN: i32 = 16

/** Per group: swizzle indices of the inner taps and of the outer taps, in pairs, then the weights of both. */
const GROUP_BYTES: i32 = 64
const groupTable = memory.data((TARGET_WIDTH_MAX / GROUP) * 64, 16)
/** Per group: the column its first tap reads. */
const groupColumn = memory.data((TARGET_WIDTH_MAX / GROUP) * 4, 16)
/**
 * Two vertically filtered rows of the source, each with a repeated edge on both sides; with SIMD they are 128 less (see
 * `signs`).
 */
const FILTERED_BYTES: usize = SOURCE_WIDTH_MAX + 2 * MARGIN + 16
const filteredRows = memory.data(2 * (SOURCE_WIDTH_MAX + 2 * MARGIN + 16), 16)

/** Weights of the inner taps are added, those of the outer taps subtracted: all are non-negative. */
let added1: i32 = 0
let added2: i32 = 0
let taken0: i32 = 0
let taken3: i32 = 0

/** The planned window: the source columns that it reads, and the position of its rows. */
let columnFrom: i32 = 0
let columnTo: i32 = 0
let rowsTop: f64 = 0
let rowsStep: f64 = 0

export function clamp(value: i32, lowest: i32, highest: i32): i32 {
  return max(lowest, min(highest, value))
}

/** Sets the four Catmull-Rom weights for a sample at `fraction` between tap 1 and tap 2. */
function setWeights(fraction: f64): void {
  const square = fraction * fraction
  const cube = square * fraction
  taken0 = <i32>Math.floor((0.5 * cube - square + 0.5 * fraction) * WEIGHT_ONE + 0.5)
  taken3 = <i32>Math.floor((0.5 * square - 0.5 * cube) * WEIGHT_ONE + 0.5)
  added1 = <i32>Math.floor((1.5 * cube - 2.5 * square + 1.0) * WEIGHT_ONE + 0.5)
  added2 = WEIGHT_ONE + taken0 + taken3 - added1
}

/** Fills the tables for all columns of the target. */
function planColumns(left: f64, step: f64, sourceWidth: i32, targetWidth: i32): void {
  const groups = (targetWidth + GROUP - 1) / GROUP
  for (let group = 0; group < groups; group++) {
    const entry = groupTable + group * GROUP_BYTES
    let base = 0
    for (let lane = 0; lane < GROUP; lane++) {
      const centre = left + (<f64>(group * GROUP + lane) + 0.5) * step - 0.5
      const nearest = Math.floor(centre)
      setWeights(centre - nearest)
      const first = <i32>nearest - 1
      if (lane === 0) {
        base = clamp(first, -MARGIN, sourceWidth)
        store<i32>(groupColumn + group * 4, base)
      }
      const cell = entry + lane * 2
      for (let tap = 0; tap < 2; tap++) {
        store<u8>(cell + tap, <u8>clamp(first + 1 + tap - base, 0, 15))
        store<u8>(cell + 16 + tap, <u8>clamp(first + 3 * tap - base, 0, 15))
      }
      store<u8>(cell + 32, <u8>added1)
      store<u8>(cell + 33, <u8>added2)
      store<u8>(cell + 48, <u8>taken0)
      store<u8>(cell + 49, <u8>taken3)
    }
  }
}

/**
 * Two splat vectors of eight i16, one number each. Loaded from memory instead of constants: V8 rebuilds a constant
 * vector at each use but keeps a loaded one in a register, which saves a third of the time.
 */
const vectors = memory.data<i16>([-32_640, 512])

/** 128 in each byte. Bytes are multiplied as signed ones that are 128 less: this turns one into the other. */
function signs(): v128 {
  return v128.load16_splat(vectors)
}

/** The factor with which a rounding product (a * b / 32768) divides by the sum of the weights. */
function unit(): v128 {
  return v128.load16_splat(vectors, 2)
}

/**
 * Eight samples as i16 from pairs of inner and outer taps with their weights. Weights sum to 1, so samples keep the
 * offset of the bytes.
 */
function weighed(inner: v128, added: v128, outer: v128, taken: v128, by: v128): v128 {
  // These relaxed instructions are deterministic here: weights are below 128, and no sum approaches the range of i16.
  const sum = i16x8.sub(i16x8.relaxed_dot_i8x16_i7x16_s(inner, added), i16x8.relaxed_dot_i8x16_i7x16_s(outer, taken))
  return i16x8.relaxed_q15mulr_s(sum, by)
}

/** Interleaves the first halves of two vectors of bytes. */
function pairsLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
}

/** Interleaves the second halves. */
function pairsHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
}

/** The current weights of the inner taps, in pairs. */
function innerWeights(): v128 {
  return i16x8.splat(<i16>(added1 | (added2 << 8)))
}

/** The current weights of the outer taps, in pairs. */
function outerWeights(): v128 {
  return i16x8.splat(<i16>(taken0 | (taken3 << 8)))
}

/** Filters four source rows into one for the columns from..to, by the current weights. */
function filterRows(target: usize, row0: usize, row1: usize, row2: usize, row3: usize, from: i32, to: i32): void {
  if (ASC_FEATURE_SIMD) {
    const added = innerWeights()
    const taken = outerWeights()
    const sign = signs()
    const by = unit()
    for (let x = from; x < to; x += 16) {
      const a = v128.xor(v128.load(row0 + x), sign)
      const b = v128.xor(v128.load(row1 + x), sign)
      const c = v128.xor(v128.load(row2 + x), sign)
      const d = v128.xor(v128.load(row3 + x), sign)
      v128.store(target + x, weighRows(a, b, c, d, added, taken, by))
    }
  } else {
    for (let x = from; x < to; x++) {
      const inner = <i32>load<u8>(row1 + x) * added1 + <i32>load<u8>(row2 + x) * added2
      const outer = <i32>load<u8>(row0 + x) * taken0 + <i32>load<u8>(row3 + x) * taken3
      store<u8>(target + x, <u8>clamp((inner - outer + WEIGHT_HALF) >> WEIGHT_BITS, 0, 255))
    }
  }
}

/** Sixteen outputs of a row from four source rows. */
function weighRows(a: v128, b: v128, c: v128, d: v128, added: v128, taken: v128, by: v128): v128 {
  const low = weighed(pairsLow(b, c), added, pairsLow(a, d), taken, by)
  const high = weighed(pairsHigh(b, c), added, pairsHigh(a, d), taken, by)
  return i8x16.narrow_i16x8_s(low, high)
}

/**
 * Filters five source rows into the two filtered rows: the first four by the given weights, the last four by the current
 * ones. Three of the rows are read once for both.
 */
function filterOverlap(
  row0: usize,
  row1: usize,
  row2: usize,
  row3: usize,
  row4: usize,
  upperAdded: v128,
  upperTaken: v128,
): void {
  const lowerAdded = innerWeights()
  const lowerTaken = outerWeights()
  const sign = signs()
  const by = unit()
  const to = columnTo
  for (let x = columnFrom; x < to; x += 16) {
    const b = v128.xor(v128.load(row1 + x), sign)
    const c = v128.xor(v128.load(row2 + x), sign)
    const d = v128.xor(v128.load(row3 + x), sign)
    const a = v128.xor(v128.load(row0 + x), sign)
    v128.store(filteredRows + MARGIN + x, weighRows(a, b, c, d, upperAdded, upperTaken, by))
    const e = v128.xor(v128.load(row4 + x), sign)
    v128.store(filteredRows + MARGIN + x, weighRows(b, c, d, e, lowerAdded, lowerTaken, by), FILTERED_BYTES)
  }
}

/** Eight outputs of one row: `entry` is their group in the table, `pixels` the bytes that its taps read. */
function gatherGroup(pixels: v128, entry: usize, by: v128): v128 {
  // No index is above 15.
  const inner = i8x16.relaxed_swizzle(pixels, v128.load(entry))
  const outer = i8x16.relaxed_swizzle(pixels, v128.load(entry, 16))
  return weighed(inner, v128.load(entry, 32), outer, v128.load(entry, 48), by)
}

/** Filters the first filtered row horizontally into one row of the target, by the tables. */
function gatherRow(target: usize, targetWidth: i32): void {
  const row = filteredRows + MARGIN
  const groups = (targetWidth + GROUP - 1) / GROUP
  if (ASC_FEATURE_SIMD) {
    const sign = signs()
    const by = unit()
    for (let group = 0; group < groups; group++) {
      const from = row + load<i32>(groupColumn + group * 4)
      const samples = gatherGroup(v128.load(from), groupTable + group * GROUP_BYTES, by)
      const bytes = v128.xor(i8x16.narrow_i16x8_s(samples, samples), sign)
      v128.store64_lane(target + group * GROUP, bytes, 0)
    }
  } else {
    for (let x = 0; x < groups * GROUP; x++) {
      const from = row + load<i32>(groupColumn + (x / GROUP) * 4)
      const cell = groupTable + (x / GROUP) * GROUP_BYTES + (x % GROUP) * 2
      let sum = WEIGHT_HALF
      for (let tap = 0; tap < 2; tap++) {
        sum += <i32>load<u8>(from + load<u8>(cell + tap)) * <i32>load<u8>(cell + 32 + tap)
        sum -= <i32>load<u8>(from + load<u8>(cell + 16 + tap)) * <i32>load<u8>(cell + 48 + tap)
      }
      store<u8>(target + x, <u8>clamp(sum >> WEIGHT_BITS, 0, 255))
    }
  }
}

/** Filters both rows into two rows of the target; each table entry is read once for both. */
function gatherPair(target: usize, targetWidth: i32): void {
  const row = filteredRows + MARGIN
  const groups = (targetWidth + GROUP - 1) / GROUP
  const below = target + targetWidth
  const sign = signs()
  const by = unit()
  let belowStart = i16x8.splat(0)
  let entry = groupTable
  for (let group = 0; group < groups; group++) {
    const from = row + load<i32>(groupColumn + group * 4)
    const upper = gatherGroup(v128.load(from), entry, by)
    const lower = gatherGroup(v128.load(from, FILTERED_BYTES), entry, by)
    const both = v128.xor(i8x16.narrow_i16x8_s(upper, lower), sign)
    if (group === 0) belowStart = both
    v128.store64_lane(target + group * GROUP, both, 0)
    v128.store64_lane(below + group * GROUP, both, 1)
    entry += GROUP_BYTES
  }
  // The last group of the upper row may have overwritten the start of the lower one.
  v128.store64_lane(below, belowStart, 1)
}

/**
 * Plans a window (left, top, width, height; in source pixels, edges at whole numbers) of planes of one size, to be
 * drawn into targetWidth x targetHeight. At most 1.5 source pixels per target pixel.
 */
export function planWindow(
  sourceWidth: i32,
  left: f64,
  top: f64,
  width: f64,
  height: f64,
  targetWidth: i32,
  targetHeight: i32,
): void {
  planColumns(left, width / <f64>targetWidth, sourceWidth, targetWidth)
  columnFrom = clamp(<i32>Math.floor(left) - 2, 0, sourceWidth - 1)
  columnTo = clamp(<i32>Math.ceil(left + width) + 3, columnFrom + 1, sourceWidth)
  rowsTop = top
  rowsStep = height / <f64>targetHeight
}

/** Draws row `y` of the planned window. Reads up to 15 bytes past the source, writes up to 7 past the target. */
export function sampleRow(
  source: usize,
  sourceWidth: i32,
  sourceHeight: i32,
  y: i32,
  target: usize,
  targetWidth: i32,
): void {
  filterRow(source, sourceWidth, sourceHeight, y, filteredRows + MARGIN)
  gatherRow(target, targetWidth)
}

/** Draws the rows `y` and `y + 1`, one below the other, as `sampleRow` would. */
export function samplePair(
  source: usize,
  sourceWidth: i32,
  sourceHeight: i32,
  y: i32,
  target: usize,
  targetWidth: i32,
): void {
  if (ASC_FEATURE_SIMD) {
    filterPair(source, sourceWidth, sourceHeight, y)
    gatherPair(target, targetWidth)
  } else {
    sampleRow(source, sourceWidth, sourceHeight, y, target, targetWidth)
    sampleRow(source, sourceWidth, sourceHeight, y + 1, target + targetWidth, targetWidth)
  }
}

/** Sets the weights of row `y` of the window, and returns the first of its four source rows. */
function planRow(y: i32): i32 {
  const centre = rowsTop + (<f64>y + 0.5) * rowsStep - 0.5
  const nearest = Math.floor(centre)
  setWeights(centre - nearest)
  return <i32>nearest - 1
}

/** A row of the source; its edges are repeated. */
function rowAt(source: usize, sourceWidth: i32, sourceHeight: i32, y: i32): usize {
  return source + clamp(y, 0, sourceHeight - 1) * sourceWidth
}

/** Filters the source rows of row `y` of the window vertically, and repeats the edges. */
function filterRow(source: usize, sourceWidth: i32, sourceHeight: i32, y: i32, row: usize): void {
  const first = planRow(y)
  filterRows(
    row,
    rowAt(source, sourceWidth, sourceHeight, first),
    rowAt(source, sourceWidth, sourceHeight, first + 1),
    rowAt(source, sourceWidth, sourceHeight, first + 2),
    rowAt(source, sourceWidth, sourceHeight, first + 3),
    columnFrom,
    columnTo,
  )
  repeatEdges(row)
}

/** Filters the rows `y` and `y + 1` of the window into the two filtered rows. */
function filterPair(source: usize, sourceWidth: i32, sourceHeight: i32, y: i32): void {
  const upper = filteredRows + MARGIN
  const lower = upper + FILTERED_BYTES
  const first = planRow(y)
  const added = innerWeights()
  const taken = outerWeights()
  if (planRow(y + 1) === first + 1) {
    filterOverlap(
      rowAt(source, sourceWidth, sourceHeight, first),
      rowAt(source, sourceWidth, sourceHeight, first + 1),
      rowAt(source, sourceWidth, sourceHeight, first + 2),
      rowAt(source, sourceWidth, sourceHeight, first + 3),
      rowAt(source, sourceWidth, sourceHeight, first + 4),
      added,
      taken,
    )
    repeatEdges(upper)
    repeatEdges(lower)
  } else {
    filterRow(source, sourceWidth, sourceHeight, y, upper)
    filterRow(source, sourceWidth, sourceHeight, y + 1, lower)
  }
}

/** Repeats the first and the last column of a filtered row. */
function repeatEdges(row: usize): void {
  repeat(row + columnFrom - MARGIN, load<u8>(row + columnFrom))
  repeat(row + columnTo, load<u8>(row + columnTo - 1))
}

/** Writes a margin of this byte. */
function repeat(target: usize, byte: u8): void {
  if (ASC_FEATURE_SIMD) v128.store(target, i8x16.splat(<i8>byte))
  else memory.fill(target, byte, MARGIN)
}
