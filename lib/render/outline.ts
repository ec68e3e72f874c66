/** Glyph and word outlines as path commands. Lengths are in em, with the baseline at 0 and y pointing down. */

/** A command of an SVG path with its points: `M` starts a contour, `L` is a line, `C` a cubic curve. */
export type PathCommand = [command: 'M' | 'L' | 'C', ...coordinates: number[]]

export interface Outline {
  commands: PathCommand[]
  left: number
  right: number
  top: number
  bottom: number
}

/**
 * Parses the path of an SVG glyph run, which has absolute M, L, Q, C and Z only. `unitsPerEm` is the font size it was
 * set in.
 */
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

/** The commands with the bounding box of all their points. */
export function outlineOf(commands: PathCommand[]): Outline {
  if (commands.length === 0) return { commands, left: 0, right: 0, top: 0, bottom: 0 }
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (const command of commands) {
    for (let i = 1; i < command.length; i += 2) {
      const [x, y] = [command[i] as number, command[i + 1] as number]
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
    }
  }
  return { commands, ...box }
}

/** Each contour as a separate outline. */
export function contoursOf({ commands }: Outline): Outline[] {
  const begins = commands.flatMap(([command], index) => (command === 'M' ? index : []))
  return begins.map((begin, index) => outlineOf(commands.slice(begin, begins[index + 1])))
}

/** Places outlines side by side by their advance widths. */
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

/** The cubic curve equal to the quadratic one from (x, y); `points` are its control point and its end. */
export function quadraticToCubic([x, y]: readonly [number, number], points: readonly number[]): PathCommand {
  const [cx, cy, toX, toY] = points as [number, number, number, number]
  const towards = (from: number, control: number) => from + (2 / 3) * (control - from)
  return ['C', towards(x, cx), towards(y, cy), towards(toX, cx), towards(toY, cy), toX, toY]
}

/** An outline as SVG path data: `size` pixels per em, with its origin on the baseline at (x, y). */
export function pathOf({ commands }: Outline, x: number, y: number, size: number): string {
  let path = ''
  for (const command of commands) {
    if (command[0] === 'M' && path !== '') path += 'Z'
    path += command[0]
    for (let i = 1; i < command.length; i++) {
      const placed = (command[i] as number) * size + (i % 2 ? x : y)
      path += `${i > 1 ? ' ' : ''}${Math.round(placed * 100) / 100}`
    }
  }
  // Contours must be closed: the two ends of an open one would not form a corner when stroked.
  return path === '' ? '' : `${path}Z`
}
