/** Letters and words as outlines. Lengths are in em, with the baseline at 0 and down as positive. */

/** A command of an SVG path with its points: `M` begins a contour, `L` is a line, `C` a cubic curve. */
export type PathCommand = [command: 'M' | 'L' | 'C', ...coordinates: number[]]

export interface Outline {
  commands: PathCommand[]
  left: number
  right: number
  top: number
  bottom: number
}

/** Reads the path of an SVG glyph run, which has absolute M, L, Q, C and Z only. `unitsPerEm` are the pixels it was set at. */
export function readOutline(path: string, unitsPerEm: number): Outline {
  const commands: PathCommand[] = []
  let [x, y] = [0, 0]
  for (const [, letter, numbers = ''] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const points = (numbers.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map((number) => Number(number) / unitsPerEm)
    if (letter === 'M' || letter === 'L' || letter === 'C') commands.push([letter, ...points])
    if (letter === 'Q') commands.push(quadraticToCubic([x, y], points))
    if (points.length > 0) [x, y] = points.slice(-2) as [number, number]
  }
  return outlineOf(commands)
}

/** The commands with the box of all their points. */
export function outlineOf(commands: PathCommand[]): Outline {
  if (commands.length === 0) return { commands, left: 0, right: 0, top: 0, bottom: 0 }
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (const [, ...points] of commands) {
    for (let i = 0; i < points.length; i += 2) {
      const [x, y] = [points[i]!, points[i + 1]!]
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
    }
  }
  return { commands, ...box }
}

/** Each contour as an outline of its own. */
export function contoursOf({ commands }: Outline): Outline[] {
  const begins = commands.flatMap(([command], index) => (command === 'M' ? index : []))
  return begins.map((begin, index) => outlineOf(commands.slice(begin, begins[index + 1])))
}

/** Outlines side by side, each as far from the one before as that is wide. */
export function concatOutlines(parts: readonly { outline: Outline; width: number }[]): Outline {
  let x = 0
  const commands = parts.flatMap(({ outline, width }) => {
    const here = x
    x += width
    return outline.commands.map(
      ([command, ...points]): PathCommand => [command, ...points.map((value, i) => (i % 2 ? value : value + here))],
    )
  })
  return outlineOf(commands)
}

/** The cubic curve that is the quadratic one from `from`, given its control point and its end. */
export function quadraticToCubic([x, y]: readonly [number, number], points: readonly number[]): PathCommand {
  const [cx, cy, toX, toY] = points as [number, number, number, number]
  const towards = (from: number, control: number) => from + (2 / 3) * (control - from)
  return ['C', towards(x, cx), towards(y, cy), towards(toX, cx), towards(toY, cy), toX, toY]
}

/** An outline as the data of an SVG path: `size` pixels to the em, with its beginning and its baseline at (x, y). */
export const pathOf = ({ commands }: Outline, x: number, y: number, size: number): string => {
  const written = commands.map(([command, ...points], index) => {
    const placed = points.map((value, i) => Math.round((value * size + (i % 2 ? y : x)) * 100) / 100)
    return `${command === 'M' && index > 0 ? 'Z' : ''}${command}${placed.join(' ')}`
  })
  // Open contours have two ends in place of a corner.
  return written.length > 0 ? `${written.join('')}Z` : ''
}
