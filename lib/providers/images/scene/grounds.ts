/** The grounds that objects stand before: landscapes, rooms and open space, each different with the seed. */
import type { PictureGround } from '../../../domain/generation/picture-scene.ts'
import {
  type Canvas,
  cloud,
  type DrawingLayer,
  disc,
  glow,
  gradient,
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
import { desert, forest, hills, mountains, ocean } from '../illustrations/landscapes.ts'
import { city } from '../illustrations/places.ts'
import { bedroom, desk, kitchen, laboratory, room, stage } from './interiors.ts'

type Ground = (canvas: Canvas) => DrawingLayer[]

/** Where things stand, as a fraction of the height; `null` where they float. */
export const floorOf = (ground: PictureGround): number | null => (floating.has(ground) ? null : 0.575)

const floating: ReadonlySet<PictureGround> = new Set(['sky', 'underwater', 'space', 'body', 'abstract'])

/** Colours that a ground is known by, mixed with those of the film. */
const tinted = (
  canvas: Canvas,
  skyColours: readonly [string, string, string, string],
  far: string,
  near: string,
): Canvas => ({
  ...canvas,
  palette: {
    ...canvas.palette,
    sky: skyColours.map((colour, index) => mix(colour, canvas.palette.sky[index]!, 0.25)) as [
      string,
      string,
      string,
      string,
    ],
    far: mix(far, canvas.palette.far, 0.3),
    near: mix(near, canvas.palette.near, 0.3),
  },
})

const wide = ({ width }: Canvas) => ({
  left: -width * overhang,
  right: width * (1 + overhang),
  span: width * (1 + 2 * overhang),
})

function openSky(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const sunX = width * between(0.12, 0.88)
  const back =
    sky(canvas, 1) +
    glow('sun', sunX, height * 0.16, unit * 0.7, palette.light, 0.85) +
    disc(sunX, height * 0.16, unit * 0.09, palette.light)
  const clouds = (count: number, top: number, bottom: number, size: number, opacity: number) =>
    Array.from({ length: count }, () =>
      cloud(
        width * between(-0.3, 1.3),
        height * between(top, bottom),
        unit * size * between(0.7, 1.3),
        mix(palette.sky[3], '#ffffff', 0.7),
        opacity,
      ),
    ).join('')
  return [layer(back), layer(clouds(5, 0.1, 0.9, 0.13, 0.55), -0.006), layer(clouds(5, 0.55, 1, 0.28, 0.75), -0.014)]
}

function underwater(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between, random } = canvas
  const { left, span } = wide(canvas)
  const water = shadedBand(canvas, 0, height, [
    [0, palette.sky[2]],
    [0.45, palette.sky[1]],
    [1, palette.sky[0]],
  ])
  const rays = Array.from({ length: 6 }, () => {
    const x = width * between(-0.1, 1.1)
    const spread = unit * between(0.08, 0.2)
    return `<path d="M${round(x)} 0h${round(spread * 0.5)}L${round(x + spread * 2.4)} ${round(height * 0.8)}h${round(-spread * 2)}Z" fill="${palette.light}" fill-opacity="0.08"/>`
  }).join('')
  const bed = [0, 1, 2]
    .map((index) =>
      terrain(
        canvas,
        hill(canvas, height * (0.84 + 0.05 * index), unit * 0.05, 0.8),
        mix(palette.far, palette.near, 0.35 + 0.3 * index),
      ),
    )
    .join('')
  const weed = Array.from({ length: 9 }, () => {
    const x = left + random() * span
    const tall = unit * between(0.12, 0.34)
    const sway = unit * between(-0.06, 0.06)
    return `<path d="M${round(x)} ${round(height)}C${round(x + sway)} ${round(height - tall * 0.4)} ${round(x - sway)} ${round(height - tall * 0.7)} ${round(x + sway)} ${round(height - tall)}" stroke="${mix(palette.near, '#2f9e6e', 0.5)}" stroke-width="${round(unit * 0.016)}" stroke-linecap="round" fill="none"/>`
  }).join('')
  const bubbles = Array.from(
    { length: 22 },
    () =>
      `<circle cx="${round(width * between(-0.2, 1.2))}" cy="${round(height * between(0.05, 0.95))}" r="${round(unit * between(0.004, 0.02))}" fill="none" stroke="#ffffff" stroke-width="${round(unit * 0.003)}" stroke-opacity="0.4"/>`,
  ).join('')
  return [layer(water + rays), layer(bubbles, 0, -0.02), layer(bed + weed, 0.008)]
}

function beach(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const sunX = width * between(0.15, 0.85)
  const horizon = height * 0.46
  const back =
    sky(canvas, 0.46) +
    glow('sun', sunX, height * 0.2, unit * 0.5, palette.light, 0.8) +
    disc(sunX, height * 0.2, unit * 0.09, palette.light)
  const sea = shadedBand(canvas, horizon, height, [
    [0, mix('#7fd4e0', palette.sky[2], 0.3)],
    [1, mix('#1d8fb5', palette.sky[1], 0.3)],
  ])
  const foam = terrain(canvas, hill(canvas, height * 0.575, unit * 0.018, 1.4), '#ffffff')
  const sand = gradient('sand', [
    [0, mix('#f6dfae', palette.light, 0.3)],
    [1, mix('#d8ab6a', palette.near, 0.18)],
  ])
  const shore = terrain(canvas, hill(canvas, height * 0.592, unit * 0.018, 1.4), 'url(#sand)')
  return [layer(back), layer(sea), layer(foam + sand + shore, 0.006)]
}

function snow(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const back = sky(canvas, 0.6)
  const slopes = [0, 1, 2].map((index) =>
    layer(
      terrain(
        canvas,
        hill(canvas, height * (0.5 + 0.08 * index), unit * (0.1 - 0.03 * index), 0.7),
        mix('#dbe9f6', '#ffffff', index / 2),
      ),
      0.005 + 0.008 * index,
    ),
  )
  const flakes = Array.from({ length: 70 }, () =>
    disc(width * between(-0.3, 1.3), height * between(0, 1), unit * between(0.002, 0.008), '#ffffff', 0.85),
  ).join('')
  const firs = Array.from({ length: 7 }, () => {
    const x = width * between(-0.3, 1.3)
    const y = height * between(0.55, 0.6)
    const size = unit * between(0.05, 0.11)
    return `<path d="M${round(x)} ${round(y - size * 2)}l${round(size * 0.6)} ${round(size * 2)}h${round(-size * 1.2)}Z" fill="${mix(palette.near, '#2c5f6f', 0.5)}"/>`
  }).join('')
  return [layer(back), slopes[0]!, layer(firs, 0.008), ...slopes.slice(1), layer(flakes, 0, 0.03)]
}

function street(canvas: Canvas): DrawingLayer[] {
  const { height, unit, palette, between, random } = canvas
  const { left, right } = wide(canvas)
  const floor = height * 0.56
  let houses = ''
  for (let x = left; x < right; ) {
    const w = unit * between(0.22, 0.34)
    const top = floor - unit * between(0.42, 0.72)
    const wall = mix(mix(palette.far, palette.sky[Math.floor(random() * 3)]!, 0.5), '#fff4e0', between(0.1, 0.45))
    houses +=
      roundedRect(x, top, w, floor - top, wall) +
      roundedRect(x - unit * 0.008, top - unit * 0.02, w + unit * 0.016, unit * 0.03, mix(wall, palette.near, 0.4))
    for (let row = top + unit * 0.06; row < floor - unit * 0.2; row += unit * 0.13)
      for (let column = 0; column < 3; column++)
        houses += roundedRect(
          x + w * (0.12 + 0.28 * column),
          row,
          w * 0.18,
          unit * 0.075,
          random() < 0.4 ? palette.light : mix(wall, palette.near, 0.55),
          unit * 0.006,
        )
    houses +=
      roundedRect(x + w * 0.12, floor - unit * 0.14, w * 0.5, unit * 0.14, mix(wall, palette.near, 0.6)) +
      roundedRect(x + w * 0.06, floor - unit * 0.17, w * 0.64, unit * 0.04, palette.accent, unit * 0.01)
    x += w
  }
  const pavement = roundedRect(left, floor, right - left, height * 0.06, mix('#c9c4bd', palette.far, 0.3))
  const tarmac = roundedRect(left, height * 0.62, right - left, height * 0.4, mix('#4a4a55', palette.near, 0.4))
  const marks = Array.from({ length: Math.floor((right - left) / (unit * 0.34)) }, (_, index) =>
    roundedRect(left + index * unit * 0.34, height * 0.8, unit * 0.18, unit * 0.022, '#ffffff', unit * 0.01, 0.75),
  ).join('')
  return [layer(sky(canvas, 0.5)), layer(houses, 0.006), layer(pavement + tarmac + marks, 0.014)]
}

function space(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const deep = shadedBand(canvas, 0, height, [
    [0, mix('#05060f', palette.sky[0], 0.35)],
    [0.6, mix('#0d1030', palette.sky[1], 0.35)],
    [1, mix('#1a1440', palette.sky[0], 0.3)],
  ])
  const nebula =
    glow('nebula', width * between(0.1, 0.9), height * between(0.15, 0.7), unit * 0.8, palette.sky[2], 0.4) +
    glow('nebula2', width * between(0, 1), height * between(0.3, 0.9), unit * 0.6, palette.accent, 0.16)
  const planetX = width * (between(0, 1) < 0.5 ? 0.06 : 0.94)
  const planetY = height * between(0.72, 0.86)
  const radius = unit * between(0.16, 0.3)
  const globe =
    disc(planetX, planetY, radius, mix(palette.far, '#ffffff', 0.1)) +
    disc(planetX + radius * 0.22, planetY + radius * 0.16, radius * 0.96, mix(palette.near, palette.far, 0.35), 0.55)
  return [layer(deep + nebula), layer(stars(canvas, 240, height * 1.6, '#ffffff'), 0.004), layer(globe, 0.012)]
}

function night(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const moonX = width * between(0.15, 0.85)
  const back =
    sky(canvas, 0.75) +
    stars(canvas, 160, height * 0.6, palette.light) +
    glow('moon', moonX, height * 0.17, unit * 0.45, '#fff7da', 0.55) +
    disc(moonX, height * 0.17, unit * 0.1, '#fff7da') +
    disc(moonX + unit * 0.04, height * 0.165, unit * 0.085, palette.sky[0], 0.85)
  const land = [0, 1, 2].map((index) =>
    layer(
      terrain(
        canvas,
        hill(canvas, height * (0.54 + 0.07 * index), unit * 0.06, 0.7),
        mix(palette.far, palette.near, 0.4 + 0.3 * index),
      ),
      0.006 + 0.006 * index,
    ),
  )
  return [layer(back), ...land]
}

function ancient(canvas: Canvas): DrawingLayer[] {
  const { height, unit, palette, between } = canvas
  const { left, right } = wide(canvas)
  const stone = mix('#e9dcc0', palette.light, 0.3)
  const shade = mix(stone, palette.near, 0.35)
  const floor = height * 0.56
  const tall = unit * between(0.6, 0.75)
  const step = unit * between(0.24, 0.3)
  let columns = ''
  for (let x = left; x < right; x += step) {
    const w = step * 0.42
    columns += roundedRect(x, floor - tall, w, tall, stone)
    for (const groove of [0.22, 0.5, 0.78])
      columns += roundedRect(x + w * groove - w * 0.04, floor - tall, w * 0.08, tall, shade, 0, 0.55)
    columns +=
      roundedRect(x - w * 0.22, floor - tall - unit * 0.03, w * 1.44, unit * 0.04, stone, unit * 0.006) +
      roundedRect(x - w * 0.22, floor - unit * 0.03, w * 1.44, unit * 0.03, shade, unit * 0.004)
  }
  const beam =
    roundedRect(left, floor - tall - unit * 0.12, right - left, unit * 0.1, stone) +
    roundedRect(left, floor - tall - unit * 0.15, right - left, unit * 0.035, shade)
  const steps = [0, 1, 2, 3]
    .map((index) =>
      roundedRect(
        left,
        floor + unit * 0.05 * index,
        right - left,
        height,
        mix(stone, palette.near, 0.12 + 0.12 * index),
      ),
    )
    .join('')
  return [layer(sky(canvas, 0.55)), layer(beam + columns, 0.006), layer(steps, 0.012)]
}

function factory(canvas: Canvas): DrawingLayer[] {
  const { height, unit, palette, between, random } = canvas
  const { left, right } = wide(canvas)
  const floor = height * 0.56
  const wall = mix(palette.near, palette.far, 0.35)
  let halls = ''
  let smoke = ''
  for (let x = left; x < right; ) {
    const w = unit * between(0.2, 0.3)
    const top = floor - unit * between(0.16, 0.26)
    halls += `<path d="M${round(x)} ${round(floor)}V${round(top)}l${round(w / 2)} ${round(-unit * 0.06)}v${round(unit * 0.06)}l${round(w / 2)} ${round(-unit * 0.06)}V${round(floor)}Z" fill="${wall}"/>`
    for (let column = 0; column < 4; column++)
      halls += roundedRect(
        x + w * (0.08 + 0.23 * column),
        top + unit * 0.06,
        w * 0.13,
        unit * 0.05,
        random() < 0.6 ? palette.accent : palette.light,
        0,
        0.8,
      )
    if (random() < 0.6) {
      const chimney = x + w * 0.2
      const tall = unit * between(0.3, 0.46)
      halls += `<path d="M${round(chimney)} ${round(floor)}l${round(unit * 0.012)} ${round(-tall)}h${round(unit * 0.04)}l${round(unit * 0.012)} ${round(tall)}Z" fill="${mix(wall, '#000000', 0.2)}"/>`
      for (let puff = 0; puff < 4; puff++)
        smoke += disc(
          chimney + unit * (0.04 + 0.06 * puff),
          floor - tall - unit * (0.04 + 0.05 * puff),
          unit * (0.035 + 0.018 * puff),
          mix(palette.sky[3], '#ffffff', 0.5),
          0.5,
        )
    }
    x += w
  }
  const ground = roundedRect(left, floor, right - left, height, mix(palette.near, '#55504d', 0.4))
  return [layer(sky(canvas, 0.56)), layer(smoke, 0.02), layer(halls, 0.006), layer(ground, 0.01)]
}

function body(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const { left, span } = wide(canvas)
  const flesh = shadedBand(canvas, 0, height, [
    [0, mix('#ff9a8b', palette.sky[3], 0.3)],
    [0.6, mix('#d9486e', palette.sky[2], 0.35)],
    [1, mix('#6d1440', palette.sky[0], 0.35)],
  ])
  const cells = (count: number, size: number, opacity: number) =>
    Array.from({ length: count }, () => {
      const [x, y, r] = [left + between(0, 1) * span, height * between(0, 1), unit * size * between(0.7, 1.3)]
      return (
        disc(x, y, r, mix('#ff7d87', palette.light, 0.25), opacity) +
        disc(x, y, r * 0.55, mix('#b02a52', palette.near, 0.2), opacity * 0.8)
      )
    }).join('')
  return [
    layer(flesh + glow('inner', width / 2, height * 0.4, unit * 0.7, '#fff0e6', 0.4)),
    layer(cells(26, 0.03, 0.3), 0.008),
    layer(cells(9, 0.075, 0.42), 0.02),
  ]
}

/** Rays, rings or dots around the middle. */
function abstract(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, random } = canvas
  const { left, span } = wide(canvas)
  const wash = palette.sky.map((colour, index) => [index / 3, colour] as const)
  const back = shadedBand(canvas, 0, height, wash)
  const kind = random()
  const [x, y] = [width / 2, height * 0.42]
  if (kind < 0.34) {
    const rays = Array.from({ length: 18 }, (_, index) => {
      const angle = (index / 18) * 2 * Math.PI + random() * 0.1
      const far = Math.max(width, height) * 1.4
      const at = (turn: number) =>
        `${round(x + Math.cos(angle + turn) * far)} ${round(y + Math.sin(angle + turn) * far)}`
      return `<path d="M${round(x)} ${round(y)}L${at(0)}L${at(0.17)}Z" fill="${palette.light}" fill-opacity="0.13"/>`
    }).join('')
    return [layer(back), layer(rays, 0.002)]
  }
  if (kind < 0.67) {
    const rings = [1.25, 0.98, 0.74, 0.52]
      .map((radius, index) => disc(x, y, unit * radius, palette.light, 0.06 + 0.035 * index))
      .join('')
    return [layer(back), layer(rings, 0.004)]
  }
  if (kind < 0.85) {
    let dots = ''
    for (let row = 0; row * unit * 0.085 < height; row++)
      for (let column = 0; column * unit * 0.085 < span; column++)
        dots += `M${round(left + (column + (row % 2) / 2) * unit * 0.085)} ${round(row * unit * 0.085)}h0.1`
    return [
      layer(back),
      layer(
        `<path d="${dots}" stroke="${palette.light}" stroke-width="${round(unit * 0.016)}" stroke-linecap="round" stroke-opacity="0.2"/>`,
        0.006,
      ),
    ]
  }
  return [layer(back), layer(glow('calm', x, y, unit * 0.9, palette.light, 0.5), 0.004)]
}

/** A lit backdrop with a floor, in one of the colours of the film, with a quiet pattern. */
function studio(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, random } = canvas
  const { left, span } = wide(canvas)
  const tones = [palette.sky[1], palette.sky[2], palette.far, mix(palette.accent, palette.sky[2], 0.5)]
  const wall = mix(mix(tones[Math.floor(random() * tones.length)]!, palette.accent, 0.14), '#ffffff', 0.26)
  const floor = height * 0.55
  const back = shadedBand(canvas, 0, height, [
    [0, mix(wall, palette.near, 0.22)],
    [0.38, mix(wall, '#ffffff', 0.12)],
    [0.55, mix(wall, '#ffffff', 0.26)],
    [0.551, mix(wall, palette.near, 0.24)],
    [1, mix(wall, palette.near, 0.62)],
  ])
  const [x, y] = [width / 2, height * 0.36]
  const light = glow('spot', x, y, unit * 0.8, mix(palette.light, '#ffffff', 0.5), 0.7)
  const pool = `<ellipse cx="${round(x)}" cy="${round(floor + unit * 0.07)}" rx="${round(unit * 0.52)}" ry="${round(unit * 0.1)}" fill="#ffffff" fill-opacity="0.18"/>`
  return [layer(back + light), layer(backdropPattern(canvas, x, y, { left, span, floor }), 0.004), layer(pool, 0.01)]
}

/** Rings, an arch, slanting bands or dots. */
function backdropPattern(
  { width, unit, random, between }: Canvas,
  x: number,
  y: number,
  { left, span, floor }: { left: number; span: number; floor: number },
): string {
  const white = (opacity: number) => `fill="#ffffff" fill-opacity="${opacity}"`
  const kind = Math.floor(random() * 4)
  if (kind === 0) return [0.66, 0.5, 0.36].map((radius) => disc(x, y, unit * radius, '#ffffff', 0.07)).join('')
  if (kind === 1) {
    const half = unit * between(0.36, 0.42)
    return `<path d="M${round(x - half)} ${round(floor)}V${round(y)}a${round(half)} ${round(half)} 0 0 1 ${round(2 * half)} 0V${round(floor)}Z" ${white(0.15)}/>`
  }
  if (kind === 2) {
    const step = unit * 0.3
    let bands = ''
    for (let at = left - floor; at < left + span; at += step)
      bands += `M${round(at)} ${round(floor)}l${round(floor * 0.6)} ${round(-floor)}h${round(step * 0.45)}l${round(-floor * 0.6)} ${round(floor)}Z`
    return `<path d="${bands}" ${white(0.07)}/>`
  }
  return Array.from({ length: 26 }, () =>
    disc(width * between(-0.3, 1.3), floor * between(0.02, 0.92), unit * between(0.012, 0.045), '#ffffff', 0.1),
  ).join('')
}

/** A clearing in front of a landscape that has nothing to stand on. */
const withClearing =
  (landscape: Ground, colour: (canvas: Canvas) => string): Ground =>
  (canvas) => {
    const { width, height, unit, palette, between } = canvas
    const grass = colour(canvas)
    const shade = gradient('clearing', [
      [0, mix(grass, palette.light, 0.16)],
      [0.3, grass],
      [1, mix(grass, palette.near, 0.7)],
    ])
    const mound = terrain(canvas, hill(canvas, height * 0.565, unit * 0.014, 0.5), 'url(#clearing)')
    const tufts = Array.from({ length: 26 }, () => {
      const near = between(0, 1) ** 0.7
      const size = unit * (0.012 + 0.05 * near)
      const [x, y] = [width * between(-0.3, 1.3), height * (0.6 + 0.38 * near)]
      return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(size)}" ry="${round(size * 0.35)}" fill="${mix(grass, palette.near, 0.25 + 0.35 * near)}" fill-opacity="0.6"/>`
    }).join('')
    // The landscape moves up, so that its foreground becomes the background of the objects.
    const lifted = landscape(canvas).map(({ markup, ...drift }) => ({
      ...drift,
      markup: `<g transform="translate(0 ${round(-height * 0.2)})">${markup}</g>`,
    }))
    return [...lifted, layer(shade + mound + tufts, 0.012)]
  }

const grounds: Record<PictureGround, Ground> = {
  sky: (canvas) => openSky(tinted(canvas, ['#2f7fd6', '#5aa9ea', '#9fd4f5', '#e3f4fb'], '#8cc6a0', '#1c5a5a')),
  sea: (canvas) => ocean(tinted(canvas, ['#2b6fb3', '#5aa6d6', '#a6d8e8', '#f3e9d2'], '#3f9fc4', '#06314f')),
  underwater: (canvas) =>
    underwater(tinted(canvas, ['#042a49', '#0b5d87', '#35aecb', '#bdf0f2'], '#2a8f9e', '#04263b')),
  beach: (canvas) => beach(tinted(canvas, ['#4aa8e0', '#85c9ee', '#bfe5f5', '#fdf3dd'], '#8cc6a0', '#1c5a5a')),
  forest: (canvas) =>
    withClearing(
      forest,
      () => '#5d9b63',
    )(tinted(canvas, ['#2d6a5f', '#6fae8e', '#b7dcae', '#f0f4d2'], '#6fae86', '#0b2f24')),
  field: (canvas) => hills(tinted(canvas, ['#4aa3df', '#86c8ee', '#c5e8f2', '#fbf6df'], '#a5cf7a', '#2f6b3f')),
  mountains: withClearing(mountains, ({ palette }) => mix('#5f9468', palette.far, 0.35)),
  desert: (canvas) => desert(tinted(canvas, ['#3f7fc0', '#8fb9d8', '#f3cf9b', '#ffe9c4'], '#e2ab62', '#7a3d22')),
  snow: (canvas) => snow(tinted(canvas, ['#3f74b5', '#77a9d8', '#b7d6ee', '#eef6fb'], '#c6dcef', '#2c5f6f')),
  city: withClearing(city, ({ palette }) => mix('#6a6478', palette.far, 0.4)),
  street,
  room,
  bedroom,
  kitchen,
  desk,
  laboratory,
  stage,
  space,
  night: (canvas) => night(tinted(canvas, ['#0a1030', '#1b2560', '#3a3f8c', '#6a63a8'], '#3b4680', '#070b20')),
  ancient: (canvas) => ancient(tinted(canvas, ['#3d8fc9', '#86bfe0', '#f2d9ae', '#fbeed2'], '#d6b98a', '#6a4326')),
  factory: (canvas) => factory(tinted(canvas, ['#4b5670', '#8b8fa3', '#d8b48f', '#f6dfc2'], '#7d7f8c', '#23262f')),
  body,
  abstract,
  studio,
}

export const groundLayers = (ground: PictureGround, canvas: Canvas): DrawingLayer[] => grounds[ground](canvas)
