/**
 * Words as outlines, for scripts whose letters change with their neighbours (Arabic, Devanagari): not every libass can shape them, but
 * each draws shapes. The lengths of an outline are in em, with the baseline at 0 and down as positive.
 */

/** A command of an ASS drawing with its points: `m` begins a contour, `l` is a line, `b` a cubic curve. */
type Command = [command: 'm' | 'l' | 'b', ...coordinates: number[]]

export interface Outline {
  commands: Command[]
  left: number
  right: number
  top: number
  bottom: number
}

/** Reads the path of an SVG glyph run, which has absolute M, L, Q, C and Z only. `unitsPerEm` are the pixels it was set at. */
export function readOutline(path: string, unitsPerEm: number): Outline {
  const commands: Command[] = []
  let [x, y] = [0, 0]
  for (const [, letter, numbers = ''] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const points = (numbers.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map((number) => Number(number) / unitsPerEm)
    if (letter === 'M') commands.push(['m', ...points])
    if (letter === 'L') commands.push(['l', ...points])
    if (letter === 'C') commands.push(['b', ...points])
    if (letter === 'Q') commands.push(['b', ...cubic([x, y], points)])
    if (points.length > 0) [x, y] = points.slice(-2) as [number, number]
  }
  return outlineOf(commands)
}

/** The commands with the box of all their points. */
export function outlineOf(commands: Command[]): Outline {
  const coordinates = commands.flatMap(([, ...points]) => points)
  const [xs, ys] = [coordinates.filter((_, i) => i % 2 === 0), coordinates.filter((_, i) => i % 2 === 1)]
  const ends = (values: number[]) =>
    values.reduce<[number, number]>(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    )
  const [[left, right], [top, bottom]] = commands.length > 0 ? [ends(xs), ends(ys)] : [[0, 0] as const, [0, 0] as const]
  return { commands, left, right, top, bottom }
}

/** Outlines side by side, each as far from the one before as that is wide. */
export function besideOneAnother(parts: readonly { outline: Outline; width: number }[]): Outline {
  let x = 0
  const commands = parts.flatMap(({ outline, width }) => {
    const here = x
    x += width
    return outline.commands.map(
      ([command, ...points]): Command => [command, ...points.map((value, i) => (i % 2 ? value : value + here))],
    )
  })
  return outlineOf(commands)
}

/** The control points of the cubic curve that is the quadratic one. */
function cubic([x, y]: [number, number], quadratic: number[]): number[] {
  const [cx, cy, toX, toY] = quadratic as [number, number, number, number]
  const towards = (from: number, control: number) => from + (2 / 3) * (control - from)
  return [towards(x, cx), towards(y, cy), towards(toX, cx), towards(toY, cy), toX, toY]
}

/** Drawings are written in eighths of a pixel. */
const drawingScale = 4
export const drawingMode = `\\p${drawingScale}`
const unitsPerPixel = 2 ** (drawingScale - 1)

/** The drawing of an outline at a font size. libass takes the box of all its points for its size, as `left` to `bottom` do. */
export function drawingOf({ commands, left, top }: Outline, fontPx: number): string {
  const units = (value: number) => Math.round(value * fontPx * unitsPerPixel)
  return commands
    .map(([command, ...points]) =>
      [command, ...points.map((value, i) => units(value - (i % 2 ? top : left)))].join(' '),
    )
    .join(' ')
}
