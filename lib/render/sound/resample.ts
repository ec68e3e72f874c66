/** Converts sound to a higher sample rate. */

/** Input samples on each side of an output sample that contribute to it. */
const reach = 12

/** Interpolates with a windowed sinc; rates are whole numbers of Hz, and `to` is not lower than `from`. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return samples
  const common = greatestCommonDivisor(from, to)
  const [step, phases] = [from / common, to / common]
  // A polyphase filter: outputs fall on `phases` positions between two inputs, each with its own weights.
  const weights = Array.from({ length: phases }, (_, phase) => weightsAt(phase / phases))
  const padded = new Float32Array(samples.length + 2 * reach)
  padded.set(samples, reach - 1)
  const result = new Float32Array(Math.round((samples.length * to) / from))
  for (let i = 0; i < result.length; i++) {
    const position = i * step
    const kernel = weights[position % phases]!
    const first = Math.floor(position / phases)
    let sum = 0
    for (let tap = 0; tap < 2 * reach; tap++) sum += kernel[tap]! * padded[first + tap]!
    result[i] = sum
  }
  return result
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

/** Filter weights for a position between two samples; 0 is the first of them. */
const weightsAt = (phase: number) =>
  Float64Array.from({ length: 2 * reach }, (_, tap) => {
    const distance = Math.PI * (tap + 1 - reach - phase)
    const sinc = distance === 0 ? 1 : Math.sin(distance) / distance
    return sinc * Math.cos(distance / (2 * reach)) ** 2
  })
