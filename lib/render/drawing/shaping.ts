/**
 * Shapes words of complex scripts (Arabic, Devanagari and others): resvg sets them as SVG text, whose outlines are read
 * back.
 */
import { directionOf, graphemes, limitCodePoints } from '../captions/text-segmentation.ts'
import { memoize } from '../memoize.ts'
import { concatOutlines, type Outline, outlineOf, readOutline } from '../outline.ts'
import { escapeXml } from '../slides/svg.ts'

const unitsPerEm = 1000
/** Invisible. Between two of these, punctuation runs right to left too; SVG text alone takes it for left to right. */
const rightToLeftMark = '\u200f'

/** Converts the texts of an SVG document to paths, with one font and no other. */
export type TextToPaths = (svg: string) => string

/** Returns a memoised shaper for the bold font of this family, which `textToPaths` sets. */
export function createShaper(textToPaths: TextToPaths, family: string): (text: string) => Outline {
  const set = memoize((text: string) => shape(limitCodePoints(text), textToPaths, family))
  const setSyllable = memoize((text: string) => measureSyllable(text, set))
  return memoize((text: string) =>
    devanagari.test(text) ? concatOutlines(graphemes(text).map(setSyllable)) : set(text),
  )
}

function shape(text: string, textToPaths: TextToPaths, family: string): Outline {
  const mark = directionOf(text) === 'rtl' ? rightToLeftMark : ''
  const font = `font-family="${family}" font-weight="700" font-size="${unitsPerEm}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text ${font}>${mark}${escapeXml(text)}${mark}</text></svg>`
  const paths = [...textToPaths(svg).matchAll(/ d="([^"]*)"/g)].map(([, commands]) => commands)
  return readOutline(paths.join(' '), unitsPerEm)
}

const devanagari = /\p{Script=Devanagari}/u
const ka = 'क'
/** A sign that can end every syllable, and one that can follow any other text, with the number of their contours. */
const visarga = { sign: 'ः', contours: 3 }
const danda = { sign: '।', contours: 1 }

/**
 * The outline of a syllable with its advance width. resvg advances by the widest glyph of a syllable instead of their
 * sum, so vowels would overlap the next syllable. Positions within a syllable are right: the position of a sign
 * appended to it gives the width of the rest.
 */
function measureSyllable(text: string, set: (text: string) => Outline): { outline: Outline; width: number } {
  const { sign, contours } = devanagari.test(text) && /\p{L}/u.test(text) ? visarga : danda
  const split = (letters: string) => splitContours(set(letters + sign), contours)
  const { rest, last } = split(text)
  const [first, second] = [set(ka), set(ka + ka)]
  const widthOfKa = second.right - first.right
  return { outline: rest, width: last.left - split(ka).last.left + widthOfKa }
}

/** Splits off the last contours of an outline. */
function splitContours({ commands }: Outline, contours: number): { rest: Outline; last: Outline } {
  const begins = commands.flatMap(([command], index) => (command === 'M' ? index : []))
  const at = begins.at(-contours) ?? commands.length
  return { rest: outlineOf(commands.slice(0, at)), last: outlineOf(commands.slice(at)) }
}
