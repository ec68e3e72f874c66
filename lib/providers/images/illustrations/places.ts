/** Illustrations of places: a city at night, a road. */
import {
  type Canvas,
  cloud,
  type DrawingLayer,
  depthColour,
  disc,
  glow,
  hill,
  layer,
  mix,
  overhang,
  round,
  roundedRect,
  shadedBand,
  sky,
  stars,
  terrain,
} from '../drawing.ts'

/** Four rows of houses with lit windows before a big moon. */
export function city(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const moonX = width * between(0.25, 0.75)
  const moonY = height * between(0.2, 0.26)
  const back =
    sky(canvas, 0.8) +
    stars(canvas, 110, height * 0.5, palette.light) +
    glow('moon', moonX, moonY, unit * 0.42, palette.light, 0.6) +
    disc(moonX, moonY, unit * 0.115, palette.light)
  const rows = 4
  const layers = Array.from({ length: rows }, (_, index) => layer(skyline(canvas, index, rows), 0.006 + 0.012 * index))
  return [layer(back), ...layers]
}

function skyline(canvas: Canvas, row: number, rows: number): string {
  const { width, height, unit, palette, between, random } = canvas
  const colour = mix(mix(palette.sky[2], palette.sky[1], row / (rows - 1)), palette.near, 0.3 + 0.2 * row)
  const base = height * (0.5 + 0.115 * row)
  let shapes = ''
  for (let x = -width * overhang; x < width * (1 + overhang); ) {
    const wide = unit * between(0.075, 0.15) * (1 + 0.12 * row)
    const top = base + unit * between(-0.22, 0.1)
    shapes += roundedRect(x, top, wide + 1, height * 1.02 - top, colour)
    const crown = random()
    if (crown < 0.16)
      shapes += `<path d="M${round(x)} ${round(top + 1)}L${round(x + wide / 2)} ${round(top - unit * 0.06)}L${round(x + wide)} ${round(top + 1)}Z" fill="${colour}"/>`
    else if (crown < 0.34) shapes += roundedRect(x + wide * 0.2, top - unit * 0.03, wide * 0.6, unit * 0.035, colour)
    else if (crown < 0.46)
      shapes +=
        roundedRect(x + wide / 2 - unit * 0.002, top - unit * 0.09, unit * 0.004, unit * 0.09, colour) +
        disc(x + wide / 2, top - unit * 0.09, unit * 0.006, palette.accent)
    shapes += windows(canvas, x, top, wide, row)
    x += wide + (random() < 0.2 ? unit * 0.012 : 0)
  }
  return shapes
}

function windows(
  { height, unit, palette, random }: Canvas,
  left: number,
  top: number,
  wide: number,
  row: number,
): string {
  const size = unit * (0.0075 + 0.0022 * row)
  const step = size * 2.1
  const columns = Math.floor((wide - step) / step)
  const margin = (wide - columns * step + step - size) / 2
  // The windows of a building share one path per colour: one element per window is slow to rasterise.
  const lit = ['', '']
  for (let y = top + step; y < Math.min(height, top + unit * 0.62); y += step * 1.25) {
    for (let column = 0; column < columns; column++) {
      const chance = random()
      if (chance < 0.3)
        lit[chance < 0.22 ? 0 : 1] +=
          `M${round(left + margin + column * step)} ${round(y)}h${round(size)}v${round(size * 1.35)}h${round(-size)}z`
    }
  }
  return `<path d="${lit[0]}" fill="${mix('#ffd98a', palette.light, 0.4)}" fill-opacity="0.85"/><path d="${lit[1]}" fill="${palette.accent}" fill-opacity="0.45"/>`
}

/** A road that runs to the horizon between hills, towards a rising sun. */
export function road(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between, random } = canvas
  const horizon = height * 0.56
  const goalX = width * between(0.42, 0.58)
  const rays = Array.from({ length: 12 }, (_, index) => {
    const angle = Math.PI * (1 + (index + 0.25) / 12)
    const reach = Math.max(width, height)
    const at = (turn: number) =>
      `${round(goalX + Math.cos(angle + turn) * reach)} ${round(horizon + Math.sin(angle + turn) * reach)}`
    return `<path d="M${round(goalX)} ${round(horizon)}L${at(0)}L${at(0.13)}Z" fill="${palette.light}" fill-opacity="0.1"/>`
  }).join('')
  const back =
    sky(canvas, 0.58) +
    rays +
    glow('sun', goalX, horizon, unit * 0.7, palette.light, 0.8) +
    disc(goalX, horizon, unit * 0.17, palette.light)
  const far = terrain(canvas, hill(canvas, horizon + unit * 0.005, unit * 0.05, 0.9), depthColour(canvas, 0, 4))
  const middle = terrain(canvas, hill(canvas, horizon + unit * 0.05, unit * 0.035, 0.6), depthColour(canvas, 1, 4))
  const plain = shadedBand(canvas, horizon + unit * 0.06, height - horizon, [
    [0, mix(palette.far, palette.near, 0.3)],
    [1, mix(palette.far, palette.near, 0.72)],
  ])
  const top = horizon + unit * 0.06
  const bend = unit * (random() < 0.5 ? -0.16 : 0.16)
  const edge = (side: number) => {
    const foot = width / 2 + side * unit * 0.46
    return `${round(goalX + side * unit * 0.012)} ${round(top)}|${round(goalX + bend + side * unit * 0.05)} ${round(top + (height - top) * 0.32)} ${round(width / 2 + side * unit * 0.2 - bend * 0.4)} ${round(top + (height - top) * 0.55)} ${round(foot)} ${round(height * 1.02)}`
  }
  const [leftTop, left] = edge(-1).split('|') as [string, string]
  const [rightTop, right] = edge(1).split('|') as [string, string]
  const lane = `<path d="M${leftTop}C${left}H${round(width / 2 + unit * 0.46)}L${right.split(' ').slice(-2).join(' ')}C${reversedCurve(right, rightTop)}Z" fill="${mix(palette.near, palette.far, 0.08)}"/>`
  const kerbs = `<path d="M${leftTop}C${left}M${rightTop}C${right}" fill="none" stroke="${mix(palette.light, palette.far, 0.5)}" stroke-width="${round(unit * 0.006)}" stroke-linecap="round"/>`
  const dashes = centreDashes(leftTop, left, rightTop, right, mix(palette.light, palette.accent, 0.3))
  const bushes = Array.from({ length: 9 }, (_, index) => {
    const near = ((index + random()) / 9) ** 1.3
    const x = width / 2 + (index % 2 ? 1 : -1) * (unit * (0.2 + 0.42 * near) + unit * between(0, 0.3))
    const y = top + (height - top) * (0.06 + 0.9 * near)
    const size = unit * (0.012 + 0.07 * near)
    return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(size)}" ry="${round(size * 0.62)}" fill="${mix(palette.far, palette.near, 0.55 + 0.35 * near)}"/>`
  }).join('')
  const clouds = Array.from({ length: 4 }, () =>
    cloud(
      width * between(-0.2, 1.2),
      height * between(0.1, 0.34),
      unit * between(0.08, 0.17),
      mix(palette.sky[3], '#ffffff', 0.5),
      0.5,
    ),
  ).join('')
  return [
    layer(back),
    layer(clouds, -0.012),
    layer(far, 0.006),
    layer(middle, 0.01),
    layer(plain + bushes + lane + kerbs + dashes),
  ]
}

const pairsOf = (curve: string) => curve.split(' ').map(Number)
const reversedCurve = (curve: string, start: string) => {
  const [ax, ay, bx, by] = pairsOf(curve)
  return `${bx} ${by} ${ax} ${ay} ${start}`
}

/** Dashes along the middle of two edges, longer and wider the nearer they are. */
function centreDashes(leftTop: string, left: string, rightTop: string, right: string, fill: string): string {
  const l = [...pairsOf(leftTop), ...pairsOf(left)]
  const r = [...pairsOf(rightTop), ...pairsOf(right)]
  const on = (points: number[], t: number, axis: number) => {
    const [a, b, c, d] = [0, 2, 4, 6].map((at) => points[at + axis]!) as [number, number, number, number]
    return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d
  }
  return Array.from({ length: 9 }, (_, index) => {
    const from = ((index + 0.3) / 9.2) ** 0.8
    const to = ((index + 0.75) / 9.2) ** 0.8
    const corner = (t: number, side: number) => {
      const half = (on(r, t, 0) - on(l, t, 0)) * 0.022
      return `${round((on(l, t, 0) + on(r, t, 0)) / 2 + side * half)} ${round((on(l, t, 1) + on(r, t, 1)) / 2)}`
    }
    return `<path d="M${corner(from, -1)}L${corner(from, 1)}L${corner(to, 1)}L${corner(to, -1)}Z" fill="${fill}"/>`
  }).join('')
}
