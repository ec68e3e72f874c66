/**
 * Brings speech to the loudness platforms expect. The meter is ITU-R BS.1770-4 for one channel; the limiter keeps the
 * peaks that the gain raises. Both run here and not in ffmpeg, whose filters differ from version to version.
 */

const targetLufs = -14
const fullScale = 32_768
/** Leaves 1 dB for what AAC adds, so that the film stays under -1 dBFS. */
const ceiling = 10 ** (-2 / 20)
/** Near silence is not pulled up to a roar of noise. */
const gainDbMax = 30
const toleranceLu = 0.1
const correctionsMax = 8
/** The least loudness that a dB of gain is taken to add, so that no step is too large. */
const gainedMin = 0.25
const lookaheadSeconds = 0.002
const releaseSeconds = 0.05

/** Integrated loudness in LUFS of samples in -1..1, or of PCM; -Infinity when nothing is louder than the gate of -70 LUFS. */
export function measureLoudness(samples: Float32Array | Int16Array, sampleRate: number): number {
  return loudnessOf(blocksOf(samples, sampleRate), sampleRate)
}

/**
 * The same speech at -14 LUFS with peaks limited to -2 dBFS. Silence stays silence. It is gone through block by block, since
 * half an hour is held as whole numbers only: four bytes for each sample, the result included.
 */
export function normaliseLoudness(samples: Int16Array, sampleRate: number): Int16Array {
  const measured = measureLoudness(samples, sampleRate)
  if (measured === -Infinity) return samples
  const peaks = lookaheadPeaks(samples, lookahead(sampleRate))
  const levelled = new Int16Array(samples.length)
  // Limiting costs some loudness, so the gain is corrected by what is missing after it, until nothing to speak of is. The
  // more is limited, the less a dB of gain adds: the next step is as much larger as the last one fell short.
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

/** How many samples the meter takes at once: 100 ms. */
const blockLength = (sampleRate: number) => Math.round(sampleRate / 10)

/** The samples as values in -1..1, block by block. Those of PCM lie in the same place each time. */
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
  const powers = overlapping(energies(blocks, sampleRate))
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

/** Mean square of each whole block after the K-weighting filters (formulas of libebur128, exact for any sample rate). */
function energies(blocks: Iterable<Float32Array>, sampleRate: number): number[] {
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
function overlapping(steps: number[]): number[] {
  return steps.slice(3).map((_, i) => (steps[i]! + steps[i + 1]! + steps[i + 2]! + steps[i + 3]!) / 4)
}

const lookahead = (sampleRate: number) => Math.max(1, Math.round(lookaheadSeconds * sampleRate))

/**
 * Gain, then a look-ahead limiter: the reduction a peak needs is reached before the peak in a straight line and released
 * after it exponentially. Neither a sample nor, by more than a trace, the wave between samples exceeds the ceiling. What comes
 * out is written to `output` and given block by block, each in the same place; `peaks` are those of `peaksAhead`.
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

/** The highest peak of each window that starts at a sample and holds `length` of them, rounded up (a deque of falling candidates). */
function lookaheadPeaks(samples: Int16Array, length: number): Uint16Array {
  const peaks = peakEnvelope(samples)
  // A ring, for `peaks` is overwritten on the way: places of the candidates, and how high they are.
  const [places, heights] = [new Int32Array(length), new Uint16Array(length)]
  let head = 0
  let tail = 0
  for (let i = peaks.length - 1; i >= 0; i--) {
    if (tail > head && places[head % length]! >= i + length) head++
    while (tail > head && heights[(tail - 1) % length]! <= peaks[i]!) tail--
    places[tail % length] = i
    heights[tail % length] = peaks[i]!
    tail++
    peaks[i] = heights[head % length]!
  }
  return peaks
}

/**
 * Height of the wave from each sample to the next, at four points: resampling to 48 kHz finds peaks between the samples of
 * a narration that are up to 1.5 dB higher. Interpolates with a windowed sinc, as BS.1770-4 Annex 2 does for true peaks.
 * What is higher than twice full scale counts as that: the limiter cuts its rest.
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
  // The samples around the present one, with silence before the first and after the last.
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
