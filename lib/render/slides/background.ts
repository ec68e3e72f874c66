/** The background of a slide: its colour and, by `presentationBackground`, a subtle pattern that keeps text legible. */
import type { Size } from '../framing.ts'
import type { SlidePalette } from './palette.ts'
import { mixColours } from './palette.ts'
import type { Background } from './slide.ts'
import { circle, svgGradient, svgRect } from './svg.ts'

export function backgroundMarkup(kind: Background, frame: Size, palette: SlidePalette, turn: number): string {
  const { width, height } = frame
  const base = svgRect({ x: 0, y: 0, width, height }, palette.background)
  return base + patterns[kind](frame, palette, turn)
}

const patterns: Record<Background, (frame: Size, palette: SlidePalette, turn: number) => string> = {
  plain: () => '',
  gradient: glows,
  grid,
  dots,
  paper,
}

/** Two soft lights in opposite corners, which alternate from slide to slide. */
function glows({ width, height }: Size, { accent, accentB, background }: SlidePalette, turn: number): string {
  const size = 0.62 * Math.max(width, height)
  const sides = turn % 2 === 0 ? [0.98, 0.02] : [0.02, 0.98]
  const light = (id: string, x: number, y: number, colour: string, strength: number) =>
    svgGradient(id, 'radial', [
      [0, colour, strength],
      [0.5, colour, strength * 0.45],
      [1, colour, 0],
    ]) + circle(x, y, size, `url(#${id})`)
  return (
    light('a', sides[0]! * width, 0.02 * height, mixColours(background, accent, 0.55), 0.34) +
    light('b', sides[1]! * width, 0.98 * height, mixColours(background, accentB, 0.55), 0.3)
  )
}

/** Fine lines that fade towards the middle, where the text is. */
function grid(frame: Size, { ink, background }: SlidePalette): string {
  const step = Math.round(Math.min(frame.width, frame.height) / 12)
  const colour = mixColours(background, ink, 0.1)
  const lines =
    svgRect({ x: 0, y: 0, width: step, height: 2 }, colour) + svgRect({ x: 0, y: 0, width: 2, height: step }, colour)
  return tiled(frame, step, lines) + centreFade(frame, background)
}

function dots(frame: Size, { ink, background }: SlidePalette): string {
  const step = Math.round(Math.min(frame.width, frame.height) / 24)
  return (
    tiled(frame, step, circle(step / 2, step / 2, step * 0.07, mixColours(background, ink, 0.2))) +
    centreFade(frame, background)
  )
}

/** A tiled cell, aligned with the middle of the frame. */
function tiled({ width, height }: Size, step: number, cell: string): string {
  const attributes = `x="${(width / 2) % step}" y="${(height / 2) % step}" width="${step}" height="${step}"`
  const pattern = `<defs><pattern id="cell" patternUnits="userSpaceOnUse" ${attributes}>${cell}</pattern></defs>`
  return pattern + svgRect({ x: 0, y: 0, width, height }, 'url(#cell)')
}

const centreFade = ({ width, height }: Size, background: string) =>
  `${svgGradient('c', 'radial', [
    [0, background, 0.9],
    [0.6, background, 0.7],
    [1, background, 0],
  ])}<ellipse cx="${width / 2}" cy="${height / 2}" rx="${0.6 * width}" ry="${0.5 * height}" fill="url(#c)"/>`

/** Paper: short fibres in two directions, slightly darker at the edges. */
function paper({ width, height }: Size, { ink, background }: SlidePalette, turn: number): string {
  let fibres = ''
  for (let i = 0; i < 240; i++) {
    // A Halton sequence is evenly spread and never repeats.
    const [x, y] = [halton(i + 1 + turn * 7, 2) * width, halton(i + 1, 3) * height]
    const [dx, dy] = [(halton(i + 1, 5) - 0.5) * 0.03 * width, (halton(i + 1, 7) - 0.5) * 0.03 * width]
    fibres += `M${x.toFixed(1)} ${y.toFixed(1)}l${dx.toFixed(1)} ${dy.toFixed(1)}`
  }
  const shade = svgGradient('s', 'radial', [
    [0.3, ink, 0],
    [1, ink, 0.07],
  ])
  const sheet = `<path d="${fibres}" stroke="${mixColours(background, ink, 0.12)}" stroke-width="${(width / 900).toFixed(1)}" fill="none"/>`
  return `${sheet}${shade}${svgRect({ x: 0, y: 0, width, height }, 'url(#s)')}`
}

/** The fallback of a full-screen image: large shapes in the colours of the slides. */
export function posterMarkup(frame: Size, { accent, accentB }: SlidePalette, turn: number): string {
  const { width, height } = frame
  const night = '#0E0C1D'
  const long = Math.max(width, height)
  const side = turn % 2 === 0 ? 0.72 : 0.28
  const base = svgGradient('sky', 'down', [
    [0, mixColours(accent, night, 0.25)],
    [0.6, mixColours(accent, night, 0.62)],
    [1, night],
  ])
  const sun = svgGradient('sun', 'linear', [
    [0, accentB],
    [1, mixColours(accentB, accent, 0.7)],
  ])
  const rings = [0.3, 0.42, 0.56, 0.72].map((radius, index) =>
    circle(
      side * width,
      0.34 * height,
      radius * long * 0.6,
      'none',
      `stroke="#ffffff" stroke-opacity="${0.2 - 0.04 * index}" stroke-width="${long / 640}"`,
    ),
  )
  const hills = [0.62, 0.7, 0.8].map((level, index) => {
    const [y, sway] = [level * height, (index % 2 === 0 ? 0.1 : -0.08) * height]
    const curve = `M0 ${y}C${0.3 * width} ${y - sway} ${0.62 * width} ${y + sway} ${width} ${y - 0.4 * sway}V${height}H0Z`
    return `<path d="${curve}" fill="${mixColours(mixColours(accent, night, 0.55), night, 0.25 + 0.28 * index)}"/>`
  })
  const whole = svgRect({ x: 0, y: 0, width, height }, 'url(#sky)')
  return `${base}${sun}${whole}${rings.join('')}${circle(side * width, 0.34 * height, 0.13 * long, 'url(#sun)')}${hills.join('')}`
}

function halton(index: number, base: number): number {
  let [value, part] = [0, 1 / base]
  for (let rest = index; rest > 0; rest = Math.floor(rest / base)) {
    value += part * (rest % base)
    part /= base
  }
  return value
}
