/** Grounds inside buildings. The floor begins where objects stand. */
import {
  type Canvas,
  type DrawingLayer,
  disc,
  glow,
  layer,
  mix,
  overhang,
  round,
  roundedRect,
  shadedBand,
  stars,
} from '../drawing.ts'

const floorAt = 0.53

interface Interior {
  canvas: Canvas
  left: number
  span: number
  floor: number
  wall: string
  boards: string
}

function interior(canvas: Canvas, wall: string, boards: string): Interior {
  const { width, height, palette } = canvas
  return {
    canvas,
    left: -width * overhang,
    span: width * (1 + 2 * overhang),
    floor: height * floorAt,
    wall: mix(wall, palette.sky[2], 0.3),
    boards: mix(boards, palette.near, 0.25),
  }
}

/** A lit wall and a floor with a skirting board. */
function shell({ canvas, left, span, floor, wall, boards }: Interior, light = 0.5): string {
  const { width, height, unit, palette } = canvas
  const paint = shadedBand(canvas, 0, floor + 1, [
    [0, mix(wall, palette.near, 0.3)],
    [0.55, wall],
    [1, mix(wall, '#ffffff', 0.15)],
  ])
  const planks = shadedBand(canvas, floor, height - floor, [
    [0, boards],
    [1, mix(boards, '#000000', 0.45)],
  ])
  return (
    paint +
    glow('lamp', width / 2, floor * 0.7, unit * 0.75, palette.light, light) +
    planks +
    roundedRect(left, floor - unit * 0.012, span, unit * 0.024, mix(wall, '#ffffff', 0.55))
  )
}

/** A window with a view of the sky. */
function window_({ canvas: { unit, palette }, wall }: Interior, x: number, y: number, isNight = false): string {
  const [w, h] = [unit * 0.26, unit * 0.34]
  const frame = mix(wall, '#ffffff', 0.75)
  const view = isNight ? mix(palette.sky[0], '#0a1030', 0.6) : mix('#a9dcf5', palette.sky[3], 0.3)
  const bar = unit * 0.012
  return (
    roundedRect(x - bar, y - bar, w + 2 * bar, h + 2 * bar, frame, unit * 0.01) +
    roundedRect(x, y, w, h, view) +
    (isNight
      ? disc(x + w * 0.68, y + h * 0.28, unit * 0.035, '#fff3c9')
      : disc(x + w * 0.25, y + h * 0.8, unit * 0.09, mix('#8fcf8f', palette.far, 0.3), 0.7)) +
    roundedRect(x + w / 2 - bar / 2, y, bar, h, frame) +
    roundedRect(x, y + h / 2 - bar / 2, w, bar, frame) +
    roundedRect(x - bar * 2, y + h + bar, w + 4 * bar, bar * 1.4, frame)
  )
}

function picture({ canvas: { unit, palette }, wall }: Interior, x: number, y: number, size: number): string {
  return (
    roundedRect(x, y, size, size * 1.2, mix(wall, palette.near, 0.65), unit * 0.008) +
    roundedRect(x + size * 0.1, y + size * 0.1, size * 0.8, size, mix(palette.light, '#ffffff', 0.3)) +
    disc(x + size * 0.62, y + size * 0.4, size * 0.14, palette.accent) +
    `<path d="M${round(x + size * 0.1)} ${round(y + size * 1.1)}l${round(size * 0.3)} ${round(-size * 0.5)}l${round(size * 0.22)} ${round(size * 0.3)}l${round(size * 0.12)} ${round(-size * 0.16)}l${round(size * 0.16)} ${round(size * 0.36)}Z" fill="${palette.far}"/>`
  )
}

function hangingLamp({ canvas: { unit, palette } }: Interior, x: number, length: number): string {
  return (
    roundedRect(x - unit * 0.003, 0, unit * 0.006, length, mix(palette.near, '#000000', 0.3)) +
    `<path d="M${round(x - unit * 0.07)} ${round(length + unit * 0.06)}C${round(x - unit * 0.06)} ${round(length - unit * 0.02)} ${round(x + unit * 0.06)} ${round(length - unit * 0.02)} ${round(x + unit * 0.07)} ${round(length + unit * 0.06)}Z" fill="${palette.accent}"/>` +
    disc(x, length + unit * 0.065, unit * 0.022, '#fff6d8')
  )
}

function rug({ canvas: { width, unit, palette }, floor }: Interior): string {
  return `<ellipse cx="${round(width / 2)}" cy="${round(floor + unit * 0.16)}" rx="${round(unit * 0.44)}" ry="${round(unit * 0.1)}" fill="${palette.accent}" fill-opacity="0.5"/><ellipse cx="${round(width / 2)}" cy="${round(floor + unit * 0.16)}" rx="${round(unit * 0.36)}" ry="${round(unit * 0.075)}" fill="${palette.light}" fill-opacity="0.4"/>`
}

export function room(canvas: Canvas): DrawingLayer[] {
  const set = interior(canvas, '#f1d9b5', '#a8703f')
  const { width, height, unit, between, random } = canvas
  const isLeft = random() < 0.5
  const windowX = isLeft ? width * 0.04 : width * 0.96 - unit * 0.26
  const pictureX = isLeft ? width * 0.72 : width * 0.1
  return [
    layer(
      shell(set) +
        window_(set, windowX, height * between(0.13, 0.18)) +
        picture(set, pictureX, height * between(0.13, 0.18), unit * 0.17) +
        rug(set),
    ),
    layer(random() < 0.5 ? hangingLamp(set, width * between(0.45, 0.55), height * 0.06) : '', 0.006),
  ]
}

export function bedroom(canvas: Canvas): DrawingLayer[] {
  const set = interior(canvas, '#4b4a86', '#2d2450')
  const { width, height, unit, between, random } = canvas
  const windowX = random() < 0.5 ? width * 0.06 : width * 0.94 - unit * 0.26
  const skyStars = stars({ ...canvas, width: unit * 0.2, random: canvas.random }, 12, unit * 0.3, '#ffffff')
  return [
    layer(
      `${shell(set, 0.35) + window_(set, windowX, height * between(0.12, 0.17), true)}<g transform="translate(${round(windowX + unit * 0.03)} ${round(height * 0.15)})">${skyStars}</g>${rug(set)}`,
    ),
    layer(hangingLamp(set, width - windowX - unit * 0.1, height * 0.1), 0.006),
  ]
}

export function kitchen(canvas: Canvas): DrawingLayer[] {
  const set = interior(canvas, '#e9f0e4', '#b98a5a')
  const { height, unit, palette, between, random } = canvas
  const { left, span, floor, wall } = set
  let tiles = ''
  for (let y = floor - unit * 0.36; y < floor; y += unit * 0.09) tiles += `M${round(left)} ${round(y)}h${round(span)}`
  for (let x = left; x < left + span; x += unit * 0.12)
    tiles += `M${round(x)} ${round(floor - unit * 0.36)}v${round(unit * 0.36)}`
  const grid = `<path d="${tiles}" stroke="${mix(wall, palette.near, 0.3)}" stroke-width="${round(unit * 0.004)}" stroke-opacity="0.5"/>`
  const shelfY = height * between(0.2, 0.24)
  let shelf = roundedRect(left, shelfY, span, unit * 0.022, mix('#8a5a33', palette.near, 0.3))
  for (let x = left + unit * 0.05; x < left + span; x += unit * between(0.1, 0.17)) {
    const tall = unit * between(0.06, 0.12)
    const colour = [palette.accent, palette.far, palette.sky[1], mix(palette.light, '#ffffff', 0.4)][
      Math.floor(random() * 4)
    ]!
    shelf +=
      roundedRect(x, shelfY - tall, unit * 0.06, tall, colour, unit * 0.012) +
      roundedRect(x + unit * 0.01, shelfY - tall - unit * 0.012, unit * 0.04, unit * 0.014, mix(colour, '#000000', 0.3))
  }
  const counter =
    roundedRect(left, floor, span, unit * 0.07, mix('#f4efe6', palette.light, 0.3)) +
    roundedRect(left, floor + unit * 0.07, span, height, mix(palette.far, '#3d5a52', 0.4))
  let doors = ''
  for (let x = left; x < left + span; x += unit * 0.34)
    doors +=
      roundedRect(
        x + unit * 0.015,
        floor + unit * 0.11,
        unit * 0.31,
        unit * 0.6,
        mix(palette.far, '#ffffff', 0.12),
        unit * 0.012,
      ) +
      roundedRect(
        x + unit * 0.27,
        floor + unit * 0.2,
        unit * 0.016,
        unit * 0.09,
        mix(palette.far, '#000000', 0.3),
        unit * 0.008,
      )
  return [layer(shell(set) + grid + shelf), layer(counter + doors, 0.006)]
}

export function laboratory(canvas: Canvas): DrawingLayer[] {
  const set = interior(canvas, '#bfe0e6', '#5d7f8c')
  const { height, unit, palette, between, random } = canvas
  const { left, span, floor } = set
  const shelfY = height * between(0.19, 0.23)
  let shelf = roundedRect(left, shelfY, span, unit * 0.018, mix('#4c6b77', palette.near, 0.3))
  for (let x = left + unit * 0.04; x < left + span; x += unit * between(0.12, 0.2)) {
    const liquid = [palette.accent, '#5ed4a6', '#7a8cf0', '#f07ab0'][Math.floor(random() * 4)]!
    const size = unit * between(0.07, 0.1)
    const glass = `M${round(x)} ${round(shelfY)}l${round(size * 0.36)} ${round(-size)}v${round(-size * 0.35)}h${round(size * 0.28)}v${round(size * 0.35)}l${round(size * 0.36)} ${round(size)}Z`
    const fill = `M${round(x)} ${round(shelfY)}l${round(size * 0.2)} ${round(-size * 0.55)}h${round(size * 0.6)}l${round(size * 0.2)} ${round(size * 0.55)}Z`
    shelf += `<path d="${glass}" fill="#ffffff" fill-opacity="0.5"/><path d="${fill}" fill="${liquid}" fill-opacity="0.9"/>`
  }
  const bench =
    roundedRect(left, floor, span, unit * 0.05, '#f2f7f8') +
    roundedRect(left, floor + unit * 0.05, span, height, mix('#3d5c69', palette.near, 0.35))
  return [layer(shell(set, 0.6) + shelf), layer(bench, 0.006)]
}

export function stage(canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette, between } = canvas
  const set = interior(canvas, '#1d1530', '#7a4a2b')
  const { left, span, floor } = set
  const spot = (x: number, lean: number) =>
    `<path d="M${round(x)} 0h${round(unit * 0.05)}L${round(width / 2 + unit * 0.36 + lean)} ${round(floor + unit * 0.1)}H${round(width / 2 - unit * 0.36 + lean)}Z" fill="${palette.light}" fill-opacity="0.2"/>`
  const pool = `<ellipse cx="${round(width / 2)}" cy="${round(floor + unit * 0.1)}" rx="${round(unit * 0.42)}" ry="${round(unit * 0.09)}" fill="${palette.light}" fill-opacity="0.4"/>`
  const red = mix('#b3123a', palette.sky[1], 0.25)
  let curtains = ''
  for (const side of [-1, 1])
    for (let fold = 0; fold < 6; fold++) {
      const w = unit * 0.07
      const x = side < 0 ? left + (width * overhang - unit * 0.2) + fold * w : width + unit * 0.2 - (fold + 1) * w
      curtains += roundedRect(x, 0, w + 1, height, fold % 2 ? red : mix(red, '#000000', 0.28))
    }
  const valance = Array.from(
    { length: 16 },
    (_, index) =>
      `<ellipse cx="${round(left + (index + 0.5) * (span / 16))}" cy="0" rx="${round(span / 30)}" ry="${round(unit * 0.13)}" fill="${index % 2 ? red : mix(red, '#000000', 0.25)}"/>`,
  ).join('')
  return [
    layer(shell(set, 0.15) + spot(width * between(0.1, 0.25), 0) + spot(width * between(0.75, 0.9), 0) + pool),
    layer(curtains + valance, 0.008),
  ]
}

export function desk(canvas: Canvas): DrawingLayer[] {
  const set = interior(canvas, '#dfe6ee', '#c58f5b')
  const { width, height, unit, palette, between, random } = canvas
  const { left, span, floor } = set
  const windowX = random() < 0.5 ? width * 0.05 : width * 0.95 - unit * 0.26
  const shelfX = windowX < width / 2 ? width * 0.62 : width * 0.06
  const shelfY = height * between(0.24, 0.27)
  let books = roundedRect(shelfX, shelfY, unit * 0.32, unit * 0.016, mix('#8a5a33', palette.near, 0.3))
  for (let x = shelfX + unit * 0.01; x < shelfX + unit * 0.28; ) {
    const w = unit * between(0.022, 0.036)
    const tall = unit * between(0.09, 0.14)
    books += roundedRect(
      x,
      shelfY - tall,
      w,
      tall,
      [palette.accent, palette.far, palette.sky[1], palette.near][Math.floor(random() * 4)]!,
      unit * 0.004,
    )
    x += w + unit * 0.003
  }
  const top =
    roundedRect(left, floor, span, unit * 0.045, mix('#d8a468', palette.light, 0.2)) +
    roundedRect(left, floor + unit * 0.045, span, height, mix('#8f5d32', palette.near, 0.3))
  return [layer(shell(set) + window_(set, windowX, height * 0.13) + books), layer(top, 0.006)]
}
