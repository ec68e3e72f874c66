/** Shapes of pictures by the names that models give them. */

/** Of the shapes `width:height`, the one that a picture of this size comes closest to. */
export function nearestAspectRatio<Shape extends `${number}:${number}`>(
  shapes: readonly Shape[],
  { width, height }: { width: number; height: number },
): Shape {
  const distance = (shape: Shape) => {
    const [across, down] = shape.split(':').map(Number) as [number, number]
    return Math.abs(Math.log(((across / down) * height) / width))
  }
  return shapes.toSorted((a, b) => distance(a) - distance(b))[0]!
}
