/** Illustrations of landscapes: mountains, hills, desert, forest and sea. */
import {
  type Canvas,
  cloud,
  type DrawingLayer,
  depthColour,
  disc,
  glow,
  gradient,
  hill,
  layer,
  mix,
  ridge,
  round,
  shadedBand,
  sky,
  stars,
  terrain,
} from '../drawing.ts'

/** Ranges of mountains in haze before a low sun, with a few birds. */
export function mountains(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const sunX = width * between(0.28, 0.72)
  const sunY = height * between(0.36, 0.44)
  const back =
    sky(canvas, 0.62) +
    stars(canvas, 90, height * 0.34, palette.light) +
    glow('sun', sunX, sunY, unit * 0.62, palette.light, 0.75)
  const ranges = 5
  const layers = Array.from({ length: ranges }, (_, index) => {
    const near = index / (ranges - 1)
    const line = ridge(canvas, height * (0.52 + 0.1 * index), unit * (0.3 - 0.08 * near), 0.47)
    const colour = depthColour(canvas, index, ranges)
    const haze = gradient(`range${index}`, [
      [0, colour],
      [1, mix(colour, palette.sky[3], 0.4 * (1 - near))],
    ])
    return layer(haze + terrain(canvas, line, `url(#range${index})`), 0.006 + 0.03 * near ** 1.5)
  })
  return [layer(back + disc(sunX, sunY, unit * 0.13, palette.light)), layer(birds(canvas, sunX, sunY), 0.02), ...layers]
}

function birds({ unit, palette, between }: Canvas, x: number, y: number): string {
  return Array.from({ length: 5 }, () => {
    const size = unit * between(0.012, 0.022)
    const left = x + unit * between(-0.34, 0.34)
    const top = y + unit * between(-0.3, -0.12)
    const wings = `M${round(left - size)} ${round(top - size * 0.4)}Q${round(left - size * 0.4)} ${round(top - size * 0.6)} ${round(left)} ${round(top)}Q${round(left + size * 0.4)} ${round(top - size * 0.6)} ${round(left + size)} ${round(top - size * 0.4)}`
    return `<path d="${wings}" fill="none" stroke="${palette.near}" stroke-width="${round(unit * 0.004)}" stroke-linecap="round"/>`
  }).join('')
}

/** Soft hills by day with clouds, a winding path and a small house. */
export function hills(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between, random } = canvas
  const sunX = width * between(0.2, 0.8)
  const back =
    sky(canvas, 0.6) +
    glow('sun', sunX, height * 0.22, unit * 0.5, palette.light, 0.8) +
    disc(sunX, height * 0.22, unit * 0.1, palette.light)
  const clouds = Array.from({ length: 6 }, () =>
    cloud(
      width * between(-0.3, 1.3),
      height * between(0.1, 0.42),
      unit * between(0.08, 0.2),
      mix(palette.sky[3], '#ffffff', 0.6),
      round(between(5, 9)) / 10,
    ),
  ).join('')
  const count = 4
  const layers = Array.from({ length: count }, (_, index) => {
    const line = hill(canvas, height * (0.58 + 0.11 * index), unit * (0.05 + 0.012 * index), 0.55 + 0.2 * random())
    const colour = depthColour(canvas, index, count + 1)
    const shade = gradient(`hill${index}`, [
      [0, mix(colour, palette.light, 0.12)],
      [0.5, colour],
    ])
    const trees = index === 0 ? '' : roundTrees(canvas, line, index)
    return layer(
      trees + shade + terrain(canvas, line, `url(#hill${index})`) + (index === 1 ? house(canvas, line) : ''),
      0.008 + 0.012 * index,
    )
  })
  return [layer(back), layer(clouds, -0.008), ...layers]
}

function roundTrees(canvas: Canvas, line: readonly (readonly [number, number])[], index: number): string {
  const { unit, between, random, palette } = canvas
  return Array.from({ length: 7 }, () => {
    const [x, y] = line[Math.floor(random() * line.length)]!
    const size = unit * between(0.02, 0.034) * (0.6 + 0.3 * index)
    const leaf = mix(depthColour(canvas, index, 5), palette.near, 0.35)
    return `<rect x="${round(x - size * 0.1)}" y="${round(y - size * 1.4)}" width="${round(size * 0.2)}" height="${round(size * 1.6)}" fill="${palette.near}"/>${`<ellipse cx="${round(x)}" cy="${round(y - size * 1.9)}" rx="${round(size * 0.8)}" ry="${round(size * 1.1)}" fill="${leaf}"/>`}`
  }).join('')
}

function house({ unit, palette }: Canvas, line: readonly (readonly [number, number])[]): string {
  const [x, top] = line[66]!
  const size = unit * 0.055
  const y = top + size * 0.25
  const box = (left: number, up: number, w: number, h: number, fill: string) =>
    `<rect x="${round(x + left * size)}" y="${round(y - up * size)}" width="${round(w * size)}" height="${round(h * size)}" fill="${fill}"/>`
  const roof = `<path d="M${round(x - size * 0.85)} ${round(y - size)}L${round(x)} ${round(y - size * 1.7)}L${round(x + size * 0.85)} ${round(y - size)}Z" fill="${palette.accent}"/>`
  return (
    box(0.3, 1.75, 0.18, 0.6, palette.near) +
    box(-0.65, 1.02, 1.3, 1.05, mix(palette.light, '#ffffff', 0.4)) +
    roof +
    box(-0.15, 0.6, 0.32, 0.62, palette.near) +
    box(-0.5, 0.75, 0.22, 0.24, palette.far) +
    box(0.3, 0.75, 0.22, 0.24, palette.far)
  )
}

/** Dunes with a lit and a shaded flank, a great sun and a few cactuses. */
export function desert(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const sunX = width * between(0.3, 0.7)
  const sunY = height * 0.4
  const rings = [0.42, 0.32, 0.23]
    .map((radius, index) => disc(sunX, sunY, unit * radius, palette.light, 0.12 + 0.1 * index))
    .join('')
  const back = sky(canvas, 0.6) + rings + disc(sunX, sunY, unit * 0.16, palette.light)
  const count = 4
  const layers = Array.from({ length: count }, (_, index) => {
    const colour = depthColour(canvas, index, count)
    const line = hill(canvas, height * (0.58 + 0.115 * index), unit * (0.07 + 0.018 * index), 0.62 + 0.12 * index)
    const shade = gradient(`dune${index}`, [
      [0, mix(colour, palette.light, 0.3 - 0.06 * index)],
      [0.35, colour],
      [1, mix(colour, palette.near, 0.3)],
    ])
    const plants = index === 2 ? cactuses(canvas, line) : ''
    return layer(plants + shade + terrain(canvas, line, `url(#dune${index})`), 0.008 + 0.014 * index)
  })
  return [layer(back), ...layers]
}

function cactuses({ unit, palette, between, random }: Canvas, line: readonly (readonly [number, number])[]): string {
  return Array.from({ length: 5 }, (_, index) => {
    const [x, y] = line[Math.floor((0.16 + (0.68 * (index + 0.15 + 0.7 * random())) / 5) * line.length)]!
    const size = unit * between(0.07, 0.12)
    const arm = (side: number, high: number) =>
      `M${round(x)} ${round(y - size * high)}h${round(side * size * 0.28)}v${round(-size * 0.32)}`
    return `<path d="M${round(x)} ${round(y + size * 0.2)}V${round(y - size)}${arm(1, 0.35)}${arm(-1, 0.5)}" fill="none" stroke="${mix(palette.near, palette.far, 0.18)}" stroke-width="${round(size * 0.17)}" stroke-linecap="round" stroke-linejoin="round"/>`
  }).join('')
}

/** Rows of firs in rising mist under a moon. */
export function forest(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const moonX = width * between(0.25, 0.75)
  const back =
    sky(canvas, 0.75) +
    stars(canvas, 70, height * 0.4, palette.light) +
    glow('moon', moonX, height * 0.27, unit * 0.5, palette.light, 0.6) +
    disc(moonX, height * 0.27, unit * 0.11, palette.light)
  const rows = 4
  const layers = Array.from({ length: rows }, (_, index) => {
    const base = height * (0.6 + 0.13 * index)
    const colour = depthColour(canvas, index, rows)
    const line = hill(canvas, base, unit * 0.03, 0.8)
    const mist = gradient(`mist${index}`, [
      [0, colour],
      [1, mix(colour, palette.sky[3], index === rows - 1 ? 0 : 0.45)],
    ])
    return layer(
      mist + terrain(canvas, line, `url(#mist${index})`) + firs(canvas, line, unit * (0.1 + 0.055 * index), colour),
      0.006 + 0.011 * index,
    )
  })
  return [layer(back), ...layers]
}

function firs(canvas: Canvas, line: readonly (readonly [number, number])[], size: number, colour: string): string {
  const { width, between } = canvas
  let markup = ''
  for (let x = -width * 0.4; x < width * 1.4; x += size * between(0.3, 0.62)) {
    const y =
      line[Math.max(0, Math.min(line.length - 1, Math.round(((x / width + 0.4) / 1.8) * (line.length - 1))))]![1] +
      size * 0.1
    const tall = size * between(0.75, 1.5)
    const tier = (from: number, to: number, wide: number) =>
      `M${round(x)} ${round(y - tall * to)}L${round(x + size * wide)} ${round(y - tall * from)}H${round(x - size * wide)}Z`
    markup += `<path d="${tier(0.02, 0.5, 0.29)}${tier(0.25, 0.76, 0.23)}${tier(0.5, 1, 0.16)}" fill="${colour}"/>`
  }
  return markup
}

/** The sea at sunset: bands of waves, the light on the water, a small sail. */
export function ocean(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between, random } = canvas
  const horizon = height * 0.52
  const sunX = width * between(0.35, 0.65)
  const clouds = Array.from({ length: 4 }, () =>
    cloud(
      width * between(-0.2, 1.2),
      height * between(0.1, 0.36),
      unit * between(0.1, 0.22),
      mix(palette.sky[2], palette.light, 0.5),
      0.45,
    ),
  ).join('')
  const back =
    sky(canvas, 0.52) +
    glow('sun', sunX, horizon, unit * 0.75, palette.light, 0.8) +
    disc(sunX, horizon - unit * 0.06, unit * 0.17, palette.light)
  const sea = mix(palette.sky[1], palette.far, 0.35)
  const water = shadedBand(canvas, horizon, height - horizon, [
    [0, mix(sea, palette.light, 0.35)],
    [0.3, sea],
    [1, palette.near],
  ])
  const path = Array.from({ length: 22 }, (_, index) => {
    const y = horizon + (height - horizon) * ((index + 0.5) / 24) ** 1.4
    const wide = unit * (0.11 + 0.14 * (index / 22)) * between(0.5, 1.1)
    return `<rect x="${round(sunX - wide + unit * 0.05 * (random() - 0.5))}" y="${round(y)}" width="${round(wide * 2)}" height="${round(unit * (0.004 + 0.006 * (index / 22)))}" rx="${round(unit * 0.004)}" fill="${palette.light}" fill-opacity="${round(7 - 5 * (index / 22)) / 10}"/>`
  }).join('')
  const waves = Array.from({ length: 4 }, (_, index) => {
    const line = hill(canvas, height * (0.66 + 0.1 * index), unit * (0.008 + 0.006 * index), 1.5 - 0.2 * index)
    const colour = mix(sea, palette.near, 0.3 + 0.2 * index)
    const crest = `<polyline points="${line.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}" fill="none" stroke="${mix(colour, palette.light, 0.35)}" stroke-width="${round(unit * 0.004)}"/>`
    return layer(terrain(canvas, line, colour) + crest, (index % 2 ? -1 : 1) * (0.014 + 0.012 * index))
  })
  return [layer(back), layer(clouds, 0.01), layer(water + path), layer(sail(canvas, horizon), -0.012), ...waves]
}

function sail({ width, unit, palette, between }: Canvas, horizon: number): string {
  const x = width * (between(0, 1) < 0.5 ? between(0.14, 0.3) : between(0.7, 0.86))
  const size = unit * 0.075
  const y = horizon + size * 0.5
  const canvasShape = `M${round(x - size * 0.06)} ${round(y - size * 0.12)}V${round(y - size * 1.7)}Q${round(x - size * 0.7)} ${round(y - size * 0.7)} ${round(x - size * 0.75)} ${round(y - size * 0.12)}Z M${round(x + size * 0.06)} ${round(y - size * 0.12)}V${round(y - size * 1.4)}Q${round(x + size * 0.4)} ${round(y - size * 0.6)} ${round(x + size * 0.55)} ${round(y - size * 0.12)}Z`
  const hull = `M${round(x - size * 0.85)} ${round(y)}H${round(x + size * 0.75)}L${round(x + size * 0.5)} ${round(y + size * 0.3)}H${round(x - size * 0.6)}Z`
  return `<path d="${canvasShape}" fill="${mix(palette.light, '#ffffff', 0.5)}"/><path d="${hull}" fill="${palette.accent}"/>`
}
