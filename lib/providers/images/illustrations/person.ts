/** Illustrations of a person facing the camera: head and shoulders in front of a wall, in the colours of the video. */
import { type Canvas, type DrawingLayer, glow, layer, mix, round, roundedRect, shadedBand } from '../drawing.ts'

const skins = ['#f6d3b8', '#eabf98', '#c98f63', '#9a6440', '#6d4429']
const hairs = ['#2a1d18', '#4a2f20', '#7a4a28', '#b98447', '#3a3a40']

/** Features in which the faces differ. */
interface Person {
  skin: string
  shade: string
  hair: string
  cloth: string
  hasGlasses: boolean
}

export const woman = (canvas: Canvas): DrawingLayer[] => portrait(canvas, longHair)
export const man = (canvas: Canvas): DrawingLayer[] => portrait(canvas, shortHair)

/** Drawn `behind` and `over` the head; points are fractions of the shorter side, relative to the middle of the face. */
interface Hair {
  behind: string
  over: string
}

const longHair: Hair = {
  behind:
    'M-.19 -.02C-.215 -.24 -.12 -.305 0 -.305C.12 -.305 .215 -.24 .19 -.02C.2 .12 .225 .23 .215 .335C.13 .4 -.13 .4 -.215 .335C-.225 .23 -.2 .12 -.19 -.02Z',
  over: 'M-.165 .03C-.205 -.2 -.13 -.29 .01 -.29C.15 -.29 .2 -.19 .168 .04C.165 -.05 .14 -.12 .07 -.165C.0 -.12 -.1 -.115 -.135 -.085C-.155 -.05 -.16 -.02 -.165 .03Z',
}
const shortHair: Hair = {
  behind: 'M-.172 .0C-.2 -.2 -.13 -.275 0 -.275C.13 -.275 .2 -.2 .172 .0Z',
  over: 'M-.165 -.005C-.2 -.19 -.14 -.29 -.02 -.29C.02 -.315 .19 -.285 .168 .0C.16 -.05 .155 -.09 .135 -.125C.06 -.115 -.04 -.12 -.11 -.15C-.145 -.11 -.155 -.06 -.165 -.005Z',
}

function portrait(canvas: Canvas, hair: Hair): DrawingLayer[] {
  const { width, height, unit, palette, random } = canvas
  const pick = (colours: readonly string[]) => colours[Math.floor(random() * colours.length)]!
  const skin = pick(skins)
  const person: Person = {
    skin,
    shade: mix(skin, '#5a2410', 0.22),
    hair: pick(hairs),
    cloth: mix(palette.accent, palette.near, 0.25 + 0.35 * random()),
    hasGlasses: random() < 0.3,
  }
  // A wide picture shows more of the room; all of them show the shoulders.
  const size = unit * (height > width * 1.2 ? 1.05 : 0.95)
  const [x, y] = [width / 2, height > width * 1.2 ? height * 0.42 : height * 0.44]
  const at = (markup: string) => `<g transform="translate(${round(x)} ${round(y)}) scale(${round(size)})">${markup}</g>`
  const { hasGlasses } = person
  const face = { x, y, size: round(size), skin, lash: lashOf(person), hasGlasses }
  return [layer(wall(canvas, x, y)), { ...layer(at(head(person, hair)), 0.004), face }]
}

/** A wall with light from one side, and blurred objects on a shelf. */
function wall(canvas: Canvas, x: number, y: number): string {
  const { width, height, unit, palette, random } = canvas
  const side = random() < 0.5 ? -1 : 1
  const light = mix(palette.sky[2], palette.light, 0.45)
  const dark = mix(palette.sky[1], palette.far, 0.4)
  const pale = (colour: string) => mix(colour, light, 0.55)
  const board = y - unit * 0.36
  const books = Array.from({ length: 5 }, (_, index) => {
    const tall = unit * (0.11 + 0.06 * random())
    const left = x - side * unit * 0.47 + (index - 2) * unit * 0.043
    const colour = [palette.accent, palette.far, palette.sky[1], palette.light, palette.near][index]!
    return roundedRect(left, board - tall, unit * 0.036, tall, pale(colour), unit * 0.006)
  }).join('')
  const leaves = [-34, -12, 10, 32].map(
    (turn) =>
      `<ellipse cx="${round(x + side * unit * 0.42)}" cy="${round(board - unit * 0.13)}" rx="${round(unit * 0.024)}" ry="${round(unit * 0.08)}" fill="${pale(mix('#2f7d4f', palette.far, 0.3))}" transform="rotate(${turn} ${round(x + side * unit * 0.42)} ${round(board - unit * 0.06)})"/>`,
  )
  return (
    shadedBand(canvas, -height * 0.1, height * 1.2, [
      [0, light],
      [1, dark],
    ]) +
    glow('window', x + side * width * 0.6, y - unit * 0.7, unit * 1.1, palette.light, 0.8) +
    roundedRect(x - width * 0.7, board, width * 1.4, unit * 0.022, pale(palette.near)) +
    books +
    leaves.join('') +
    roundedRect(
      x + side * unit * 0.42 - unit * 0.045,
      board - unit * 0.085,
      unit * 0.09,
      unit * 0.085,
      pale(palette.accent),
      unit * 0.014,
    )
  )
}

const lashOf = ({ hair }: Pick<Person, 'hair'>) => mix(hair, '#000000', 0.35)

/** Units: fractions of the shorter side; the middle of the face is at 0, 0. */
function head({ skin, shade, hair, cloth, hasGlasses }: Person, shape: Hair): string {
  const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
  const line = (d: string, colour: string, width: number) =>
    `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`
  const oval = (x: number, y: number, rx: number, ry: number, fill: string, opacity = 1) =>
    `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" fill-opacity="${opacity}"/>`
  const both = (draw: (side: 1 | -1) => string) => draw(-1) + draw(1)
  const dark = lashOf({ hair })
  const seam = mix(cloth, '#000000', 0.22)
  const shoulders =
    path(
      'M-.46 1.6C-.46 .62 -.43 .47 -.3 .405C-.2 .36 -.1 .35 -.07 .3L.07 .3C.1 .35 .2 .36 .3 .405C.43 .47 .46 .62 .46 1.6Z',
      cloth,
    ) +
    line('M-.29 .62C-.3 .75 -.3 .9 -.29 1.6', seam, 0.008) +
    line('M.29 .62C.3 .75 .3 .9 .29 1.6', seam, 0.008)
  const neck =
    path('M-.075 .12L-.078 .315C-.05 .385 .05 .385 .078 .315L.075 .12Z', skin) +
    path('M-.075 .15C-.04 .235 .04 .235 .075 .15L.076 .2C.04 .265 -.04 .265 -.076 .2Z', shade) +
    line('M-.1 .335C-.06 .43 .06 .43 .1 .335', seam, 0.022)
  const ears = both((side) => oval(side * 0.157, 0.012, 0.024, 0.038, shade))
  const face =
    path(
      'M-.155 -.06C-.16 -.2 -.09 -.23 0 -.23C.09 -.23 .16 -.2 .155 -.06C.158 .06 .135 .12 .085 .17C.05 .205 -.05 .205 -.085 .17C-.135 .12 -.158 .06 -.155 -.06Z',
      skin,
    ) + both((side) => oval(side * 0.092, 0.068, 0.032, 0.024, '#e2604a', 0.16))
  const eyes = both(
    (side) =>
      oval(side * 0.066, -0.008, 0.0265, 0.0175, '#ffffff') +
      oval(side * 0.064, -0.006, 0.0125, 0.0135, '#3d2a20') +
      oval(side * 0.064 + 0.004, -0.011, 0.0038, 0.0038, '#ffffff') +
      line(`M${side * 0.037} -.017C${side * 0.05} -.032 ${side * 0.085} -.032 ${side * 0.097} -.012`, dark, 0.006) +
      line(`M${side * 0.034} -.06C${side * 0.055} -.076 ${side * 0.085} -.074 ${side * 0.104} -.056`, dark, 0.011),
  )
  const nose = line('M.004 -.005C.014 .03 .018 .045 .004 .056C-.006 .06 -.014 .058 -.018 .053', shade, 0.007)
  const mouth =
    path('M-.056 .098C-.03 .104 .03 .104 .056 .098C.04 .146 -.04 .146 -.056 .098Z', '#7c2a2a') +
    path('M-.046 .101C-.025 .105 .025 .105 .046 .101C.036 .115 -.036 .115 -.046 .101Z', '#ffffff') +
    line('M-.062 .096C-.03 .104 .03 .104 .062 .096', mix(skin, '#a03030', 0.55), 0.006)
  const glasses = hasGlasses
    ? both(
        (side) =>
          `<rect x="${side * 0.066 - 0.043}" y="-.045" width=".086" height=".07" rx=".024" fill="#ffffff" fill-opacity=".12" stroke="#22252b" stroke-width=".007"/>`,
      ) + line('M-.023 -.018C-.01 -.026 .01 -.026 .023 -.018', '#22252b', 0.007)
    : ''
  return (
    path(shape.behind, dark) +
    `<g transform="translate(0 -.055)">${shoulders + neck}</g>` +
    ears +
    face +
    eyes +
    nose +
    mouth +
    glasses +
    path(shape.over, hair)
  )
}
