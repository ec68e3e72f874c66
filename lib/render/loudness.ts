/**
 * Brings speech to the loudness platforms expect. The meter is ITU-R BS.1770-4 for one channel; the limiter keeps the
 * peaks that the gain raises. Both run here and not in ffmpeg, whose filters differ from version to version.
 */

const targetLufs = -14
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

/** Integrated loudness in LUFS of samples in -1..1; -Infinity when nothing is louder than the gate of -70 LUFS. */
export function measureLoudness(samples: Float32Array, sampleRate: number): number {
  const blocks = overlappingBlocks(energyPerStep(samples, sampleRate))
  const loud = blocks.filter((power) => lufs(power) > -70)
  if (loud.length === 0) return -Infinity
  const relativeGate = lufs(mean(loud)) - 10
  return lufs(mean(loud.filter((power) => lufs(power) > relativeGate)))
}

/** The same speech at -14 LUFS with peaks limited to -2 dBFS. Silence stays silence. */
export function levelSpeech(samples: Int16Array, sampleRate: number): Int16Array {
  // Plain loops here and below: `from` with a function takes five times as long.
  const original = new Float32Array(samples.length)
  for (let i = 0; i < samples.length; i++) original[i] = samples[i]! / 32768
  const measured = measureLoudness(original, sampleRate)
  if (measured === -Infinity) return samples
  const peaks = peakEnvelope(original)
  // Limiting costs some loudness, so the gain is corrected by what is missing after it, until nothing to speak of is. The
  // more is limited, the less a dB of gain adds: the next step is as much larger as the last one fell short.
  let gainDb = Math.min(gainDbMax, targetLufs - measured)
  let stepDb = 0
  let missedBefore = 0
  for (let correction = 0; ; correction++) {
    const levelled = limit(original, peaks, gainDb, sampleRate)
    const missing = targetLufs - measureLoudness(levelled, sampleRate)
    const gained = stepDb === 0 ? 1 : (missedBefore - missing) / stepDb
    stepDb = missing / Math.min(1, Math.max(gainedMin, gained))
    if (Math.abs(missing) < toleranceLu || correction === correctionsMax || gainDb + stepDb > gainDbMax) {
      return asPcm(levelled)
    }
    missedBefore = missing
    gainDb += stepDb
  }
}

function asPcm(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++) pcm[i] = Math.round(samples[i]! * 32767)
  return pcm
}

function lufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Mean square of each 100 ms after the K-weighting filters (formulas of libebur128, exact for any sample rate). */
function energyPerStep(samples: Float32Array, sampleRate: number): number[] {
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

  const step = Math.round(sampleRate / 10)
  const energies: number[] = []
  let [x1, x2, y1, y2, z1, z2] = [0, 0, 0, 0, 0, 0]
  for (let start = 0; start + step <= samples.length; start += step) {
    let sum = 0
    for (let i = start; i < start + step; i++) {
      const x = samples[i]!
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
    energies.push(sum / step)
  }
  return energies
}

/** Blocks of 400 ms that overlap by 75 %. */
function overlappingBlocks(steps: number[]): number[] {
  return steps.slice(3).map((_, i) => (steps[i]! + steps[i + 1]! + steps[i + 2]! + steps[i + 3]!) / 4)
}

/**
 * Gain, then a look-ahead limiter: the reduction a peak needs is reached before the peak in a straight line and released
 * after it exponentially. Neither a sample nor, by more than a trace, the wave between samples exceeds the ceiling.
 */
function limit(samples: Float32Array, peaks: Float32Array, gainDb: number, sampleRate: number): Float32Array {
  const gain = 10 ** (gainDb / 20)
  const ahead = Math.max(1, Math.round(lookaheadSeconds * sampleRate))
  const release = Math.exp(-1 / (releaseSeconds * sampleRate))
  const needed = new Float64Array(samples.length)
  for (let i = 0; i < samples.length; i++) needed[i] = Math.min(1, ceiling / Math.max(1e-9, peaks[i]! * gain))
  const held = lowestAhead(needed, ahead)
  const limited = new Float32Array(samples.length)
  const recent = new Float64Array(ahead).fill(1)
  let reduction = 1
  let sum = ahead
  for (let i = 0; i < samples.length; i++) {
    reduction = Math.min(held[i]!, 1 - (1 - reduction) * release)
    sum += reduction - recent[i % ahead]!
    recent[i % ahead] = reduction
    limited[i] = Math.max(-ceiling, Math.min(ceiling, samples[i]! * gain * (sum / ahead)))
  }
  return limited
}

/**
 * Height of the wave from each sample to the next, at four points: resampling to 48 kHz finds peaks between the samples of
 * a narration that are up to 1.5 dB higher. Interpolates with a windowed sinc, as BS.1770-4 Annex 2 does for true peaks.
 */
function peakEnvelope(samples: Float32Array): Float32Array {
  const reach = 8
  const kernels = [0.25, 0.5, 0.75].map((phase) =>
    Float64Array.from({ length: 2 * reach }, (_, tap) => {
      const distance = Math.PI * (tap + 1 - reach - phase)
      return (Math.sin(distance) / distance) * Math.cos(distance / (2 * reach)) ** 2
    }),
  )
  const padded = new Float32Array(samples.length + 2 * reach)
  padded.set(samples, reach - 1)
  const peaks = new Float32Array(samples.length)
  for (let i = 0; i < samples.length; i++) {
    let peak = Math.abs(samples[i]!)
    for (const kernel of kernels) {
      let sum = 0
      for (let tap = 0; tap < kernel.length; tap++) sum += kernel[tap]! * padded[i + tap]!
      peak = Math.max(peak, Math.abs(sum))
    }
    peaks[i] = peak
  }
  return peaks
}

/** Lowest value of each window that starts at an element and holds `length` of them (a deque of falling candidates). */
function lowestAhead(values: Float64Array, length: number): Float64Array {
  const lowest = new Float64Array(values.length)
  const candidates = new Int32Array(values.length)
  let head = 0
  let tail = 0
  for (let i = values.length - 1; i >= 0; i--) {
    while (tail > head && values[candidates[tail - 1]!]! >= values[i]!) tail--
    candidates[tail++] = i
    if (candidates[head]! >= i + length) head++
    lowest[i] = values[candidates[head]!]!
  }
  return lowest
}
