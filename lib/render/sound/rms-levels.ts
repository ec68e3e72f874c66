/** The RMS level of each complete window of `length` samples, which need not be a whole number. */
export function rmsLevels(samples: Int16Array, length: number): Float64Array {
  const levels = new Float64Array(Math.floor(samples.length / length))
  for (let index = 0; index < levels.length; index++) {
    const [from, to] = [Math.round(index * length), Math.round((index + 1) * length)]
    let sum = 0
    for (let at = from; at < to; at++) sum += samples[at]! ** 2
    levels[index] = Math.sqrt(sum / (to - from))
  }
  return levels
}
