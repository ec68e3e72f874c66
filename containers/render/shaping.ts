/**
 * Shapes words of scripts whose letters change with their neighbours. Not every build of libass can (the one that npm installs cannot
 * join Devanagari), so words are set as SVG text, and their outlines are drawn instead of their letters.
 */
import { Resvg } from '@resvg/resvg-js'
import { type Outline, readOutline } from '../../lib/render/caption-outline.ts'
import { directionOf } from '../../lib/render/caption-script.ts'

const unitsPerEm = 1000
/** Invisible; between two of them marks run from right to left too, which SVG text otherwise takes for left to right. */
const rightToLeftMark = '\u200f'

/** The outlines of words in the font at `path`, whose family is `family` and whose weight is bold. */
export function outlinesOf(path: string, family: string): (text: string) => Outline {
  const known = new Map<string, Outline>()
  return (text) => {
    if (!known.has(text)) known.set(text, shape(text, path, family))
    return known.get(text)!
  }
}

function shape(text: string, path: string, family: string): Outline {
  const mark = directionOf(text) === 'rtl' ? rightToLeftMark : ''
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const font = `font-family="${family}" font-weight="700" font-size="${unitsPerEm}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text ${font}>${mark}${escaped}${mark}</text></svg>`
  const shaped = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [path] } }).toString()
  const paths = [...shaped.matchAll(/ d="([^"]*)"/g)].map(([, commands]) => commands)
  return readOutline(paths.join(' '), unitsPerEm)
}
