/**
 * Typesets text: breaks it into lines, in the largest size that fits its box. Measures with the same fonts that it is
 * drawn with.
 */
import type { Outline } from '../outline.ts'
import type { DrawingFont } from '../sprite.ts'
import type { FontFace } from '../truetype.ts'
import { normaliseWord } from './content.ts'

/** One cut of a font family, with its fallbacks. */
export interface Typeface {
  /** Its name in SVG. */
  family: string
  weight: number
  /** Its own face, then the fallbacks for missing characters. */
  faces: readonly FontFace[]
  /** The files of the faces, in the same order. */
  files: readonly DrawingFont[]
}

export interface TextStyle {
  typeface: Typeface
  /** In pixels. */
  sizeMax: number
  sizeMin: number
  /** In em. */
  lineHeight: number
  tracking: number
  linesMax: number
}

export interface TypesetWord {
  text: string
  x: number
  width: number
  emphasised: boolean
  /** Index of its word in the text. */
  index: number
}

export interface TypesetText {
  style: TextStyle
  size: number
  /** Words with x positions relative to the start of the line. */
  lines: { words: TypesetWord[]; width: number }[]
  width: number
  height: number
  /** Whether most of the text is right to left. */
  rightToLeft: boolean
  /** False when a word was split or text was truncated. */
  isWhole: boolean
}

interface Token extends Omit<TypesetWord, 'x'> {
  /** Whether a space precedes it. */
  spaced: boolean
}

const shrinkStep = 0.95
/** More than fits on any slide; the rest is ignored. */
const charactersMax = 5_000
/** Tokens, or letters of one token: more than fits on any line, unless they have no width because no face has them. */
const lineTokensMax = 200
const ellipsis = '…'
/** A character of a script without spaces, with any closing punctuation after it. */
const breakable = /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}][\p{Po}\p{Pe}\p{Pf}ー々]*)/u
/** Scripts with marks above and below their letters, and the line height in em that they need. */
const tallScripts = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/u
const tallLineHeight = 1.6
const rightToLeftLetters = /[\p{Script=Arabic}\p{Script=Hebrew}]/gu

export function typeset(
  text: string,
  emphasis: string,
  wanted: TextStyle,
  box: { width: number; height: number },
): TypesetText {
  const tokens = tokensOf(text, emphasis)
  const style = tallScripts.test(text) ? { ...wanted, lineHeight: Math.max(wanted.lineHeight, tallLineHeight) } : wanted
  const rightToLeft = (text.match(rightToLeftLetters)?.length ?? 0) > [...text].length / 3
  for (let size = style.sizeMax; ; size *= shrinkStep) {
    const isSmallest = size * shrinkStep < style.sizeMin
    const measured = measure(tokens, style, size)
    const pieces = isSmallest ? measured.flatMap((token) => cutToWidth(token, style, size, box.width)) : measured
    const linesMax = Math.max(1, Math.min(style.linesMax, Math.floor(box.height / (style.lineHeight * size))))
    const lines = wrapLines(pieces, style, size, box.width)
    const isWhole = lines.length <= linesMax && measured.every(({ width }) => width <= box.width)
    if (!isWhole && !isSmallest) continue
    const even = isWhole ? balanceLines(pieces, style, size, box.width) : lines
    const truncated = truncateLines(even, linesMax, style, size, box.width)
    return { ...positionLines(truncated, style, size, rightToLeft), rightToLeft, isWhole }
  }
}

/** Width of a text on one line. */
function widthOf(text: string, { typeface, tracking }: TextStyle, size: number): number {
  const outline = outlineIn(typeface, text)
  if (outline) return (Math.max(0, outline.right) - Math.min(0, outline.left)) * size
  let ems = 0
  for (const character of text) ems += advance(character, typeface) + tracking
  return ems * size
}

/** The shaped outline of a word in a complex script; undefined for a plain row of letters. */
export function outlineIn({ faces }: Typeface, text: string): Outline | undefined {
  const joined = faces.find((face) => face.outline && writes(face, text))
  return joined && !writes(faces[0]!, text) ? joined.outline!(text) : undefined
}

/** Whether a face has all letters of a text; punctuation and spaces are ignored. */
const writes = (face: FontFace, text: string) =>
  (text.match(/\p{L}/gu) ?? []).every((letter) => face.advance(letter.codePointAt(0)!) !== undefined)

const advance = (character: string, { faces }: Typeface): number => {
  for (const face of faces) {
    const width = face.advance(character.codePointAt(0)!)
    if (width !== undefined) return width
  }
  return 0
}

function tokensOf(text: string, emphasis: string): Omit<Token, 'width'>[] {
  const words = text
    .slice(0, charactersMax)
    .replace(/[\ud800-\udbff]$/, '')
    .normalize('NFC')
    // Control characters and noncharacters cannot be drawn.
    .split(/[\s\p{Cc}\p{Noncharacter_Code_Point}]+/u)
    .filter(Boolean)
  const wanted = emphasis.split(/\s+/).map(normaliseWord).filter(Boolean)
  const at = wanted.length === 0 ? -1 : indexOfRun(words.map(normaliseWord), wanted)
  return words.flatMap((word, index) => {
    const emphasised = at >= 0 && index >= at && index < at + wanted.length
    const parts = word.split(breakable).filter(Boolean)
    return parts.map((part, position) => ({ text: part, emphasised, index, spaced: position === 0 }))
  })
}

/** The index of the first run of these words. As texts, since word by word a run that nearly matches everywhere takes quadratic time. */
function indexOfRun(words: readonly string[], run: readonly string[]): number {
  const text = ` ${words.join(' ')} `
  const found = text.indexOf(` ${run.join(' ')} `)
  return found < 0 ? -1 : text.slice(0, found).split(' ').length - 1
}

const measure = (tokens: readonly Omit<Token, 'width'>[], style: TextStyle, size: number): Token[] =>
  tokens.map((token) => ({ ...token, width: widthOf(token.text, style, size) }))

/** Splits a word that is wider than a line. */
function cutToWidth(token: Token, style: TextStyle, size: number, width: number): Token[] {
  if (token.width <= width) return [token]
  const pieces: string[] = []
  for (const character of token.text) {
    const longer = (pieces.at(-1) ?? '') + character
    const hasRoom = pieces.length > 0 && longer.length <= lineTokensMax && widthOf(longer, style, size) <= width
    if (hasRoom) pieces[pieces.length - 1] = longer
    else pieces.push(character)
  }
  return pieces.map((text, i) => ({
    ...token,
    text,
    spaced: i === 0 && token.spaced,
    width: widthOf(text, style, size),
  }))
}

const spaceWidth = (style: TextStyle, size: number) => widthOf(' ', style, size) || 0.26 * size

const lineWidth = (line: readonly Token[], style: TextStyle, size: number) => {
  const space = spaceWidth(style, size)
  return line.reduce((sum, token, i) => extendedBy(token, sum, i === 0, space), 0)
}

/** The width of a line with one more token. */
const extendedBy = ({ width, spaced }: Token, lineWidth: number, isFirst: boolean, space: number) =>
  lineWidth + width + (!isFirst && spaced ? space : 0)

/** Minimum number of lines, then minimum sum of squared free space, by dynamic programming from the last word. */
function balanceLines(tokens: readonly Token[], style: TextStyle, size: number, width: number): Token[][] {
  const space = spaceWidth(style, size)
  const best: { lines: number; waste: number; take: number }[] = []
  best[tokens.length] = { lines: 0, waste: 0, take: 0 }
  for (let from = tokens.length - 1; from >= 0; from--) {
    let taken = 0
    for (let take = 1; take <= Math.min(lineTokensMax, tokens.length - from); take++) {
      taken = extendedBy(tokens[from + take - 1]!, taken, take === 1, space)
      const free = width - taken
      if (free < 0 && take > 1) break
      const rest = best[from + take]!
      const choice = { lines: rest.lines + 1, waste: rest.waste + free ** 2, take }
      const known = best[from]
      const isBetter =
        !known || choice.lines < known.lines || (choice.lines === known.lines && choice.waste < known.waste)
      if (isBetter) best[from] = choice
    }
  }
  const lines: Token[][] = []
  for (let from = 0; from < tokens.length; from += best[from]!.take)
    lines.push(tokens.slice(from, from + best[from]!.take))
  return lines
}

/** Greedy line wrapping. */
function wrapLines(tokens: readonly Token[], style: TextStyle, size: number, width: number): Token[][] {
  const space = spaceWidth(style, size)
  const lines: Token[][] = []
  let filled = 0
  for (const token of tokens) {
    const line = lines.at(-1)
    const longer = extendedBy(token, filled, false, space)
    const hasRoom = line && line.length < lineTokensMax && longer <= width
    if (hasRoom) line.push(token)
    else lines.push([token])
    filled = hasRoom ? longer : token.width
  }
  return lines
}

/** The lines that fit; the last one gets an ellipsis. */
function truncateLines(lines: Token[][], linesMax: number, style: TextStyle, size: number, width: number): Token[][] {
  if (lines.length <= linesMax) return lines
  const truncated = lines.slice(0, linesMax)
  const lastLine = [...truncated.at(-1)!]
  const room = width - widthOf(ellipsis, style, size)
  while (lastLine.length > 1 && lineWidth(lastLine, style, size) > room) lastLine.pop()
  const end = lastLine.at(-1)!
  let text = end.text.replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '')
  const before = lineWidth(lastLine, style, size) - end.width
  while (text.length > 1 && before + widthOf(text, style, size) > room) text = [...text].slice(0, -1).join('')
  lastLine[lastLine.length - 1] = { ...end, text: text + ellipsis, width: widthOf(text + ellipsis, style, size) }
  return [...truncated.slice(0, -1), lastLine]
}

function positionLines(lines: Token[][], style: TextStyle, size: number, rightToLeft: boolean) {
  const rows = lines.map((line) => {
    const width = lineWidth(line, style, size)
    let x = 0
    const words = line.map(({ spaced, ...word }, i): TypesetWord => {
      if (i > 0 && spaced) x += spaceWidth(style, size)
      const from = x
      x += word.width
      return { ...word, x: rightToLeft ? width - x : from }
    })
    return { words, width }
  })
  const width = Math.max(0, ...rows.map((row) => row.width))
  return { style, size, lines: rows, width, height: rows.length * style.lineHeight * size }
}
