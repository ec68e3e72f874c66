/** Splits caption text before layout: the font of each word, its break opportunities and its direction. */
import { extractKeywords } from '../../domain/generation/keywords.ts'
import type { CompositionPage } from '../composition.ts'
import type { Outline } from '../outline.ts'
import type { FontFace } from '../truetype.ts'
import { safeArea } from './safe-areas.ts'
import type { CaptionStyle } from './style.ts'

/** A word, or a part of one in scripts without spaces. Times are those of the video. */
export interface Piece {
  text: string
  face: FontFace
  /** Set when the face shapes words as a whole. */
  outline?: Outline
  /** Sum of the advances in em without letter spacing, or the width of the outline. */
  advance: number
  /** Start of its speech, and of that of the next piece. */
  startMs: number
  endMs: number
  /** Index of its word on the page. */
  wordIndex: number
  /** No space precedes it. */
  isJoined: boolean
  direction: Direction
}

/** Reading direction of a word or a page. */
export type Direction = 'rtl' | 'ltr'

/** Scripts without spaces between words. */
const unspacedScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const beginsUnspaced = new RegExp(`^\\P{L}*${unspacedScripts.source}`, 'u')
/** Vowel signs of Thai are no letters: a sign after the last one starts anew, so that each is read once. */
const endsUnspaced = new RegExp(`${unspacedScripts.source}(?:(?!${unspacedScripts.source})\\P{L})*$`, 'u')
const opening = /^[\p{Ps}\p{Pi}]+$/u
const wordsIn = new Intl.Segmenter('en', { granularity: 'word' })
const charactersIn = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** User-perceived characters, including accents and vowel signs. */
export const graphemes = (text: string): string[] => [...charactersIn.segment(text)].map(({ segment }) => segment)

/** More code points than any real character has. The shaper of resvg crashes the process at about 256. */
const codePointsMax = 32

/** Truncates each character to that many code points. */
export const limitCodePoints = (text: string): string =>
  text.length <= codePointsMax
    ? text
    : graphemes(text)
        .map((character) => [...character].slice(0, codePointsMax).join(''))
        .join('')

/** A longer word would be illegible and take seconds to draw. */
const lettersMax = 200
const withinLetters = (text: string): string =>
  text.length <= lettersMax ? text : graphemes(text).slice(0, lettersMax).join('')

/** The pieces of a page in spoken order; words without any known character are left out. */
export function piecesOf(page: CompositionPage, style: CaptionStyle, faces: FontFace[]): Piece[] {
  let direction = directionOfPage(page)
  const drawn = page.words.flatMap((word, wordIndex) => {
    const written = faceOf(transformCase(normalise(word.punctuated_word), style.textTransform), faces)
    return written.text === '' ? [] : [{ word, wordIndex, written }]
  })
  return drawn.flatMap(({ word, wordIndex, written: { text: whole, face } }, at) => {
    // A word without any character that is drawn, such as an emoji, leaves its time to the one before it.
    const nextMs = drawn[at + 1]?.word.startMs ?? page.endMs
    // Numbers and punctuation take the direction of the previous word.
    direction = directionOf(whole) ?? direction
    const before = page.words[wordIndex - 1]?.punctuated_word ?? ''
    const spokenMs = Math.min(word.endMs, nextMs) - word.startMs
    let characters = 0
    const timeHere = () => Math.round(word.startMs + (spokenMs * characters) / whole.length)
    const pieces = splitWord(whole, face, style).map((text, index): Piece => {
      const startMs = timeHere()
      characters += text.length
      const isJoined = index > 0 || (endsUnspaced.test(before) && beginsUnspaced.test(text))
      return { ...measureText(withinLetters(text), face), startMs, endMs: timeHere(), wordIndex, isJoined, direction }
    })
    pieces.at(-1)!.endMs = nextMs
    return pieces
  })
}

/** NFC, without control characters, which no font has. */
const normalise = (word: string) =>
  word
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()

export function transformCase(text: string, how: CaptionStyle['textTransform']): string {
  // Greek capitals drop their accents, by the rules of the Greek locale only.
  if (how === 'uppercase') return text.toLocaleUpperCase(/\p{Script=Greek}/u.test(text) ? 'el' : 'en')
  if (how === 'lowercase') return text.toLowerCase()
  if (how === 'capitalize') return text.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  return text
}

/** The first face with the most of the characters, and the text without its missing ones. */
function faceOf(text: string, faces: FontFace[]): { text: string; face: FontFace } {
  const characters = [...text]
  const known = (face: FontFace) =>
    characters.filter((character) => face.advance(character.codePointAt(0)!) !== undefined)
  const face = faces.reduce((best, other) => (known(other).length > known(best).length ? other : best))
  return { face, text: known(face).join('').trim() }
}

/**
 * Splits a text at its break opportunities. Closing punctuation never starts a line, opening punctuation never ends
 * one.
 */
function splitText(text: string): string[] {
  if (!unspacedScripts.test(text)) return [text]
  const parts: string[] = []
  for (const { segment, isWordLike } of wordsIn.segment(text)) {
    const last = parts.at(-1)
    const belongsToLast = last !== undefined && (opening.test(last) || (!isWordLike && !opening.test(segment)))
    if (belongsToLast) parts[parts.length - 1] = last + segment
    else parts.push(segment)
  }
  return parts
}

/** From its first character to its last: no blanks, and letters or digits on both sides of a dot, a slash or an at sign. */
const address = /^(?=\S+$)\S*?[\p{L}\p{N}][./@][\p{L}\p{N}]/u

/** Splits an address that is too long for a line after its dots, slashes and at signs. One by one, a word stays whole. */
function splitWord(whole: string, face: FontFace, style: CaptionStyle): string[] {
  const { left, right } = safeArea(style.size)
  const isTooLong = () => measureText(whole, face).advance * style.fontPx > right - left
  if (style.layoutMode !== 'wrap' || unspacedScripts.test(whole) || !address.test(whole) || !isTooLong())
    return splitText(whole)
  return whole.split(/(?<=[\p{L}\p{N}][./@]|[/@])(?=[\p{L}\p{N}])/u)
}

interface Screen {
  startMs: number
  endMs: number
  pieces: Piece[]
}

/** In em: the most that is shown at a time of a script without spaces, where a whole sentence may be one word. */
const screenMax = 24
const endsClause = /\p{P}$/u

/**
 * Groups the pieces that are shown together: the whole page, one word in word mode, or a part of a long text without
 * spaces.
 */
export function screensOf(page: CompositionPage, pieces: Piece[], { layoutMode }: CaptionStyle): Screen[] {
  const groups = layoutMode === 'word' ? pieces.map((piece) => [piece]) : splitIntoScreens(pieces)
  return groups.map((group, index) => {
    const isWhole = groups.length === 1 && layoutMode !== 'word'
    const [first, last] = [group[0]!, group.at(-1)!]
    return {
      pieces: group,
      startMs: isWhole || index === 0 ? page.startMs : first.startMs,
      endMs: isWhole ? page.endMs : last.endMs,
    }
  })
}

/** Parts of about equal length, preferably split after a clause. */
function splitIntoScreens(pieces: Piece[]): Piece[][] {
  const total = pieces.reduce((sum, { advance }) => sum + advance, 0)
  if (total <= screenMax || !pieces.some(({ isJoined }) => isJoined)) return [pieces]
  const share = total / Math.ceil(total / screenMax)
  const groups: Piece[][] = [[]]
  let filled = 0
  for (const piece of pieces) {
    const before = groups.at(-1)!.at(-1)
    const isFull =
      filled + piece.advance > 1.15 * share || (filled > 0.6 * share && before && endsClause.test(before.text))
    if (before && isFull) {
      groups.push([])
      filled = 0
    }
    groups.at(-1)!.push(piece)
    filled += piece.advance
  }
  return groups
}

/** A text with its advance width in em. */
export function measureText(text: string, face: FontFace): Pick<Piece, 'text' | 'face' | 'advance' | 'outline'> {
  const outline = face.outline?.(text)
  if (outline) return { text, face, outline, advance: outline.right - outline.left }
  const advance = [...text].reduce((sum, character) => sum + (face.advance(character.codePointAt(0)!) ?? 0), 0)
  return { text, face, advance }
}

/** The keyword of a text: the longest word that is not a stop word. Combining marks do not split words. */
export const keywordOf = (text: string): string | undefined => extractKeywords(text.replace(/\p{M}/gu, ''), 1)[0]

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** The direction of a text by its first letter; undefined without letters. */
export function directionOf(text: string): Direction | undefined {
  const letter = text.match(/\p{L}/u)?.[0]
  if (letter === undefined) return undefined
  return rightToLeft.test(letter) ? 'rtl' : 'ltr'
}

/** The direction of a page is that of its first word with letters. */
export const directionOfPage = ({ words }: CompositionPage): Direction =>
  directionOf(words.map(({ punctuated_word }) => punctuated_word).join(' ')) ?? 'ltr'

/**
 * The pieces of a line from left to right. Runs of the opposite direction keep their internal order (Unicode Annex 9,
 * by whole words).
 */
export function visualOrder(line: Piece[], page: Direction): Piece[] {
  const runs: Piece[][] = []
  for (const piece of line) {
    const last = runs.at(-1)
    if (last && last[0]!.direction === piece.direction) last.push(piece)
    else runs.push([piece])
  }
  const shown = runs.map((run) => (run[0]!.direction === 'rtl' ? run.toReversed() : run))
  return (page === 'rtl' ? shown.toReversed() : shown).flat()
}
