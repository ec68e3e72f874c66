/** A place on the map: the land around it (assets/maps), a pin and its name. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { PictureScene } from '../../../domain/generation/picture-scene.ts'
import { type Canvas, type DrawingLayer, disc, glow, layer, mix, round, shadedBand } from '../drawing.ts'
import { pill } from './cards.ts'
import { objectMarkup } from './objects.ts'

type Ring = [longitude: number, latitude: number][]

let rings: Ring[] | undefined
function land(): Ring[] {
  rings ??= JSON.parse(readFileSync(createRequire(import.meta.url).resolve('#maps/land.json'), 'utf8')) as Ring[]
  return rings
}

/** Degrees of longitude across the shorter side. */
const degreesAcross = 44

export function mapLayers({ place, text = '', objects, isOpening }: PictureScene, canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, palette } = canvas
  const { latitude, longitude } = place!
  const scale = unit / degreesAcross
  // The title stands above.
  const [pinX, pinY] = [width / 2, height * (isOpening ? 0.46 : 0.42)]
  // Equirectangular, true to scale at the latitude of the place.
  const squeeze = Math.max(0.35, Math.cos((latitude * Math.PI) / 180))
  const project = ([east, north]: Ring[number], turn: number) =>
    `${round(pinX + (east + turn - longitude) * scale * squeeze)} ${round(pinY - (north - latitude) * scale)}`
  const [near, tone] = [mix('#8fcf9a', palette.far, 0.35), mix('#2f86b8', palette.sky[1], 0.35)]
  const sea = shadedBand(canvas, 0, height, [
    [0, mix(tone, '#ffffff', 0.18)],
    [1, mix(tone, '#02182b', 0.45)],
  ])
  // Once more on either side, for places near the date line.
  const outlines = [-360, 0, 360]
    .map((turn) =>
      land()
        .map((ring) => `M${ring.map((point) => project(point, turn)).join('L')}Z`)
        .join(''),
    )
    .join('')
  const coast = `<path d="${outlines}" fill="${near}" stroke="${mix(near, '#ffffff', 0.5)}" stroke-width="${round(unit * 0.004)}" stroke-linejoin="round"/>`
  const rippling = [0.15, 0.1, 0.055].map((radius) => disc(pinX, pinY, unit * radius, palette.accent, 0.22)).join('')
  const pin = objectMarkup('round-pushpin', pinX + unit * 0.02, pinY + unit * 0.01, unit * 0.16)
  const companion = objects[0]
    ? glow(
        'hero',
        pinX + unit * 0.26,
        pinY - unit * (isOpening ? 0.08 : 0.28),
        unit * (isOpening ? 0.16 : 0.26),
        '#ffffff',
        0.7,
      ) +
      objectMarkup(
        objects[0],
        pinX + unit * 0.26,
        pinY - unit * (isOpening ? 0 : 0.14),
        unit * (isOpening ? 0.17 : 0.28),
      )
    : ''
  const name = text ? pill(text, pinX, pinY + unit * 0.13, unit * 0.8, unit * 0.075, '#ffffff') : ''
  return [layer(sea + coast), layer(rippling + pin + name + companion)]
}
