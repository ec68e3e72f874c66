/** Letters as they are read from the fonts, compared with SVG text in the same font. */
import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { describe, expect, it } from 'vitest'
import { fontWeightNames } from '../../lib/domain/records/theme.ts'
import { captionFamilies, captionFonts, type FontFile } from '../../lib/render/fonts.ts'
import { type Outline, readOutline } from '../../lib/render/outline.ts'
import { faceOf } from './compositions.ts'

const { resolve } = createRequire(import.meta.url)
const unitsPerEm = 1000

/** Of every script; many are composite glyphs. */
const sample = [...'Ag&8@%QÅéñçøőŽßǺằỡỆЖйΩάאשמرकथกด한뷁각今清龍國あガ「。']
const everyScript = '今日は 안녕 مرحبا שלום नमस्ते สวัสดี'
const fonts = new Map(
  [...captionFamilies.keys()]
    .flatMap((captionsFontFamily) =>
      fontWeightNames.flatMap((captionsFontWeight) =>
        captionFonts({ captionsFontFamily, captionsFontWeight }, everyScript),
      ),
    )
    .map((font) => [font.file, font]),
)

/** How SVG text names a font: its family, and the weight that its file is named after. */
function named({ file, name }: FontFile): string {
  const [, weight = '700', cut = 'Bold'] = /_(\d+)(\w+)\.ttf$/.exec(file) ?? []
  const family = name.endsWith(` ${cut}`) ? name.slice(0, -cut.length - 1) : name
  return `font-family="${family}" font-weight="${weight}" font-size="${unitsPerEm}"`
}

/** The non-empty outlines of letters in the font. */
function drawnBySvg(letters: string[], font: FontFile): Outline[] {
  const texts = letters.map((letter) => `<text ${named(font)}>${letter.replace('&', '&amp;')}</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${texts.join('')}</svg>`
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [resolve(font.file)] } }).toString()
  return [...drawn.matchAll(/ d="([^"]*)"/g)].map(([, path]) => readOutline(path!, unitsPerEm))
}

/**
 * Every line and curve with its start point, including those that close contours: a contour may start at any of its
 * points.
 */
function strokesOf({ commands }: Outline): number[][] {
  const strokes: number[][] = []
  let [begin, here]: number[][] = [[], []]
  const to = (...points: number[]) => {
    if (points.length > 2 || apart(points, here!) > tolerance) strokes.push([...here!, ...points])
    here = points.slice(-2)
  }
  for (const [command, ...points] of commands) {
    if (command !== 'M') to(...points)
    else {
      to(...begin!)
      begin = here = points
    }
  }
  to(...begin!)
  return strokes
}

/** In em. */
const tolerance = 0.001
const apart = (a: number[], b: number[]): number =>
  a.length === b.length ? Math.max(0, ...a.map((value, i) => Math.abs(value - b[i]!))) : Number.POSITIVE_INFINITY

function isSame(a: Outline, b: Outline): boolean {
  const [ours, theirs] = [strokesOf(a), strokesOf(b)]
  return ours.length === theirs.length && ours.every((one) => theirs.some((other) => apart(one, other) <= tolerance))
}

describe('the letters of every font', () => {
  it.each([...fonts.values()].map((font) => [font.name, font]))('%s are drawn as SVG text draws them', (_, font) => {
    const face = faceOf(font)
    const known = sample.filter((letter) => face.letter(letter.codePointAt(0)!).commands.length > 0)
    expect(known.length).toBeGreaterThanOrEqual(10)
    const expected = drawnBySvg(known, font)
    expect(expected).toHaveLength(known.length)
    const others = known.filter((letter, i) => !isSame(face.letter(letter.codePointAt(0)!), expected[i]!))
    expect(others).toEqual([])
  })
})

describe('a letter', () => {
  const [montserrat, , noto] = captionFonts({}, '한').map(faceOf)
  const letter = (character: string, face = montserrat!) => face.letter(character.codePointAt(0)!)

  it('is empty for a space, and for a character that the font lacks', () => {
    for (const character of [' ', '\u00a0', '日', '\u{1f600}']) expect(letter(character).commands).toEqual([])
  })
  it('is on the baseline, as high as its font defines', () => {
    const { left, right, top, bottom } = letter('H')
    expect(bottom).toBeCloseTo(0)
    expect(top).toBeCloseTo(-0.7)
    expect(left).toBeGreaterThan(0)
    expect(right).toBeLessThan(montserrat!.advance(72)!)
  })
  it('has all its components if it is composite', () => {
    const contours = ({ commands }: Outline) => commands.filter(([command]) => command === 'M').length
    expect(contours(letter('é'))).toBe(contours(letter('e')) + 1)
    expect(letter('é').top).toBeLessThan(letter('e').top)
    expect(contours(letter('각', noto))).toBeGreaterThanOrEqual(3)
  })
})
