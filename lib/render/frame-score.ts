/** Scores frames by visual interest, to choose the best candidate for a thumbnail. */
import type { Size } from './framing.ts'

/** Rows of RGB without padding. */
export interface RgbImage extends Size {
  pixels: Uint8Array
}

/** Every sixth pixel in both directions is sampled. */
const stride = 6

/** Weights of colour and detail, relative to the standard deviation of luma (0 to 255). */
const colourShare = 0.9
const detailShare = 1.6

/** A frame whose mean luma is outside this range looks faulty. */
const darkBelow = 38
const brightAbove = 222

/**
 * Visual interest: contrast, colourfulness (after Hasler and Süsstrunk 2003) and detail, less a penalty for too dark or
 * too bright.
 */
export function scoreFrame({ width, height, pixels }: RgbImage): number {
  const [luma, redGreen, yellowBlue] = [runningStatistics(), runningStatistics(), runningStatistics()]
  let [edges, count] = [0, 0]
  for (let y = 0; y < height; y += stride) {
    let before: number | undefined
    for (let x = 0; x < width; x += stride) {
      const at = 3 * (y * width + x)
      const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]
      const grey = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      luma.add(grey)
      redGreen.add(red - green)
      yellowBlue.add((red + green) / 2 - blue)
      edges += Math.abs(grey - (before ?? grey))
      before = grey
      count++
    }
  }
  const colour =
    Math.hypot(redGreen.deviation(), yellowBlue.deviation()) + 0.3 * Math.hypot(redGreen.mean(), yellowBlue.mean())
  const fault = Math.max(0, darkBelow - luma.mean()) + Math.max(0, luma.mean() - brightAbove)
  return luma.deviation() + colourShare * colour + detailShare * (edges / count) - 4 * fault
}

function runningStatistics() {
  let [sum, squares, count] = [0, 0, 0]
  const mean = () => sum / count
  return {
    mean,
    add: (value: number) => {
      sum += value
      squares += value * value
      count++
    },
    deviation: () => Math.sqrt(Math.max(0, squares / count - mean() ** 2)),
  }
}
