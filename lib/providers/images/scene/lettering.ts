/** Lettering of pictures: SVG text in the fonts of captions, fitted by an estimate of its width. */
import { createRequire } from 'node:module'
import { captionFonts } from '../../../render/fonts.ts'
import { round } from '../drawing.ts'

const theme = { captionsFontFamily: 'Inter', captionsFontWeight: 'extrabold' }
const family = 'Inter'

/** The font files that a text needs. */
export function fontFilesFor(text: string): string[] {
  const { resolve } = createRequire(import.meta.url)
  return captionFonts(theme, text).map(({ file }) => resolve(file))
}

/** Widths of Inter in ems, by the kind of character: close enough to fit a line. */
function widthOf(text: string): number {
  let ems = 0
  for (const character of text)
    ems += /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)
      ? 1
      : /[MWmw%@]/.test(character)
        ? 0.92
        : /[ilj.,:;'’!| ]/.test(character)
          ? 0.31
          : /[A-Z]/.test(character)
            ? 0.72
            : 0.62
  return ems
}

/** The largest size up to `sizeMax` at which the text is at most `width` wide. */
export const fittedSize = (text: string, width: number, sizeMax: number): number =>
  Math.min(sizeMax, width / Math.max(0.1, widthOf(text)))

export const textWidth = (text: string, size: number): number => widthOf(text) * size

interface LetteringStyle {
  size: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  opacity?: number
}

/** One line of text with its baseline at `y`. */
export function lettering(
  text: string,
  x: number,
  y: number,
  { size, fill, anchor = 'middle', opacity = 1 }: LetteringStyle,
) {
  return `<text x="${round(x)}" y="${round(y)}" font-family="${family}" font-weight="800" font-size="${round(size)}" text-anchor="${anchor}" fill="${fill}" fill-opacity="${opacity}">${escaped(text)}</text>`
}

const escaped = (text: string) => text.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark]!)

/** Lines of at most `width`, broken between words. */
export function wrapped(text: string, size: number, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const line = lines.at(-1)
    if (line !== undefined && textWidth(`${line} ${word}`, size) <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
