/** Charts, counters, timelines and quotes: the parts of a scene that hold lettering. */
import type { PictureFigure, PictureScene } from '../../../domain/generation/picture-scene.ts'
import { type Canvas, disc, gradient, mix, round, roundedRect } from '../drawing.ts'
import { fittedSize, lettering, textWidth, wrapped } from './lettering.ts'
import { objectMarkup } from './objects.ts'

/** Below the title of an opening picture, as a share of the height. */
const titleBottom = 0.36

/** Darkens the ground, so that lettering can be read. */
const veil = ({ width, height, palette }: Canvas, strength: number) =>
  roundedRect(-width, 0, 3 * width, height, mix(palette.near, '#05060f', 0.5), 0, strength)

/** A curve where the labels are points in time, bars otherwise. */
export function chart({ figures = [], objects, isOpening }: PictureScene, canvas: Canvas): string {
  const { width, height, unit, palette } = canvas
  const shown = figures.slice(0, 5)
  const area = {
    left: width / 2 - unit * 0.36,
    right: width / 2 + unit * 0.34,
    top: height * (isOpening ? titleBottom : 0.25),
    bottom: height * 0.545,
  }
  const highest = Math.max(...shown.map(({ value }) => Math.abs(value)), 1e-9)
  const xOf = (index: number) => area.left + ((area.right - area.left) * (index + 0.5)) / shown.length
  const yOf = ({ value }: PictureFigure) =>
    area.bottom - (area.bottom - area.top) * Math.max(0.04, Math.abs(value) / highest)
  const lines = [0.25, 0.5, 0.75, 1]
    .map((part) =>
      roundedRect(
        area.left,
        area.bottom - (area.bottom - area.top) * part,
        area.right - area.left,
        unit * 0.003,
        '#ffffff',
        0,
        0.16,
      ),
    )
    .join('')
  const axis = roundedRect(area.left, area.bottom, area.right - area.left, unit * 0.008, '#ffffff', unit * 0.004, 0.85)
  const isCurve = shown.every(({ label }) => /\d|today|now|year|month|day|week|hour/i.test(label))
  const marks = isCurve
    ? curve(
        shown.map((figure, index) => [xOf(index), yOf(figure)] as const),
        area,
        canvas,
      )
    : bars(shown, xOf, yOf, area, canvas)
  const room = (area.right - area.left) / shown.length
  const labels = shown
    .map((figure, index) => {
      const x = xOf(index)
      const isLast = index === shown.length - 1
      return (
        pill(
          figure.text,
          x,
          yOf(figure) - unit * 0.045,
          room * 1.25,
          unit * (isLast ? 0.058 : 0.044),
          isLast ? palette.accent : '#ffffff',
        ) +
        lettering(figure.label, x, area.bottom + unit * 0.06, {
          size: fittedSize(figure.label, room * 0.95, unit * 0.036),
          fill: '#ffffff',
          opacity: 0.92,
        })
      )
    })
    .join('')
  // Above the first figure, unless it reaches up there.
  const hasRoom = Math.abs(shown[0]!.value) / highest < 0.6
  const object =
    objects[0] && hasRoom && !isOpening
      ? objectMarkup(objects[0], area.left + unit * 0.12, area.top + unit * 0.04, unit * 0.2)
      : ''
  return veil(canvas, 0.62) + lines + marks + axis + labels + object
}

interface Area {
  left: number
  right: number
  top: number
  bottom: number
}

function curve(points: readonly (readonly [number, number])[], { bottom }: Area, { unit, palette }: Canvas): string {
  const [first, last] = [points[0]!, points.at(-1)!]
  const line = points.slice(1).reduce(
    (path, [x, y], index) => {
      const [fromX, fromY] = points[index]!
      const half = (fromX + x) / 2
      return `${path}C${round(half)} ${round(fromY)} ${round(half)} ${round(y)} ${round(x)} ${round(y)}`
    },
    `M${round(first[0])} ${round(first[1])}`,
  )
  const fill = gradient('area', [
    [0, palette.accent, 0.6],
    [1, palette.accent, 0.06],
  ])
  return `${fill}<path d="${line}L${round(last[0])} ${round(bottom)}H${round(first[0])}Z" fill="url(#area)"/><path d="${line}" fill="none" stroke="#ffffff" stroke-width="${round(unit * 0.014)}" stroke-linecap="round"/>${points.map(([x, y]) => disc(x, y, unit * 0.017, palette.accent)).join('')}`
}

function bars(
  figures: readonly PictureFigure[],
  xOf: (index: number) => number,
  yOf: (figure: PictureFigure) => number,
  { left, right, bottom }: Area,
  { unit, palette }: Canvas,
): string {
  const wide = Math.min(unit * 0.2, ((right - left) / figures.length) * 0.6)
  return figures
    .map((figure, index) =>
      roundedRect(
        xOf(index) - wide / 2,
        yOf(figure),
        wide,
        bottom - yOf(figure),
        index === figures.length - 1 ? palette.accent : mix(palette.far, '#ffffff', 0.35),
        unit * 0.016,
      ),
    )
    .join('')
}

/** A label on a rounded plate, centred on a point. */
export function pill(text: string, x: number, y: number, widthMax: number, sizeMax: number, fill: string): string {
  const size = fittedSize(text, widthMax - sizeMax, sizeMax)
  const wide = textWidth(text, size) + size * 1.1
  return (
    roundedRect(x - wide / 2, y - size * 0.85, wide, size * 1.7, fill, size * 0.85, 0.97) +
    lettering(text, x, y + size * 0.36, { size, fill: '#14121f' })
  )
}

/** Of the picture, for a figure: the camera moves closer and aside, and brings what is wider to the edge of the frame. */
const counterWidth = 0.62

/** One figure, as large as the picture allows, with its label below and an object above. */
export function counter({ figures = [], objects, isOpening }: PictureScene, canvas: Canvas): string {
  const { width, height, unit, palette } = canvas
  const { text, label } = figures[0]!
  const middle = width / 2
  const size = fittedSize(text, unit * counterWidth, unit * (isOpening ? 0.2 : 0.28))
  const baseline = height * 0.47
  const lines = wrapped(label, unit * 0.058, unit * counterWidth).slice(0, 2)
  const object = objects[0] && !isOpening ? objectMarkup(objects[0], middle, baseline - size * 0.85, unit * 0.36) : ''
  const rings = [0.56, 0.44].map((radius) => disc(middle, height * 0.38, unit * radius, palette.light, 0.1)).join('')
  return (
    veil(canvas, 0.6) +
    rings +
    object +
    lettering(text, middle, baseline, { size, fill: mix(palette.accent, '#ffffff', 0.5) }) +
    lines
      .map((line, index) =>
        lettering(line, middle, baseline + unit * (0.09 + 0.072 * index), {
          size: fittedSize(line, unit * counterWidth, unit * 0.058),
          fill: '#ffffff',
        }),
      )
      .join('')
  )
}

/** Dates along a line, from top to bottom. */
export function timeline({ figures = [], objects, isOpening }: PictureScene, canvas: Canvas): string {
  const { width, height, unit, palette } = canvas
  const shown = figures.slice(0, 4)
  const x = width / 2 - unit * 0.33
  const [top, bottom] = [height * (isOpening ? titleBottom : 0.22), height * 0.54]
  const yOf = (index: number) => top + ((bottom - top) * index) / Math.max(1, shown.length - 1)
  const rail = roundedRect(x - unit * 0.006, top, unit * 0.012, bottom - top, '#ffffff', unit * 0.006, 0.7)
  const events = shown
    .map((figure, index) => {
      const y = yOf(index)
      const size = fittedSize(figure.text, unit * 0.3, unit * 0.085)
      const lines = wrapped(figure.label, unit * 0.042, unit * 0.62).slice(0, 2)
      return (
        disc(x, y, unit * 0.034, '#ffffff') +
        disc(x, y, unit * 0.022, palette.accent) +
        lettering(figure.text, x + unit * 0.07, y + size * 0.2, {
          size,
          fill: mix(palette.accent, '#ffffff', 0.5),
          anchor: 'start',
        }) +
        lines
          .map((line, row) =>
            lettering(line, x + unit * 0.07, y + size * 0.2 + unit * (0.055 + 0.05 * row), {
              size: fittedSize(line, unit * 0.62, unit * 0.042),
              fill: '#ffffff',
              anchor: 'start',
            }),
          )
          .join('')
      )
    })
    .join('')
  const object = objects[0] ? objectMarkup(objects[0], width / 2 + unit * 0.29, top + unit * 0.16, unit * 0.26) : ''
  return veil(canvas, 0.66) + rail + events + object
}

/** Words on a card, with a quotation mark. */
export function quote({ text = '', objects }: PictureScene, canvas: Canvas): string {
  const { width, height, unit, palette } = canvas
  const wide = unit * 0.78
  const size = Math.min(unit * 0.078, unit * (1.9 / Math.sqrt(Math.max(16, text.length)) / 4))
  const lines = wrapped(text, size, wide - unit * 0.14)
  const tall = Math.max(unit * 0.34, lines.length * size * 1.32 + unit * 0.24)
  const top = height * 0.38 - tall / 2
  const left = (width - wide) / 2
  return (
    veil(canvas, 0.3) +
    roundedRect(left + unit * 0.012, top + unit * 0.018, wide, tall, '#000000', unit * 0.05, 0.3) +
    roundedRect(left, top, wide, tall, mix('#fffaf0', palette.light, 0.25), unit * 0.05) +
    lettering('“', left + unit * 0.12, top + unit * 0.2, { size: unit * 0.26, fill: palette.accent }) +
    lines
      .map((line, index) =>
        lettering(line, left + unit * 0.07, top + unit * 0.17 + size * (0.9 + 1.32 * index), {
          size,
          fill: '#1a1626',
          anchor: 'start',
        }),
      )
      .join('') +
    (objects[0] ? objectMarkup(objects[0], left + wide - unit * 0.12, top + unit * 0.1, unit * 0.22) : '')
  )
}
