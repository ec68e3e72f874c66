// How the motion kernel samples an 8-bit plane at sub-pixel precision: a separable Catmull-Rom filter, whose columns are planned once for
// all rows of a plane. Built with SIMD and without it; both give the same bytes.

/** Weights of one sample sum to 1 << WEIGHT_BITS. Six bits keep every product and sum of the four taps within an i16. */
const WEIGHT_BITS: i32 = 6
const WEIGHT_ONE: i32 = 1 << WEIGHT_BITS
const WEIGHT_HALF: i32 = 1 << (WEIGHT_BITS - 1)

/** Eight outputs are made at a time; at up to 1.5 source pixels per output their taps span at most 16 bytes: one swizzle. */
const GROUP: i32 = 8
export const TARGET_WIDTH_MAX: i32 = 4096
const SOURCE_WIDTH_MAX: i32 = 8192
/** A window may touch pixels outside the plane: they repeat the edge. 16 on either side covers a whole group. */
const MARGIN: i32 = 16

/** Per group: four swizzle index vectors (where each tap reads), then four weight vectors. 128 bytes. */
const groupTable = memory.data((TARGET_WIDTH_MAX / GROUP) * 128, 16)
/** Per group: the column its first tap reads. */
const groupColumn = memory.data((TARGET_WIDTH_MAX / GROUP) * 4, 16)
/** Two vertically filtered rows of the source, each with a repeated edge on both sides. */
const FILTERED_BYTES: i32 = SOURCE_WIDTH_MAX + 2 * MARGIN + 16
const filteredRows = memory.data(2 * (SOURCE_WIDTH_MAX + 2 * MARGIN + 16), 16)

let weight0: i32 = 0
let weight1: i32 = 0
let weight2: i32 = 0
let weight3: i32 = 0

/** The window that was planned: the columns of the source that it reads, and where its rows lie. */
let columnFrom: i32 = 0
let columnTo: i32 = 0
let rowsTop: f64 = 0
let rowsStep: f64 = 0

export function clamp(value: i32, lowest: i32, highest: i32): i32 {
  return max(lowest, min(highest, value))
}

/** Sets the four Catmull-Rom weights for a sample that lies `fraction` of the way from tap 1 to tap 2. */
function setWeights(fraction: f64): void {
  const square = fraction * fraction
  const cube = square * fraction
  weight0 = <i32>Math.floor((-0.5 * cube + square - 0.5 * fraction) * WEIGHT_ONE + 0.5)
  weight1 = <i32>Math.floor((1.5 * cube - 2.5 * square + 1.0) * WEIGHT_ONE + 0.5)
  weight2 = <i32>Math.floor((-1.5 * cube + 2.0 * square + 0.5 * fraction) * WEIGHT_ONE + 0.5)
  weight3 = WEIGHT_ONE - weight0 - weight1 - weight2
}

/** Fills the tables for all columns of the target. */
function planColumns(left: f64, step: f64, sourceWidth: i32, targetWidth: i32): void {
  const groups = (targetWidth + GROUP - 1) / GROUP
  for (let group = 0; group < groups; group++) {
    const entry = groupTable + group * 128
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
      for (let tap = 0; tap < 4; tap++) {
        // An index of 255 is out of range for a swizzle and reads 0: it widens the byte before it to 16 bits.
        const cell = entry + tap * 16 + lane * 2
        store<u8>(cell, <u8>clamp(first + tap - base, 0, 15))
        store<u8>(cell + 1, 255)
      }
      store<i16>(entry + 64 + lane * 2, <i16>weight0)
      store<i16>(entry + 80 + lane * 2, <i16>weight1)
      store<i16>(entry + 96 + lane * 2, <i16>weight2)
      store<i16>(entry + 112 + lane * 2, <i16>weight3)
    }
  }
}

/** Filters four source rows into one for the columns from..to, by the current weights. */
function filterRows(target: usize, row0: usize, row1: usize, row2: usize, row3: usize, from: i32, to: i32): void {
  if (ASC_FEATURE_SIMD) {
    const w0 = i16x8.splat(<i16>weight0)
    const w1 = i16x8.splat(<i16>weight1)
    const w2 = i16x8.splat(<i16>weight2)
    const w3 = i16x8.splat(<i16>weight3)
    const half = i16x8.splat(<i16>WEIGHT_HALF)
    for (let x = from; x < to; x += 16) {
      const a = v128.load(row0 + x)
      const b = v128.load(row1 + x)
      const c = v128.load(row2 + x)
      const d = v128.load(row3 + x)
      let low = i16x8.mul(i16x8.extend_low_i8x16_u(a), w0)
      let high = i16x8.mul(i16x8.extend_high_i8x16_u(a), w0)
      low = i16x8.add(low, i16x8.mul(i16x8.extend_low_i8x16_u(b), w1))
      high = i16x8.add(high, i16x8.mul(i16x8.extend_high_i8x16_u(b), w1))
      low = i16x8.add(low, i16x8.mul(i16x8.extend_low_i8x16_u(c), w2))
      high = i16x8.add(high, i16x8.mul(i16x8.extend_high_i8x16_u(c), w2))
      low = i16x8.add(low, i16x8.mul(i16x8.extend_low_i8x16_u(d), w3))
      high = i16x8.add(high, i16x8.mul(i16x8.extend_high_i8x16_u(d), w3))
      low = i16x8.shr_s(i16x8.add(low, half), WEIGHT_BITS)
      high = i16x8.shr_s(i16x8.add(high, half), WEIGHT_BITS)
      v128.store(target + x, i8x16.narrow_i16x8_u(low, high))
    }
  } else {
    for (let x = from; x < to; x++) {
      const sum =
        <i32>load<u8>(row0 + x) * weight0 +
        <i32>load<u8>(row1 + x) * weight1 +
        <i32>load<u8>(row2 + x) * weight2 +
        <i32>load<u8>(row3 + x) * weight3
      store<u8>(target + x, <u8>clamp((sum + WEIGHT_HALF) >> WEIGHT_BITS, 0, 255))
    }
  }
}

/** Eight outputs of one row, as 16-bit sums: `entry` is their group in the table, `pixels` what its taps read. */
function gatherGroup(pixels: v128, entry: usize): v128 {
  // Of the relaxed swizzle only what every engine gives is used: indices are below 16 or 255, which reads 0.
  let sum = i16x8.mul(i8x16.relaxed_swizzle(pixels, v128.load(entry)), v128.load(entry, 64))
  sum = i16x8.add(sum, i16x8.mul(i8x16.relaxed_swizzle(pixels, v128.load(entry, 16)), v128.load(entry, 80)))
  sum = i16x8.add(sum, i16x8.mul(i8x16.relaxed_swizzle(pixels, v128.load(entry, 32)), v128.load(entry, 96)))
  sum = i16x8.add(sum, i16x8.mul(i8x16.relaxed_swizzle(pixels, v128.load(entry, 48)), v128.load(entry, 112)))
  return i16x8.shr_s(i16x8.add(sum, i16x8.splat(<i16>WEIGHT_HALF)), WEIGHT_BITS)
}

/** Turns the first filtered row into one row of the target, by the tables. */
function gatherRow(target: usize, targetWidth: i32): void {
  const row = filteredRows + MARGIN
  const groups = (targetWidth + GROUP - 1) / GROUP
  for (let group = 0; group < groups; group++) {
    const entry = groupTable + group * 128
    const from = row + load<i32>(groupColumn + group * 4)
    if (ASC_FEATURE_SIMD) {
      const sum = gatherGroup(v128.load(from), entry)
      v128.store64_lane(target + group * GROUP, i8x16.narrow_i16x8_u(sum, sum), 0)
    } else {
      for (let lane = 0; lane < GROUP; lane++) {
        let sum = WEIGHT_HALF
        for (let tap = 0; tap < 4; tap++) {
          const pixel = <i32>load<u8>(from + load<u8>(entry + tap * 16 + lane * 2))
          sum += pixel * <i32>load<i16>(entry + 64 + tap * 16 + lane * 2)
        }
        store<u8>(target + group * GROUP + lane, <u8>clamp(sum >> WEIGHT_BITS, 0, 255))
      }
    }
  }
}

/** Turns both filtered rows into two rows of the target: what is read of the tables serves them both. */
function gatherPair(target: usize, targetWidth: i32): void {
  const row = filteredRows + MARGIN
  const groups = (targetWidth + GROUP - 1) / GROUP
  const below = target + targetWidth
  let belowStart = i16x8.splat(0)
  for (let group = 0; group < groups; group++) {
    const entry = groupTable + group * 128
    const from = row + load<i32>(groupColumn + group * 4)
    const upper = gatherGroup(v128.load(from), entry)
    const lower = gatherGroup(v128.load(from + FILTERED_BYTES), entry)
    const both = i8x16.narrow_i16x8_u(upper, lower)
    if (group === 0) belowStart = both
    v128.store64_lane(target + group * GROUP, both, 0)
    v128.store64_lane(below + group * GROUP, both, 1)
  }
  // The last group of the upper row may have run over the beginning of the lower one.
  v128.store64_lane(below, belowStart, 1)
}

/**
 * Plans a window (left, top, width, height; in source pixels, edges at whole numbers) of planes of one size, to be drawn into
 * targetWidth x targetHeight. At most 1.5 source pixels per target pixel.
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
    filterRow(source, sourceWidth, sourceHeight, y, filteredRows + MARGIN)
    filterRow(source, sourceWidth, sourceHeight, y + 1, filteredRows + FILTERED_BYTES + MARGIN)
    gatherPair(target, targetWidth)
  } else {
    sampleRow(source, sourceWidth, sourceHeight, y, target, targetWidth)
    sampleRow(source, sourceWidth, sourceHeight, y + 1, target + targetWidth, targetWidth)
  }
}

/** Filters what row `y` of the window lies on, and repeats its edges. */
function filterRow(source: usize, sourceWidth: i32, sourceHeight: i32, y: i32, row: usize): void {
  const centre = rowsTop + (<f64>y + 0.5) * rowsStep - 0.5
  const nearest = Math.floor(centre)
  setWeights(centre - nearest)
  const first = <i32>nearest - 1
  const last = sourceHeight - 1
  filterRows(
    row,
    source + clamp(first, 0, last) * sourceWidth,
    source + clamp(first + 1, 0, last) * sourceWidth,
    source + clamp(first + 2, 0, last) * sourceWidth,
    source + clamp(first + 3, 0, last) * sourceWidth,
    columnFrom,
    columnTo,
  )
  memory.fill(row + columnFrom - MARGIN, load<u8>(row + columnFrom), MARGIN)
  memory.fill(row + columnTo, load<u8>(row + columnTo - 1), MARGIN)
}
