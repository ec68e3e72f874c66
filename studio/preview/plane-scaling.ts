/** Scales planes with the filters of ffmpeg's scaler, which widen where a plane shrinks. */
import type { Size } from '../../lib/render/framing.ts'

export interface Plane {
  width: number
  height: number
  values: Float32Array
}

/** The inputs of one output with their weights, which sum to 1. */
interface Taps {
  from: number
  weights: Float32Array
}
export interface PlaneTaps {
  columns: Taps[]
  rows: Taps[]
}

/** Columns first: each row of the plane becomes a narrower row. */
export function scalePlane({ width, height, values }: Plane, { columns, rows }: PlaneTaps, target: Uint8Array): void {
  const narrow = new Float32Array(columns.length * height)
  for (let y = 0, to = 0; y < height; y++) {
    for (const { from, weights } of columns) {
      let sum = 0
      for (let tap = 0, at = y * width + from; tap < weights.length; tap++) sum += weights[tap]! * values[at + tap]!
      narrow[to++] = sum
    }
  }
  const sums = new Float32Array(columns.length)
  let at = 0
  for (const { from, weights } of rows) {
    sums.fill(0)
    for (let tap = 0; tap < weights.length; tap++) {
      const weight = weights[tap]!
      const row = (from + tap) * columns.length
      for (let x = 0; x < sums.length; x++) sums[x] = sums[x]! + weight * narrow[row + x]!
    }
    for (const sum of sums) target[at++] = Math.max(0, Math.min(255, Math.round(sum)))
  }
}

/** The taps that scale a plane to the size `whole` and take `size` out of the middle. */
export const tapsOf = (plane: Size, whole: Size, size: Size, filter = lanczos): PlaneTaps => ({
  columns: planTaps(plane.width, whole.width, size.width, filter),
  rows: planTaps(plane.height, whole.height, size.height, filter),
})

/** The outputs in the middle of `whole`. At the edges, the inputs that exist share the weight. */
function planTaps(inputs: number, whole: number, outputs: number, { lobes, weightAt }: Filter): Taps[] {
  const step = inputs / whole
  const stretch = Math.max(1, step)
  const reach = lobes * stretch
  // To an even position, as the `crop` filter of ffmpeg.
  const skipped = 2 * Math.floor(Math.max(0, whole - outputs) / 4)
  return Array.from({ length: outputs }, (_, output) => {
    const centre = (skipped + output + 0.5) * step - 0.5
    const first = Math.max(0, Math.ceil(centre - reach))
    const last = Math.min(inputs - 1, Math.floor(centre + reach))
    const weights = Float32Array.from({ length: last - first + 1 }, (_, tap) =>
      weightAt((first + tap - centre) / stretch),
    )
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return { from: first, weights: weights.map((weight) => weight / sum) }
  })
}

/** As wide as its lobes on each side, in inputs or, where they are more, in outputs. */
interface Filter {
  lobes: number
  weightAt(distance: number): number
}

const lanczos: Filter = {
  lobes: 3,
  weightAt: (distance) => {
    if (distance === 0) return 1
    if (Math.abs(distance) >= 3) return 0
    const angle = Math.PI * distance
    return (3 * Math.sin(angle) * Math.sin(angle / 3)) / angle ** 2
  },
}

/** The `bicubic` of ffmpeg: B is 0, C is 0.6. */
export const bicubic: Filter = {
  lobes: 2,
  weightAt: (distance) => {
    const x = Math.abs(distance)
    if (x < 1) return 1.4 * x ** 3 - 2.4 * x ** 2 + 1
    return x < 2 ? -0.6 * x ** 3 + 3 * x ** 2 - 4.8 * x + 2.4 : 0
  },
}
