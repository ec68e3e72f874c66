/** Draws a picture scene: objects over a ground, a chart, a card or a map, as layers of an illustration. */
import { sceneryObjects } from '../../../domain/generation/picture-grounds.ts'
import type { PictureScene } from '../../../domain/generation/picture-scene.ts'
import { type Canvas, type DrawingLayer, disc, glow, layer, mix, round, roundedRect } from '../drawing.ts'
import { chart, counter, quote, timeline } from './cards.ts'
import { floorOf, groundLayers } from './grounds.ts'
import { mapLayers } from './map.ts'
import { hasObject, objectMarkup } from './objects.ts'

/** Things that do not stand on the ground. */
const airborne =
  /(?:^|-)(?:bird|eagle|owl|dove|bat|butterfly|bee|honeybee|mosquito|airplane|rocket|balloon|parachute|helicopter|kite|saucer|satellite|cloud|sun|moon|star|comet|planet|globe|snowflake|drop|droplet|tornado|voltage|lightning|rainbow|fire|heart|sparkles|balloon|bulb|glass|key|gem|chart|coin|dollar|bag|mark|sign|warning|note|notes|bell|eye|ear|nose|brain|lungs|tooth|bone|dna|microbe|atom|infinity|arrow|hourglass|clock|watch|calendar|face|head)(?:-|$)/

/** Heads without a body and parts of a body: shown in a round frame, as they float anywhere else. */
const framed = new Set(
  `baby child boy girl man man-beard woman person old-man old-woman older-person student teacher judge cook farmer mechanic artist
  singer pilot scientist man-scientist woman-scientist technologist office-worker man-office-worker woman-office-worker health-worker
  man-health-worker woman-health-worker factory-worker construction-worker firefighter police-officer detective guard ninja prince princess
  person-with-crown person-with-veil person-in-tuxedo person-wearing-turban pregnant-woman breast-feeding person-facepalming
  person-shrugging person-raising-hand person-tipping-hand person-bowing person-gesturing-no person-gesturing-ok person-getting-haircut
  person-getting-massage baby-angel santa-claus person-mage person-superhero astronaut speaking-head bust-in-silhouette
  busts-in-silhouette eye eyes ear ear-with-hearing-aid nose mouth tongue tooth foot leg brain anatomical-heart lungs bone
  cat-face dog-face cow-face horse-face pig-face mouse-face rabbit-face tiger-face monkey-face wolf lion bear panda koala fox frog`.split(
    /\s+/,
  ),
)

/** The title ends here, as a share of the height; what stands below it keeps this distance from the top. */
const titleBottom = ({ width, height }: Canvas) => (width > height ? 0.3 : 0.36)

/**
 * Layers of a scene, the ground first. Objects keep away from the sides: the camera moves over a picture, and shows a
 * part of it.
 */
export function sceneLayers(scene: PictureScene, canvas: Canvas): DrawingLayer[] {
  const { layout } = scene
  if (layout === 'map' && scene.place) return mapLayers(scene, canvas)
  const ground = groundLayers(scene.ground, canvas)
  const figures = scene.figures ?? []
  if (layout === 'quote' && scene.text) return [...ground, layer(quote(scene, canvas))]
  if (layout === 'chart' && figures.length > 1) return [...ground, layer(chart(scene, canvas))]
  if (layout === 'timeline' && figures.length > 1) return [...ground, layer(timeline(scene, canvas))]
  if (layout === 'counter' && figures.length > 0) return [...ground, layer(counter(scene, canvas))]
  return [...ground, ...arrange(scene, canvas)]
}

interface Standing {
  id: string
  x: number
  bottom: number
  size: number
  turn?: number
}

function arrange(scene: PictureScene, canvas: Canvas): DrawingLayer[] {
  const { width, height, unit, between } = canvas
  const [first, second, third, ...rest] = scene.objects.filter(hasObject)
  if (!first) return []
  const floor = (floorOf(scene.ground) ?? 0.56) * height
  const middle = width / 2
  // Below a title everything is smaller, so that even what hangs in the air keeps clear of it.
  const highest = scene.layout === 'group' || scene.layout === 'chain' ? 0.58 : 0.54
  const scale = scene.isOpening ? Math.min(1, (floor - titleBottom(canvas) * height) / (highest * unit)) : 1
  const stand = (id: string, x: number, size: number, lift = 0): Standing => ({
    id,
    x: middle + (x - middle) * Math.max(0.8, scale),
    size: size * scale * unit,
    bottom: floor - lift * scale * unit,
    turn: 0,
  })
  switch (scene.layout) {
    case 'pair':
      if (!second) break
      return [
        layer(arrow(canvas, middle - unit * 0.1, middle + unit * 0.1, floor - unit * 0.24)),
        ...draw(scene, canvas, [stand(first, middle - unit * 0.23, 0.34), stand(second, middle + unit * 0.23, 0.34)]),
      ]
    case 'chain': {
      if (!second || !third) break
      const spots = [
        { x: middle - unit * 0.24, lift: 0.36 },
        { x: middle + unit * 0.24, lift: 0.24 },
        { x: middle - unit * 0.14, lift: 0 },
      ]
      return [
        layer(dottedPath(canvas, spots, floor)),
        ...draw(
          scene,
          canvas,
          [first, second, third].map((id, index) => stand(id, spots[index]!.x, 0.3, spots[index]!.lift)),
        ),
      ]
    }
    case 'ensemble': {
      const all = [first, second, third].filter((id) => id !== undefined)
      const spread = all.length > 2 ? 0.3 : 0.2
      return draw(
        scene,
        canvas,
        all.map((id, index) =>
          stand(
            id,
            middle + (index - (all.length - 1) / 2) * (all.length > 2 ? spread : 2 * spread) * unit,
            all.length > 2 ? 0.3 : 0.36,
            all.length > 2 && index === 1 ? 0.15 : 0,
          ),
        ),
      )
    }
    case 'group': {
      const others = [second, third, ...rest].filter((id) => id !== undefined).slice(0, 4)
      const around = others.map((id, index) => {
        const side = index % 2 ? 1 : -1
        return stand(id, middle + side * unit * between(0.28, 0.31), 0.2, index < 2 ? between(0.3, 0.36) : 0.02)
      })
      return draw(scene, canvas, [...around, stand(first, middle, 0.46)])
    }
    case 'crossedOut':
      return [...draw(scene, canvas, [stand(first, middle, 0.46)]), layer(strike(canvas, middle, floor - unit * 0.23))]
    case 'comparison':
      if (!second) break
      return comparison(canvas, first, second, floor)
  }
  const accents = [second, third].filter((id) => id !== undefined)
  const side = between(0, 1) < 0.5 ? -1 : 1
  const behind = accents.map((id, index) =>
    stand(id, middle + side * (index ? -1 : 1) * unit * between(0.28, 0.3), 0.21, between(0.02, 0.08)),
  )
  return draw(scene, canvas, [
    ...behind,
    stand(first, middle - side * unit * (accents.length === 1 ? 0.07 : 0), accents.length > 1 ? 0.44 : 0.52),
  ])
}

/** Objects with a light behind the most important one, which comes last, and shadows below those that stand. */
function draw(scene: PictureScene, canvas: Canvas, objects: readonly Standing[]): DrawingLayer[] {
  const { unit, palette } = canvas
  const hero = objects.at(-1)!
  const floats = floorOf(scene.ground) === null
  const light = glow(
    'hero',
    hero.x,
    hero.bottom - hero.size / 2,
    hero.size * 1.15,
    mix(palette.light, '#ffffff', 0.6),
    0.75,
  )
  const single = (object: Standing) => {
    if (object.id === 'hole' && scene.ground === 'space') return blackHole(object)
    if (framed.has(object.id)) return medallion(object, canvas)
    if (sceneryObjects.has(object.id)) return photograph(object)
    const isAirborne = floats || airborne.test(object.id)
    const bottom = object.bottom - (isAirborne && !floats ? unit * 0.06 : 0)
    const isLifted = object.bottom < hero.bottom - unit * 0.12
    const shadow = floats || isLifted ? '' : groundShadow(object, isAirborne)
    return shadow + objectMarkup(object.id, object.x, bottom, object.size, object.turn)
  }
  return [
    layer(light),
    ...objects.map((object, index) => layer(single(object), 0.008 + 0.012 * (index / objects.length))),
  ]
}

/** A dark disc in a glowing ring, seen from slightly above: in space, a hole is a black one. */
function blackHole({ x, bottom, size }: Standing): string {
  const y = bottom - size / 2
  const [radius, wide] = [size * 0.25, size * 0.56]
  const ring = (scale: number, colour: string, width: number) =>
    `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(wide * scale)}" ry="${round(wide * scale * 0.26)}" fill="none" stroke="${colour}" stroke-width="${round(size * width)}"/>`
  const front = (scale: number, colour: string, width: number) =>
    `<path d="M${round(x - wide * scale)} ${round(y)}A${round(wide * scale)} ${round(wide * scale * 0.26)} 0 0 0 ${round(x + wide * scale)} ${round(y)}" fill="none" stroke="${colour}" stroke-width="${round(size * width)}"/>`
  return (
    disc(x, y, radius * 1.5, '#ff9d42', 0.22) +
    disc(x, y, radius * 1.2, '#ffcf87', 0.9) +
    ring(1, '#ff8a3c', 0.05) +
    ring(0.86, '#ffd9a0', 0.06) +
    disc(x, y, radius, '#05060c') +
    front(1, '#ff8a3c', 0.05) +
    front(0.86, '#ffe6bf', 0.06)
  )
}

/** A round frame with an object inside, hung a little above the floor. */
function medallion({ id, x, bottom, size }: Standing, { unit, palette }: Canvas): string {
  const radius = size * 0.5
  const y = bottom - radius - unit * 0.015
  const paper = mix(mix(palette.light, '#ffffff', 0.55), palette.sky[2], 0.16)
  return (
    disc(x, y + size * 0.035, radius * 1.03, '#000000', 0.22) +
    disc(x, y, radius, '#ffffff') +
    disc(x, y, radius * 0.92, paper) +
    objectMarkup(id, x, y + size * 0.35, size * 0.7)
  )
}

/** A white frame around a drawing that is a picture itself. */
function photograph({ id, x, bottom, size }: Standing): string {
  const [left, top, edge] = [x - size * 0.47, bottom - size * 0.99, size * 0.94]
  return (
    roundedRect(left + size * 0.012, top + size * 0.03, edge, edge, '#000000', size * 0.03, 0.25) +
    roundedRect(left, top, edge, edge, '#ffffff', size * 0.03) +
    objectMarkup(id, x, bottom - size * 0.06, size * 0.92)
  )
}

function groundShadow({ x, bottom, size }: Standing, isAirborne: boolean): string {
  const [rx, ry] = isAirborne ? [size * 0.24, size * 0.035] : [size * 0.42, size * 0.06]
  return `<ellipse cx="${round(x)}" cy="${round(bottom - size * 0.02)}" rx="${round(rx)}" ry="${round(ry)}" fill="#000000" fill-opacity="${isAirborne ? 0.16 : 0.28}"/>`
}

/** A curved arrow from left to right. */
function arrow({ unit }: Canvas, from: number, to: number, y: number): string {
  const width = round(unit * 0.02)
  const rise = y - unit * 0.2
  const tip = unit * 0.045
  return (
    `<path d="M${round(from)} ${round(y - unit * 0.12)}Q${round((from + to) / 2)} ${round(rise)} ${round(to)} ${round(y - unit * 0.12)}" fill="none" stroke="#ffffff" stroke-width="${width}" stroke-linecap="round"/>` +
    `<path d="M${round(to - tip)} ${round(y - unit * 0.17)}L${round(to + tip * 0.25)} ${round(y - unit * 0.105)}L${round(to - tip * 1.25)} ${round(y - unit * 0.1)}Z" fill="#ffffff" stroke="#ffffff" stroke-width="${round(unit * 0.01)}" stroke-linejoin="round"/>`
  )
}

function dottedPath({ unit }: Canvas, spots: readonly { x: number; lift: number }[], floor: number): string {
  const points = spots.map(({ x, lift }) => `${round(x)} ${round(floor - unit * (lift + 0.15))}`)
  return `<path d="M${points.join('L')}" fill="none" stroke="#ffffff" stroke-width="${round(unit * 0.016)}" stroke-linecap="round" stroke-dasharray="0.1 ${round(unit * 0.036)}" stroke-opacity="0.95"/>`
}

/** A red ring with a bar. */
function strike({ unit }: Canvas, x: number, y: number): string {
  const radius = unit * 0.31
  const reach = radius * Math.SQRT1_2
  const stroke = `fill="none" stroke="#e5304b" stroke-width="${round(unit * 0.042)}" stroke-linecap="round"`
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" ${stroke}/><path d="M${round(x - reach)} ${round(y - reach)}L${round(x + reach)} ${round(y + reach)}" ${stroke}/>`
}

/** Two halves of the picture, one cool and one warm. */
function comparison(canvas: Canvas, left: string, right: string, floor: number): DrawingLayer[] {
  const { width, height, unit, palette } = canvas
  const edge = width * 0.06
  const panels =
    `<path d="M${round(-width)} 0H${round(width / 2 + edge)}L${round(width / 2 - edge)} ${round(height)}H${round(-width)}Z" fill="${mix('#2f6fd0', palette.sky[1], 0.3)}" fill-opacity="0.86"/>` +
    `<path d="M${round(2 * width)} 0H${round(width / 2 + edge)}L${round(width / 2 - edge)} ${round(height)}H${round(2 * width)}Z" fill="${mix('#f08a3c', palette.accent, 0.3)}" fill-opacity="0.86"/>` +
    `<path d="M${round(width / 2 + edge)} 0L${round(width / 2 - edge)} ${round(height)}" stroke="#ffffff" stroke-width="${round(unit * 0.014)}"/>`
  const object = (id: string, x: number) =>
    disc(x, floor - unit * 0.19, unit * 0.23, '#ffffff', 0.2) + objectMarkup(id, x, floor - unit * 0.02, unit * 0.34)
  return [
    layer(panels),
    layer(object(left, width / 2 - unit * 0.25), 0.008),
    layer(object(right, width / 2 + unit * 0.25), -0.008),
  ]
}
