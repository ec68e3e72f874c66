// The motion kernel in AssemblyScript: draws a moving window of a picture plane at sub-pixel precision, blends sprites
// over it and mixes two frames. It owns a few small tables; the host lays out all other memory above `heapBase`.
//
// Built twice from these files: with SIMD, and without it for engines that lack it. Both give the same bytes.
import { planWindow, samplePair, sampleRow, TARGET_WIDTH_MAX } from './sampling'

/** One sampled row of a sprite, and the same row of its opacity. */
const colourRow = memory.data(TARGET_WIDTH_MAX + 16, 16)
const opacityRow = memory.data(TARGET_WIDTH_MAX + 16, 16)

/** First byte the host may use. */
export function heapBase(): usize {
  return (__heap_base + 63) & ~63
}

/** Resamples a window (see `planWindow`) of a plane without row padding into another plane. */
export function resample(
  source: usize,
  sourceWidth: i32,
  sourceHeight: i32,
  left: f64,
  top: f64,
  width: f64,
  height: f64,
  target: usize,
  targetWidth: i32,
  targetHeight: i32,
): void {
  planWindow(sourceWidth, left, top, width, height, targetWidth, targetHeight)
  let y = 0
  for (; y < targetHeight - 1; y += 2) {
    samplePair(source, sourceWidth, sourceHeight, y, target + y * targetWidth, targetWidth)
  }
  if (y < targetHeight) sampleRow(source, sourceWidth, sourceHeight, y, target + y * targetWidth, targetWidth)
}

/**
 * Blends a window (see `planWindow`) of a plane over a box of a frame's plane. `colour` holds premultiplied values,
 * `opacity` is a plane of the same size; outside of them, edges are repeated. `strength` is a global opacity, 0 to 256.
 */
export function overlay(
  colour: usize,
  opacity: usize,
  sourceWidth: i32,
  sourceHeight: i32,
  left: f64,
  top: f64,
  width: f64,
  height: f64,
  target: usize,
  targetStride: i32,
  boxWidth: i32,
  boxHeight: i32,
  strength: i32,
): void {
  planWindow(sourceWidth, left, top, width, height, boxWidth, boxHeight)
  // A resting sprite usually lies on whole pixels: then its rows need no sampling.
  const whole = Math.floor(left) === left && Math.floor(top) === top
  const rests = whole && width === <f64>boxWidth && height === <f64>boxHeight
  const inside = left >= 0 && top >= 0 && left + width <= <f64>sourceWidth && top + height <= <f64>sourceHeight
  for (let y = 0; y < boxHeight; y++) {
    const row = target + y * targetStride
    if (rests && inside) {
      const at = (<i32>top + y) * sourceWidth + <i32>left
      blendRow(colour + at, opacity + at, row, boxWidth, strength)
    } else {
      sampleRow(colour, sourceWidth, sourceHeight, y, colourRow, boxWidth)
      sampleRow(opacity, sourceWidth, sourceHeight, y, opacityRow, boxWidth)
      blendRow(colourRow, opacityRow, row, boxWidth, strength)
    }
  }
}

/**
 * target = colour + target * (1 - opacity), both scaled by `strength`; rounded. Writes exactly `width` bytes of the
 * target.
 */
function blendRow(colour: usize, opacity: usize, target: usize, width: i32, strength: i32): void {
  let x = 0
  if (ASC_FEATURE_SIMD) {
    for (; x <= width - 16; x += 16) {
      const a = v128.load(opacity + x)
      if (!v128.any_true(a)) continue
      const c = v128.load(colour + x)
      const t = v128.load(target + x)
      const low = blend(i16x8.extend_low_i8x16_u(c), i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(t), strength)
      const high = blend(
        i16x8.extend_high_i8x16_u(c),
        i16x8.extend_high_i8x16_u(a),
        i16x8.extend_high_i8x16_u(t),
        strength,
      )
      v128.store(target + x, i8x16.narrow_i16x8_u(low, high))
    }
  }
  for (; x < width; x++) {
    // Sampling can leave a trace of colour where the opacity is 0.
    const a = (<i32>load<u8>(opacity + x) * strength + 128) >> 8
    if (a === 0) continue
    const c = (<i32>load<u8>(colour + x) * strength + 128) >> 8
    const t = <i32>load<u8>(target + x) * (255 - a) + 128
    store<u8>(target + x, <u8>min(255, c + ((t + (t >> 8)) >> 8)))
  }
}

function blend(colour: v128, opacity: v128, target: v128, strength: i32): v128 {
  const by = i16x8.splat(<i16>strength)
  const half = i16x8.splat(128)
  const a = i16x8.shr_u(i16x8.add(i16x8.mul(opacity, by), half), 8)
  const c = i16x8.shr_u(i16x8.add(i16x8.mul(colour, by), half), 8)
  const t = i16x8.add(i16x8.mul(target, i16x8.sub(i16x8.splat(255), a)), half)
  // (t + t / 256) / 256 divides by 255, rounded.
  const behind = i16x8.shr_u(i16x8.add(t, i16x8.shr_u(t, 8)), 8)
  const shown = i16x8.ne(a, i16x8.splat(0))
  return v128.bitselect(i16x8.add(c, behind), target, shown)
}

/**
 * target = target * (256 - share) / 256 + other * share / 256, rounded; `share` is 0 to 256. Works in steps of 16
 * bytes.
 */
export function mix(target: usize, other: usize, bytes: i32, share: i32): void {
  if (ASC_FEATURE_SIMD) {
    const ours = i16x8.splat(<i16>(256 - share))
    const theirs = i16x8.splat(<i16>share)
    const half = i16x8.splat(128)
    for (let i = 0; i < bytes; i += 16) {
      const a = v128.load(target + i)
      const b = v128.load(other + i)
      const low = i16x8.add(
        i16x8.mul(i16x8.extend_low_i8x16_u(a), ours),
        i16x8.mul(i16x8.extend_low_i8x16_u(b), theirs),
      )
      const high = i16x8.add(
        i16x8.mul(i16x8.extend_high_i8x16_u(a), ours),
        i16x8.mul(i16x8.extend_high_i8x16_u(b), theirs),
      )
      v128.store(
        target + i,
        i8x16.narrow_i16x8_u(i16x8.shr_u(i16x8.add(low, half), 8), i16x8.shr_u(i16x8.add(high, half), 8)),
      )
    }
  } else {
    for (let i = 0; i < bytes; i++) {
      const sum = <i32>load<u8>(target + i) * (256 - share) + <i32>load<u8>(other + i) * share
      store<u8>(target + i, <u8>((sum + 128) >> 8))
    }
  }
}
