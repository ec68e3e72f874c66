/** Shapes words of scripts whose letters change with their neighbours: they are set as SVG text, of which the outlines are taken. */
import { Resvg } from '@resvg/resvg-js'
import { directionOf, graphemes, limitCodePoints } from '../../../lib/render/captions/text-segmentation.ts'
import { concatOutlines, type Outline, outlineOf, readOutline } from '../../../lib/render/outline.ts'
import { escapeXml } from '../../../lib/render/slides/svg.ts'

const unitsPerEm = 1000
/** Invisible; between two of them marks run from right to left too, which SVG text otherwise takes for left to right. */
const rightToLeftMark = '\u200f'

/** The outlines of words in the font at `path`, whose family is `family` and whose weight is bold. */
export function createShaper(path: string, family: string): (text: string) => Outline {
  const set = memoize((text) => shape(limitCodePoints(text), path, family))
  const setSyllable = memoize((text) => measureSyllable(text, set))
  return memoize((text) => (devanagari.test(text) ? concatOutlines(graphemes(text).map(setSyllable)) : set(text)))
}

function memoize<Value>(make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    if (!known.has(text)) known.set(text, make(text))
    return known.get(text)!
  }
}

function shape(text: string, path: string, family: string): Outline {
  const mark = directionOf(text) === 'rtl' ? rightToLeftMark : ''
  const font = `font-family="${family}" font-weight="700" font-size="${unitsPerEm}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text ${font}>${mark}${escapeXml(text)}${mark}</text></svg>`
  const shaped = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [path] } }).toString()
  const paths = [...shaped.matchAll(/ d="([^"]*)"/g)].map(([, commands]) => commands)
  return readOutline(paths.join(' '), unitsPerEm)
}

const devanagari = /\p{Script=Devanagari}/u
const ka = 'क'
/** A mark that can end every syllable, and one that can follow anything else, with the number of their contours. */
const visarga = { sign: 'ः', contours: 3 }
const danda = { sign: '।', contours: 1 }

/**
 * The outline of a syllable with the width that it takes. resvg goes on by the widest glyph of a syllable and not by all of them, so that
 * vowels would lie under what follows. Within a syllable it is right: where a mark at its end begins tells how wide the rest is.
 */
function measureSyllable(text: string, set: (text: string) => Outline): { outline: Outline; width: number } {
  const { sign, contours } = devanagari.test(text) && /\p{L}/u.test(text) ? visarga : danda
  const partsOf = (letters: string) => splitContours(set(letters + sign), contours)
  const { rest, last } = partsOf(text)
  const [first, second] = [set(ka), set(ka + ka)]
  const widthOfKa = second.right - first.right
  return { outline: rest, width: last.left - partsOf(ka).last.left + widthOfKa }
}

/** An outline without its last contours, and those. */
function splitContours({ commands }: Outline, contours: number): { rest: Outline; last: Outline } {
  const begins = commands.flatMap(([command], index) => (command === 'M' ? index : []))
  const at = begins.at(-contours) ?? commands.length
  return { rest: outlineOf(commands.slice(0, at)), last: outlineOf(commands.slice(at)) }
}
