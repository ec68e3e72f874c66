/** Illustration: a desk by a window, and the objects on it. */
import {
  band,
  type Canvas,
  type DrawingLayer,
  disc,
  gradient,
  layer,
  mix,
  round,
  roundedRect,
  shadedBand,
} from '../drawing.ts'

/** A desk by a window with a lamp, a laptop, a mug, books and a plant. */
export function desk(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between, random } = canvas
  const wall = mix(palette.sky[1], palette.near, 0.25)
  // A tall picture has room for larger objects; a wide one shows more of the wall.
  const isTall = height > width * 1.2
  const scale = isTall ? 1 : 0.7
  const top = height * (isTall ? 0.68 : 0.76)
  const size = unit * scale
  const room: Canvas = { ...canvas, unit: size }
  const middle = width / 2
  const side = random() < 0.5 ? -1 : 1
  const back = shadedBand(canvas, 0, height, [
    [0, mix(wall, palette.sky[0], 0.5)],
    [1, wall],
  ])
  const view = window(room, { x: middle - size * 0.31, y: top - size * 1.02, w: size * 0.62, h: size * 0.6 })
  const shelf = picture(room, middle + side * size * 0.1, top - size * 1.34)
  const table =
    shadedBand(canvas, top, height, [
      [0, mix(palette.far, palette.near, 0.35)],
      [1, palette.near],
    ]) + band(canvas, top, size * 0.025, mix(palette.far, palette.light, 0.4))
  const things =
    plant(room, middle - side * size * 0.33, top) +
    laptop(room, middle + size * 0.01 * side, top) +
    lamp(room, middle + side * size * 0.33, top, -side) +
    mug(room, middle - side * size * 0.225, top) +
    books(room, middle + side * size * 0.24, top + size * 0.19) +
    notebook(room, middle - side * size * 0.14, top + size * 0.22)
  const dust = Array.from({ length: 34 }, () =>
    disc(
      middle + unit * between(-0.48, 0.48),
      height * between(-0.2, 1.2),
      unit * between(0.0015, 0.005),
      palette.light,
      round(between(1, 5)) / 10,
    ),
  ).join('')
  return [layer(back + view + (top > size * 1.5 ? shelf : '')), layer(table + things, 0.01), layer(dust, 0, -0.03)]
}

/** Two small frames on the wall above the window. */
function picture({ unit, palette }: Canvas, x: number, y: number): string {
  const frame = mix(palette.light, palette.far, 0.12)
  const one =
    roundedRect(x - unit * 0.2, y, unit * 0.15, unit * 0.19, frame) +
    roundedRect(x - unit * 0.188, y + unit * 0.012, unit * 0.126, unit * 0.166, palette.sky[1]) +
    disc(x - unit * 0.125, y + unit * 0.095, unit * 0.04, palette.accent)
  const other =
    roundedRect(x, y + unit * 0.02, unit * 0.2, unit * 0.15, frame) +
    roundedRect(x + unit * 0.012, y + unit * 0.032, unit * 0.176, unit * 0.126, palette.sky[2]) +
    `<path d="M${round(x + unit * 0.012)} ${round(y + unit * 0.158)}l${round(unit * 0.06)} ${round(-unit * 0.075)}l${round(unit * 0.045)} ${round(unit * 0.045)}l${round(unit * 0.03)} ${round(-unit * 0.025)}l${round(unit * 0.041)} ${round(unit * 0.055)}z" fill="${palette.near}"/>`
  return one + other
}

function window(
  { unit, palette, random }: Canvas,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
): string {
  const bar = unit * 0.018
  const glass =
    gradient(
      'glass',
      palette.sky.map((colour, index) => [index / 3, colour] as const),
    ) + roundedRect(x, y, w, h, 'url(#glass)')
  const sunX = x + w * (0.25 + 0.5 * random())
  const hillLine = `M${round(x)} ${round(y + h * 0.72)}Q${round(x + w * 0.28)} ${round(y + h * 0.52)} ${round(x + w * 0.55)} ${round(y + h * 0.74)}T${round(x + w)} ${round(y + h * 0.64)}V${round(y + h)}H${round(x)}Z`
  const frontLine = `M${round(x)} ${round(y + h * 0.9)}Q${round(x + w * 0.4)} ${round(y + h * 0.68)} ${round(x + w)} ${round(y + h * 0.88)}V${round(y + h)}H${round(x)}Z`
  const outside =
    disc(sunX, y + h * 0.42, unit * 0.075, palette.light) +
    `<path d="${hillLine}" fill="${palette.far}"/><path d="${frontLine}" fill="${mix(palette.far, palette.near, 0.5)}"/>`
  const frame = mix(palette.light, palette.far, 0.12)
  const bars =
    roundedRect(x - bar, y - bar, w + 2 * bar, bar, frame) +
    roundedRect(x - bar, y, bar, h, frame) +
    roundedRect(x + w, y, bar, h, frame) +
    roundedRect(x + w / 2 - bar / 2, y, bar, h, frame) +
    roundedRect(x, y + h * 0.45, w, bar * 0.8, frame) +
    roundedRect(x - bar * 2.2, y + h, w + bar * 4.4, bar * 1.5, frame)
  return glass + outside + bars
}

function laptop({ unit, palette }: Canvas, x: number, top: number): string {
  const w = unit * 0.36
  const h = unit * 0.235
  const y = top - h
  const screen = gradient('screen', [
    [0, mix(palette.sky[2], palette.light, 0.2)],
    [1, palette.sky[1]],
  ])
  const lines = [0.55, 0.4, 0.62, 0.3]
    .map((part, index) =>
      roundedRect(x - w * 0.4, y + h * (0.2 + 0.16 * index), w * part, h * 0.06, palette.light, h * 0.03, 0.75),
    )
    .join('')
  return (
    screen +
    roundedRect(x - w / 2, y - unit * 0.012, w, h + unit * 0.012, palette.near, unit * 0.016) +
    roundedRect(x - w / 2 + unit * 0.012, y, w - unit * 0.024, h - unit * 0.014, 'url(#screen)', unit * 0.006) +
    lines +
    disc(x + w * 0.3, y + h * 0.66, h * 0.13, palette.accent) +
    roundedRect(
      x - w * 0.58,
      top - unit * 0.012,
      w * 1.16,
      unit * 0.024,
      mix(palette.light, palette.near, 0.35),
      unit * 0.012,
    )
  )
}

function lamp({ unit, palette }: Canvas, x: number, top: number, side: number): string {
  const tall = unit * 0.34
  const headX = x + side * unit * 0.1
  const headY = top - tall
  const dark = palette.near
  const beam =
    gradient('beam', [
      [0, palette.light, 0.4],
      [1, palette.light, 0],
    ]) +
    `<path d="M${round(headX - unit * 0.05)} ${round(headY + unit * 0.05)}h${round(unit * 0.1)}L${round(headX + unit * 0.2)} ${round(top)}H${round(headX - unit * 0.2)}Z" fill="url(#beam)"/>`
  const arm = `<path d="M${round(x)} ${round(top)}L${round(x - side * unit * 0.05)} ${round(top - tall * 0.55)}L${round(headX)} ${round(headY)}" fill="none" stroke="${dark}" stroke-width="${round(unit * 0.013)}" stroke-linecap="round" stroke-linejoin="round"/>`
  const shade = `<path d="M${round(headX - unit * 0.03)} ${round(headY - unit * 0.025)}h${round(unit * 0.06)}l${round(unit * 0.045)} ${round(unit * 0.085)}h${round(-unit * 0.15)}z" fill="${palette.accent}"/>`
  return (
    beam +
    arm +
    disc(x - side * unit * 0.05, top - tall * 0.55, unit * 0.012, dark) +
    shade +
    disc(headX, headY + unit * 0.06, unit * 0.022, palette.light) +
    roundedRect(x - unit * 0.06, top - unit * 0.014, unit * 0.12, unit * 0.022, dark, unit * 0.011)
  )
}

function mug({ unit, palette }: Canvas, x: number, top: number): string {
  const h = unit * 0.085
  const colour = mix(palette.accent, palette.light, 0.25)
  const steam = [-0.3, 0.3]
    .map(
      (side) =>
        `<path d="M${round(x + side * h * 0.5)} ${round(top - h * 1.15)}q${round(h * 0.22)} ${round(-h * 0.3)} 0 ${round(-h * 0.55)}t0 ${round(-h * 0.5)}" fill="none" stroke="${palette.light}" stroke-width="${round(unit * 0.006)}" stroke-linecap="round" stroke-opacity="0.55"/>`,
    )
    .join('')
  const handle = `<circle cx="${round(x + h * 0.52)}" cy="${round(top - h * 0.5)}" r="${round(h * 0.26)}" fill="none" stroke="${colour}" stroke-width="${round(unit * 0.013)}"/>`
  return steam + handle + roundedRect(x - h * 0.48, top - h, h * 0.96, h + unit * 0.006, colour, unit * 0.012)
}

function plant({ unit, palette }: Canvas, x: number, top: number): string {
  const leaf = mix(mix('#3f8f6b', palette.far, 0.25), palette.near, 0.15)
  const leaves = [-62, -34, -8, 18, 44, 68]
    .map((turn, index) => {
      const long = unit * (0.13 + 0.035 * ((index * 7) % 3))
      return `<path d="M0 0Q${round(-long * 0.26)} ${round(-long * 0.55)} 0 ${round(-long)}Q${round(long * 0.26)} ${round(-long * 0.55)} 0 0Z" fill="${mix(leaf, palette.light, 0.07 * (index % 3))}" transform="translate(${round(x)} ${round(top - unit * 0.08)}) rotate(${turn})"/>`
    })
    .join('')
  const pot = `<path d="M${round(x - unit * 0.05)} ${round(top - unit * 0.095)}h${round(unit * 0.1)}l${round(-unit * 0.014)} ${round(unit * 0.1)}h${round(-unit * 0.072)}z" fill="${mix(palette.light, palette.accent, 0.25)}"/>`
  return (
    leaves +
    pot +
    roundedRect(
      x - unit * 0.056,
      top - unit * 0.105,
      unit * 0.112,
      unit * 0.022,
      mix(palette.light, palette.accent, 0.12),
      unit * 0.004,
    )
  )
}

function books({ unit, palette }: Canvas, x: number, y: number): string {
  const colours = [palette.accent, palette.sky[2], mix(palette.light, palette.far, 0.2)]
  return colours
    .map(
      (colour, index) =>
        roundedRect(
          x - unit * (0.12 - 0.012 * index),
          y - unit * 0.036 * (index + 1),
          unit * (0.24 - 0.03 * index),
          unit * 0.034,
          colour,
          unit * 0.004,
        ) +
        roundedRect(
          x - unit * (0.1 - 0.012 * index),
          y - unit * (0.036 * (index + 1) - 0.013),
          unit * 0.05,
          unit * 0.007,
          palette.light,
          0,
          0.7,
        ),
    )
    .join('')
}

function notebook({ unit, palette }: Canvas, x: number, y: number): string {
  const page = mix(palette.light, '#ffffff', 0.4)
  const shape = `<path d="M${round(x - unit * 0.12)} ${round(y)}l${round(unit * 0.05)} ${round(-unit * 0.09)}h${round(unit * 0.2)}l${round(unit * 0.03)} ${round(unit * 0.09)}z" fill="${page}"/>`
  const lines = [0.3, 0.5, 0.7]
    .map(
      (part) =>
        `<path d="M${round(x - unit * (0.07 - 0.02 * (1 - part)))} ${round(y - unit * 0.09 * part)}h${round(unit * 0.17)}" stroke="${palette.far}" stroke-width="${round(unit * 0.004)}" stroke-opacity="0.6"/>`,
    )
    .join('')
  const pen = `<path d="M${round(x + unit * 0.17)} ${round(y + unit * 0.005)}l${round(unit * 0.06)} ${round(-unit * 0.09)}" stroke="${palette.accent}" stroke-width="${round(unit * 0.012)}" stroke-linecap="round"/>`
  return shape + lines + pen
}
