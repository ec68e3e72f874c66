/**
 * Loudness normalisation of speech: a meter by ITU-R BS.1770-4 for one channel, and a look-ahead limiter for the peaks
 * that the gain raises. Not done by ffmpeg, whose filters differ between versions.
 */

const targetLufs = -14
const fullScale = 32_768
/** -2 dBFS: AAC adds up to 1 dB, and the result must stay below -1 dBFS. */
const ceiling = 10 ** (-2 / 20)
/** Keeps near silence from being amplified to loud noise. */
const gainDbMax = 30
const toleranceLu = 0.1
const correctionsMax = 8
/** Lower bound for the loudness that a dB of gain is assumed to add, which bounds the step. */
const gainedMin = 0.25
const lookaheadSeconds = 0.002
const releaseSeconds = 0.05

/** Integrated loudness in LUFS of samples in -1..1, or of PCM; -Infinity when no block exceeds the gate of -70 LUFS. */
export function measureLoudness(samples: Float32Array | Int16Array, sampleRate: number): number {
  return loudnessOf(blocksOf(samples, sampleRate), sampleRate)
}

/**
 * The same speech at -14 LUFS with peaks limited to -2 dBFS; silence is returned unchanged. Works block by block on
 * 16-bit samples to bound memory for half an hour of sound: four bytes per sample, including the result.
 */
export function normaliseLoudness(samples: Int16Array, sampleRate: number): Int16Array {
  const measured = measureLoudness(samples, sampleRate)
  if (measured === -Infinity) return samples
  const peaks = lookaheadPeaks(samples, lookahead(sampleRate))
  const levelled = new Int16Array(samples.length)
  // Limiting costs some loudness, so the gain is corrected until the rest is within the tolerance. The more is limited,
  // the less a dB of gain adds: each step is enlarged by the factor by which the last one fell short.
  let gainDb = Math.min(gainDbMax, targetLufs - measured)
  let stepDb = 0
  let missedBefore = 0
  for (let correction = 0; ; correction++) {
    const missing = targetLufs - loudnessOf(applyLimiter(samples, peaks, gainDb, sampleRate, levelled), sampleRate)
    if (Math.abs(missing) < toleranceLu || correction === correctionsMax) return levelled
    const gained = stepDb === 0 ? 1 : (missedBefore - missing) / stepDb
    const wantedDb = missing / Math.min(1, Math.max(gainedMin, gained))
    stepDb = Math.min(gainDbMax, gainDb + wantedDb) - gainDb
    if (stepDb === 0) return levelled
    missedBefore = missing
    gainDb += stepDb
  }
}

/** Samples per block of the meter: 100 ms. */
const blockLength = (sampleRate: number) => Math.round(sampleRate / 10)

/** The samples as values in -1..1, block by block. For PCM, the same buffer is yielded each time. */
function* blocksOf(samples: Float32Array | Int16Array, sampleRate: number): Generator<Float32Array> {
  const length = blockLength(sampleRate)
  const units = new Float32Array(length)
  for (let from = 0; from < samples.length; from += length) {
    const to = Math.min(samples.length, from + length)
    if (samples instanceof Float32Array) yield samples.subarray(from, to)
    else {
      // Plain loops here and below: `from` with a function takes five times as long.
      for (let i = from; i < to; i++) units[i - from] = samples[i]! / fullScale
      yield units.subarray(0, to - from)
    }
  }
}

function loudnessOf(blocks: Iterable<Float32Array>, sampleRate: number): number {
  const powers = overlappingPowers(blockPowers(blocks, sampleRate))
  const loud = powers.filter((power) => lufs(power) > -70)
  if (loud.length === 0) return -Infinity
  const relativeGate = lufs(mean(loud)) - 10
  return lufs(mean(loud.filter((power) => lufs(power) > relativeGate)))
}

function lufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * Mean square of each complete block after the K-weighting filters (formulas of libebur128, exact for any sample rate).
 */
function blockPowers(blocks: Iterable<Float32Array>, sampleRate: number): number[] {
  const shelf = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
  const shelfQ = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + shelf / shelfQ + shelf * shelf
  const b0 = (high + (band * shelf) / shelfQ + shelf * shelf) / a0
  const b1 = (2 * (shelf * shelf - high)) / a0
  const b2 = (high - (band * shelf) / shelfQ + shelf * shelf) / a0
  const a1 = (2 * (shelf * shelf - 1)) / a0
  const a2 = (1 - shelf / shelfQ + shelf * shelf) / a0
  const pass = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const passQ = 0.5003270373238773
  const c0 = 1 + pass / passQ + pass * pass
  const c1 = (2 * (pass * pass - 1)) / c0
  const c2 = (1 - pass / passQ + pass * pass) / c0

  const whole = blockLength(sampleRate)
  const powers: number[] = []
  let [x1, x2, y1, y2, z1, z2] = [0, 0, 0, 0, 0, 0]
  for (const block of blocks) {
    if (block.length < whole) break
    let sum = 0
    for (let i = 0; i < whole; i++) {
      const x = block[i]!
      const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
      const z = y - 2 * y1 + y2 - c1 * z1 - c2 * z2
      x2 = x1
      x1 = x
      y2 = y1
      y1 = y
      z2 = z1
      z1 = z
      sum += z * z
    }
    powers.push(sum / whole)
  }
  return powers
}

/** Powers of blocks of 400 ms that overlap by 75 %. */
function overlappingPowers(steps: number[]): number[] {
  return steps.slice(3).map((_, i) => (steps[i]! + steps[i + 1]! + steps[i + 2]! + steps[i + 3]!) / 4)
}

const lookahead = (sampleRate: number) => Math.max(1, Math.round(lookaheadSeconds * sampleRate))

/**
 * Gain, then a look-ahead limiter: the reduction that a peak needs is reached linearly before it and released
 * exponentially after it. No sample exceeds the ceiling, and inter-sample peaks only by a trace. The result is written
 * to `output` and yielded block by block in one reused buffer; `peaks` comes from `lookaheadPeaks`.
 */
function* applyLimiter(
  samples: Int16Array,
  peaks: Uint16Array,
  gainDb: number,
  sampleRate: number,
  output: Int16Array,
): Generator<Float32Array> {
  const gain = 10 ** (gainDb / 20)
  const ahead = lookahead(sampleRate)
  const release = Math.exp(-1 / (releaseSeconds * sampleRate))
  const recent = new Float64Array(ahead).fill(1)
  const limited = new Float32Array(blockLength(sampleRate))
  let reduction = 1
  let sum = ahead
  for (let from = 0; from < samples.length; from += limited.length) {
    const to = Math.min(samples.length, from + limited.length)
    for (let i = from; i < to; i++) {
      const needed = (ceiling * fullScale) / Math.max(1e-9, peaks[i]! * gain)
      reduction = Math.min(1, needed, 1 - (1 - reduction) * release)
      sum += reduction - recent[i % ahead]!
      recent[i % ahead] = reduction
      const level = (samples[i]! / fullScale) * gain * (sum / ahead)
      limited[i - from] = Math.max(-ceiling, Math.min(ceiling, level))
      output[i] = Math.round(limited[i - from]! * 32_767)
    }
    yield limited.subarray(0, to - from)
  }
}

/** Sliding maximum: the highest peak of the `length` samples from each one on, rounded up (a monotonic deque). */
function lookaheadPeaks(samples: Int16Array, length: number): Uint16Array {
  const peaks = peakEnvelope(samples)
  // A ring buffer of candidates, because `peaks` is overwritten in place.
  const [positions, heights] = [new Int32Array(length), new Uint16Array(length)]
  let head = 0
  let tail = 0
  for (let i = peaks.length - 1; i >= 0; i--) {
    if (tail > head && positions[head % length]! >= i + length) head++
    while (tail > head && heights[(tail - 1) % length]! <= peaks[i]!) tail--
    positions[tail % length] = i
    heights[tail % length] = peaks[i]!
    tail++
    peaks[i] = heights[head % length]!
  }
  return peaks
}

/**
 * True peak between each sample and the next, at four points: resampling to 48 kHz exposes peaks between samples that
 * are up to 1.5 dB higher. Interpolates with a windowed sinc, as BS.1770-4 Annex 2 does. Values are capped at twice
 * full scale; the limiter cuts the rest.
 */
function peakEnvelope(samples: Int16Array): Uint16Array {
  const reach = 8
  const kernels = [0.25, 0.5, 0.75].map((phase) =>
    Float64Array.from({ length: 2 * reach }, (_, tap) => {
      const distance = Math.PI * (tap + 1 - reach - phase)
      return (Math.sin(distance) / distance) * Math.cos(distance / (2 * reach)) ** 2
    }),
  )
  const peaks = new Uint16Array(samples.length)
  // The samples around the current one, padded with silence at both ends.
  const around = new Float64Array(2 * reach)
  for (let i = 1 - reach; i < samples.length; i++) {
    around.copyWithin(0, 1)
    around[2 * reach - 1] = samples[i + reach] ?? 0
    if (i < 0) continue
    let peak = Math.abs(samples[i]!)
    for (const kernel of kernels) {
      let sum = 0
      for (let tap = 0; tap < kernel.length; tap++) sum += kernel[tap]! * around[tap]!
      peak = Math.max(peak, Math.abs(sum))
    }
    peaks[i] = Math.min(65_535, Math.ceil(peak))
  }
  return peaks
}
