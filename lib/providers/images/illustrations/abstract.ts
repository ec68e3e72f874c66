/** Illustrations: a planet, a poster of shapes, flowing ribbons, growth. */
import {
  band,
  type Canvas,
  type DrawingLayer,
  disc,
  glow,
  gradient,
  hill,
  layer,
  mix,
  overhang,
  round,
  shadedBand,
  sky,
  stars,
  terrain,
} from '../drawing.ts'

/** A ringed planet with two moons among stars. */
export function planet(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between, random } = canvas
  const x = width * between(0.42, 0.58)
  const y = height * between(0.38, 0.46)
  const radius = unit * between(0.21, 0.26)
  const tilt = (random() < 0.5 ? -1 : 1) * between(14, 26)
  // Dark in every palette: a bright sky would hide the stars.
  const dark = (colour: string, part: number) => mix(colour, '#05060f', part)
  const space = gradient('space', [
    [0, dark(palette.sky[0], 0.7)],
    [0.55, dark(palette.sky[0], 0.45)],
    [1, dark(palette.sky[1], 0.35)],
  ])
  const haze =
    glow('haze1', width * between(0, 0.4), height * 0.8, unit * 0.8, palette.sky[2], 0.45) +
    glow('haze2', width * between(0.6, 1), height * 0.15, unit * 0.7, palette.sky[1], 0.8)
  const ball = `<defs><radialGradient id="ball" cx="0.34" cy="0.3" r="0.85"><stop offset="0" stop-color="${palette.light}"/><stop offset="0.35" stop-color="${palette.sky[3]}"/><stop offset="0.7" stop-color="${palette.sky[2]}"/><stop offset="1" stop-color="${palette.sky[1]}"/></radialGradient><clipPath id="disc"><circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"/></clipPath></defs>`
  const stripes = [-0.52, -0.22, 0.1, 0.46]
    .map(
      (at, index) =>
        `<ellipse cx="${round(x)}" cy="${round(y + radius * (at + 0.12))}" rx="${round(radius * 1.2)}" ry="${round(radius * (0.05 + 0.035 * ((index * 2) % 3)))}" fill="${index % 2 ? palette.accent : palette.sky[1]}" fill-opacity="0.28"/>`,
    )
    .join('')
  const ring = (half: 'back' | 'front') => {
    const sweep = half === 'back' ? 1 : 0
    const bands = [
      [1.5, 0.05, 0.9],
      [1.68, 0.028, 0.65],
      [1.83, 0.05, 0.45],
      [2.0, 0.012, 0.5],
    ] as const
    return bands
      .map(
        ([size, thick, opacity], index) =>
          `<path d="M${round(x - radius * size)} ${round(y)}A${round(radius * size)} ${round(radius * size * 0.27)} 0 0 ${sweep} ${round(x + radius * size)} ${round(y)}" fill="none" stroke="${index === 1 ? palette.accent : palette.sky[3]}" stroke-width="${round(radius * thick)}" stroke-opacity="${opacity}"/>`,
      )
      .join('')
  }
  const turned = (markup: string) => `<g transform="rotate(${round(tilt)} ${round(x)} ${round(y)})">${markup}</g>`
  const body =
    turned(ring('back')) +
    ball +
    disc(x, y, radius, 'url(#ball)') +
    `<g clip-path="url(#disc)">${turned(stripes)}</g>` +
    turned(ring('front'))
  const moon = (angle: number, far: number, size: number) => {
    const at = [x + Math.cos(angle) * radius * far, y + Math.sin(angle) * radius * far] as const
    return (
      disc(...at, radius * size, palette.sky[3]) +
      disc(
        at[0] + radius * size * 0.3,
        at[1] + radius * size * 0.16,
        radius * size * 0.72,
        mix(palette.sky[2], palette.sky[3], 0.55),
      ) +
      disc(at[0] - radius * size * 0.35, at[1] - radius * size * 0.3, radius * size * 0.16, palette.sky[2], 0.6)
    )
  }
  const turn = between(0, 6.28)
  const moons = moon(turn, 1.9, 0.16) + moon(turn + between(2.2, 4), 2.3, 0.1)
  const back = space + band(canvas, 0, height, 'url(#space)') + haze
  return [
    layer(back),
    layer(stars(canvas, 150, height * 1.3, palette.light), 0.006),
    layer(stars(canvas, 70, height * 1.5, '#ffffff'), 0.016),
    layer(glow('halo', x, y, radius * 2.1, palette.sky[2], 0.55) + body, -0.006),
    layer(moons, -0.03),
  ]
}

/** A poster of tiles with quarter circles, rings and stripes, one of which stands out. */
export function poster(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, random } = canvas
  const columns = Math.max(3, Math.round((width / unit) * 3))
  const size = width / columns
  const rows = Math.ceil(height / size)
  const colours = [
    palette.sky[0],
    palette.sky[1],
    palette.sky[2],
    palette.sky[3],
    palette.light,
    palette.far,
    palette.near,
  ]
  const special = Math.floor(columns / 2) + columns * Math.floor(rows / 2 - 0.5)
  const spare = Math.ceil(columns * overhang)
  let markup = ''
  for (let row = 0; row < rows; row++) {
    for (let column = -spare; column < columns + spare; column++) {
      const ground = Math.floor(random() * colours.length)
      const figure = (ground + 2 + Math.floor(random() * (colours.length - 3))) % colours.length
      const isSpecial = column >= 0 && column < columns && row * columns + column === special
      const fill = isSpecial ? palette.accent : colours[figure]!
      markup += tile(
        column * size,
        row * size - (rows * size - height) / 2,
        size,
        colours[ground]!,
        fill,
        Math.floor(random() * 6),
        Math.floor(random() * 4),
      )
    }
  }
  return [layer(markup, 0.02)]
}

function tile(x: number, y: number, size: number, ground: string, figure: string, kind: number, turns: number): string {
  const half = size / 2
  const figures = [
    `<path d="M0 0H${size}A${size} ${size} 0 0 1 0 ${size}Z" fill="${figure}"/>`,
    `<circle cx="${half}" cy="${half}" r="${size * 0.38}" fill="${figure}"/><circle cx="${half}" cy="${half}" r="${size * 0.18}" fill="${ground}"/>`,
    `<path d="M0 0H${size}A${half} ${half} 0 0 1 0 0Z" fill="${figure}"/><path d="M0 ${half}H${size}A${half} ${half} 0 0 1 0 ${half}Z" fill="${figure}"/>`,
    `<path d="M0 0L${size} ${size}H0Z" fill="${figure}"/>`,
    `<path d="M0 0H${half}A${half} ${half} 0 0 1 0 ${half}ZM${size} ${size}H${half}A${half} ${half} 0 0 1 ${size} ${half}Z" fill="${figure}"/>`,
    [0.125, 0.375, 0.625, 0.875]
      .map(
        (at) =>
          `<rect x="0" y="${round(size * (at - 0.06))}" width="${size}" height="${round(size * 0.12)}" fill="${figure}"/>`,
      )
      .join(''),
  ]
  const turn = `translate(${round(x)} ${round(y)}) rotate(${turns * 90} ${half} ${half})`
  // A small overlap hides the seams of antialiasing between tiles.
  return `<g transform="${turn}"><rect x="-0.5" y="-0.5" width="${size + 1}" height="${size + 1}" fill="${ground}"/>${figures[kind]}</g>`
}

/** Broad ribbons that flow across a quiet gradient, with sparks above them. */
export function ribbons(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const back = shadedBand(canvas, 0, height, [
    [0, mix(palette.sky[0], '#000000', 0.15)],
    [0.5, palette.sky[0]],
    [1, palette.sky[1]],
  ])
  const light = glow(
    'light',
    width * between(0.25, 0.75),
    height * between(0.18, 0.3),
    unit * 0.6,
    palette.sky[2],
    0.65,
  )
  const count = 6
  const flowing = Array.from({ length: count }, (_, index) => {
    const part = index / (count - 1)
    const line = hill(canvas, height * (0.44 + 0.09 * index), unit * between(0.09, 0.15), between(0.42, 0.62))
    const colour =
      part < 0.5 ? mix(palette.sky[3], palette.sky[2], part * 2) : mix(palette.sky[2], palette.near, (part - 0.5) * 2)
    const shade = gradient(`ribbon${index}`, [
      [0, mix(colour, palette.light, 0.25)],
      [0.35, colour],
      [1, mix(colour, palette.near, 0.5)],
    ])
    return layer(shade + terrain(canvas, line, `url(#ribbon${index})`), (index % 2 ? -1 : 1) * (0.02 + 0.012 * index))
  })
  const sparks = Array.from({ length: 60 }, () =>
    disc(
      width * between(-0.3, 1.3),
      height * between(-0.3, 1.2),
      unit * between(0.001, 0.006),
      palette.light,
      round(between(2, 8)) / 10,
    ),
  ).join('')
  return [layer(back + light), ...flowing, layer(sparks, 0, -0.03)]
}

/** Rising bars with a rising line, over a faint grid: progress, money, results. */
export function growth(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const floor = height * 0.78
  const sunX = width * 0.72
  const back =
    sky(canvas, 0.85) +
    glow('sun', sunX, height * 0.26, unit * 0.6, palette.light, 0.6) +
    disc(sunX, height * 0.26, unit * 0.17, palette.light, 0.95)
  const grid = Array.from({ length: 6 }, (_, index) =>
    band(canvas, floor - height * 0.09 * (index + 1), unit * 0.002, palette.light, 0.22),
  ).join('')
  const hillLine = terrain(canvas, hill(canvas, floor - unit * 0.05, unit * 0.09, 0.6), palette.far)
  const count = 6
  const step = Math.min(width * 0.88, unit * 1.25) / count
  const left = width / 2 - (step * count) / 2
  const tops: [number, number][] = []
  const bars = Array.from({ length: count }, (_, index) => {
    const tall = height * (0.06 + 0.36 * (index / (count - 1)) ** 1.25) * between(0.92, 1.1) + unit * 0.04
    const x = left + step * index + step * 0.14
    tops.push([x + step * 0.36, floor - tall - unit * 0.07])
    const colour = index === count - 1 ? palette.accent : mix(palette.near, palette.sky[2], 0.18 + 0.1 * index)
    const shade = gradient(`bar${index}`, [
      [0, mix(colour, palette.light, 0.18)],
      [1, mix(colour, palette.near, 0.25)],
    ])
    return `${shade}<rect x="${round(x)}" y="${round(floor - tall)}" width="${round(step * 0.72)}" height="${round(tall + unit * 0.02)}" rx="${round(step * 0.1)}" fill="url(#bar${index})"/>`
  }).join('')
  const line = `<polyline points="${tops.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}" fill="none" stroke="${mix(palette.light, '#ffffff', 0.4)}" stroke-width="${round(unit * 0.012)}" stroke-linecap="round" stroke-linejoin="round"/>`
  const dots = tops
    .map(
      ([x, y], index) =>
        disc(
          x,
          y,
          unit * (index === count - 1 ? 0.026 : 0.017),
          index === count - 1 ? palette.accent : mix(palette.light, '#ffffff', 0.4),
        ) + (index === count - 1 ? disc(x, y, unit * 0.011, '#ffffff') : ''),
    )
    .join('')
  const front = shadedBand(canvas, floor, height, [
    [0, mix(palette.near, palette.far, 0.18)],
    [1, palette.near],
  ])
  const mirrored = `<g transform="translate(0 ${round(floor * 2)}) scale(1 -1)" opacity="0.16">${bars}</g>`
  const dust = Array.from({ length: 40 }, () =>
    disc(
      width * between(-0.3, 1.3),
      height * between(-0.3, 1.3),
      unit * between(0.001, 0.0045),
      palette.light,
      round(between(2, 7)) / 10,
    ),
  ).join('')
  return [
    layer(back + grid),
    layer(hillLine, 0.012),
    layer(front + mirrored + bars + line + dots, 0.01),
    layer(dust, 0, -0.03),
  ]
}
