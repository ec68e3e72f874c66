/** Aspect ratios under the names that models use. */

/** The ratio `width:height` that is closest to that of the size. */
export function nearestAspectRatio<Ratio extends `${number}:${number}`>(
  ratios: readonly Ratio[],
  { width, height }: { width: number; height: number },
): Ratio {
  const distance = (ratio: Ratio) => {
    const [across, down] = ratio.split(':').map(Number) as [number, number]
    return Math.abs(Math.log(((across / down) * height) / width))
  }
  return ratios.toSorted((a, b) => distance(a) - distance(b))[0]!
}
