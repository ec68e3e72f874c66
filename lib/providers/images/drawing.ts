/**
 * Shapes and colour functions of all illustrations, as SVG markup. What resvg draws slowly is avoided: blur filters take
 * seconds; `opacity` of an element costs a canvas of its own, `fill-opacity` nothing.
 */
import type { DrawnFace } from './face.ts'
import type { Palette } from './palettes.ts'

/** Illustrations also draw beyond both sides of the canvas, so that layers can drift in a clip. */
export interface Canvas {
  width: number
  height: number
  /** The shorter side: sizes are fractions of it, so that they look alike in every format. */
  unit: number
  palette: Palette
  /** The next number of a seeded sequence, from 0 to 1. */
  random(): number
  /** A seeded number from `low` to `high`. */
  between(low: number, high: number): number
}

/** A flat layer of an illustration. In a clip it drifts along one axis; the unit is widths per second. */
export interface DrawingLayer {
  markup: string
  driftX: number
  driftY: number
  /** Of the person that it shows. */
  face?: DrawnFace
}

/** How far an illustration extends beyond each side, in widths (in heights for layers that move vertically). */
export const overhang = 0.4

export const layer = (markup: string, driftX = 0, driftY = 0): DrawingLayer => ({ markup, driftX, driftY })

/** Linear interpolation of two colours; `part` is 0 to 1. */
export function mix(from: string, to: string, part: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(channel(from, at) + (channel(to, at) - channel(from, at)) * part))
  return `#${mixed.map((value) => Math.max(0, Math.min(255, value)).toString(16).padStart(2, '0')).join('')}`
}

export const round = (value: number) => Math.round(value * 10) / 10

/** A gradient definition under `id`, linear from top to bottom or radial; stops are `[offset, colour, opacity]`. */
export function gradient(id: string, stops: readonly (readonly [number, string, number?])[], kind = 'linear'): string {
  const direction = kind === 'linear' ? ' x1="0" y1="0" x2="0" y2="1"' : ''
  const listed = stops.map(
    ([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
  )
  return `<defs><${kind}Gradient id="${id}"${direction}>${listed.join('')}</${kind}Gradient></defs>`
}

/** A rectangle over the whole width and both overhangs. */
export const band = ({ width }: Canvas, top: number, height: number, fill: string, opacity = 1) =>
  `<rect x="${-width * overhang}" y="${round(top)}" width="${width * (1 + 2 * overhang)}" height="${round(height)}" fill="${fill}" fill-opacity="${opacity}"/>`

/**
 * A band whose colour changes from top to bottom, in stripes of one colour each: the same picture as a gradient, at a
 * fraction of its cost. Stops are in order and opaque.
 */
export function shadedBand(
  { width }: Canvas,
  top: number,
  height: number,
  stops: readonly (readonly [number, string])[],
): string {
  const x = `x="${round(-width * overhang)}" width="${round(width * (1 + 2 * overhang))}"`
  const bottom = top + height
  const stripes: { from: number; colour: number }[] = []
  for (let y = Math.floor(top); y < bottom; y++) {
    const colour = colourAt(stops, (y + 0.5 - top) / height)
    if (colour !== stripes.at(-1)?.colour) stripes.push({ from: Math.max(top, y), colour })
  }
  return stripes
    .map(({ from, colour }, index) => {
      // Stripes overlap: no seam shows where a group is moved by a fraction of a pixel.
      const to = Math.min(bottom, (stripes[index + 1]?.from ?? bottom) + 2)
      return `<rect ${x} y="${round(from)}" height="${round(to - from)}" fill="#${colour.toString(16).padStart(6, '0')}"/>`
    })
    .join('')
}

/** The colour of a gradient at a share of its length, as 0xRRGGBB. */
function colourAt(stops: readonly (readonly [number, string])[], share: number): number {
  const next = stops.findIndex(([at]) => share < at)
  const [to, toColour] = stops.at(next)!
  const [from, fromColour] = stops[Math.max(0, next - 1)]!
  if (next <= 0) return Number.parseInt(toColour.slice(1), 16)
  return Number.parseInt(mix(fromColour, toColour, (share - from) / (to - from)).slice(1), 16)
}

/** The sky down to `horizon` (a fraction of the height); below it, its last colour. */
export function sky(canvas: Canvas, horizon: number): string {
  const stops = canvas.palette.sky.map((colour, index) => [round((index / 3) * horizon * 100) / 100, colour] as const)
  return shadedBand(canvas, 0, canvas.height, stops)
}

export const roundedRect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  radius = 0,
  opacity = 1,
) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(radius)}" fill="${fill}" fill-opacity="${opacity}"/>`

export const disc = (x: number, y: number, radius: number, fill: string, opacity = 1) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}" fill-opacity="${opacity}"/>`

/** A soft light around a point. */
export const glow = (id: string, x: number, y: number, radius: number, colour: string, strength = 0.7) =>
  gradient(
    id,
    [
      [0, colour, strength],
      [0.35, colour, strength * 0.4],
      [0.7, colour, strength * 0.1],
      [1, colour, 0],
    ],
    'radial',
  ) + disc(x, y, radius, `url(#${id})`)

/** Stars in the upper part of the picture, fading towards `bottom`. */
export function stars({ width, unit, random }: Canvas, count: number, bottom: number, colour: string): string {
  let markup = ''
  for (let index = 0; index < count; index++) {
    const y = random() ** 1.3 * bottom
    const opacity = round((0.3 + random() * 0.7) * (1 - y / bottom) * 10) / 10
    markup += disc((random() * 1.4 - 0.2) * width, y, unit * (0.0008 + 0.0018 * random() ** 3), colour, opacity)
  }
  return markup
}

/** A filled shape from a line of points down to the bottom. */
export function terrain(canvas: Canvas, points: readonly (readonly [number, number])[], fill: string): string {
  const line = points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')
  const bottom = canvas.height * 1.02
  return `<path d="M${round(points[0]![0])} ${bottom}L${line}L${round(points.at(-1)![0])} ${bottom}Z" fill="${fill}"/>`
}

/** A jagged mountain line round `y` by midpoint displacement; `roughness` from 0.4 (smooth) to 0.6. */
export function ridge({ width, random }: Canvas, y: number, swing: number, roughness: number): [number, number][] {
  let heights = Array.from({ length: 4 }, () => y + (random() - 0.5) * swing)
  for (let size = swing * 0.6; heights.length < 390; size *= roughness) {
    heights = heights.flatMap((height, index) => {
      const next = heights[index + 1]
      return next === undefined ? [height] : [height, (height + next) / 2 + (random() - 0.5) * size]
    })
  }
  return heights.map((height, index) => [
    width * ((index / (heights.length - 1)) * (1 + 2 * overhang) - overhang),
    height,
  ])
}

/** A soft hill line round `y`: two sines, so that it never repeats within the picture. */
export function hill({ width, random }: Canvas, y: number, swing: number, waves: number): [number, number][] {
  const phase = random() * 7
  const other = random() * 7
  return Array.from({ length: 121 }, (_, index) => {
    const part = (index / 120) * (1 + 2 * overhang) - overhang
    const lift = Math.sin(part * waves * 6.283 + phase) * 0.65 + Math.sin(part * waves * 10.9 + other) * 0.35
    return [part * width, y - lift * swing]
  })
}

/** A flat cloud: a rounded bar with two bumps. */
export function cloud(x: number, y: number, size: number, fill: string, opacity: number): string {
  const bar = `<rect x="${round(x - size)}" y="${round(y - size * 0.2)}" width="${round(size * 2)}" height="${round(size * 0.4)}" rx="${round(size * 0.2)}"/>`
  const bumps = `<circle cx="${round(x - size * 0.3)}" cy="${round(y - size * 0.22)}" r="${round(size * 0.36)}"/><circle cx="${round(x + size * 0.32)}" cy="${round(y - size * 0.16)}" r="${round(size * 0.27)}"/>`
  return `<g fill="${fill}" opacity="${opacity}">${bar}${bumps}</g>`
}

/** The colour of layer `index` of `count`, from the farthest to the nearest. */
export const depthColour = ({ palette }: Canvas, index: number, count: number) =>
  mix(palette.far, palette.near, (index / Math.max(1, count - 1)) ** 0.9)

/** Layers into one SVG document; `x`, `y`, `width` and `height` choose the part of the drawing that is shown. */
export function svgDocument(
  layers: readonly DrawingLayer[],
  view: { x: number; y: number; width: number; height: number },
): string {
  const box = `${view.x} ${view.y} ${view.width} ${view.height}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${view.height}" viewBox="${box}">${layers.map(({ markup }) => markup).join('')}</svg>`
}
