/** Edits of captions. A page shows the words that start within it. */
import type { CaptionPage, CaptionWord } from '../../lib/domain/generation/captions/captions.ts'
import { wordsBetween } from '../../lib/domain/generation/captions/captions.ts'
import type { EditorDocument } from './document.ts'

type Captions = Pick<EditorDocument, 'captions' | 'captionsPages'>

/** As short as a word can be and still be clicked and read. */
export const wordMsMin = 40

export const wordsOf = ({ captions }: Captions, { startMs, endMs }: CaptionPage): CaptionWord[] =>
  wordsBetween(captions, startMs, endMs)

/** Lower case, without punctuation at its ends: what search and emoji match. */
const plain = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}](?:.*[\p{L}\p{N}])?\p{M}*/su)?.[0] ?? ''

const withWord = <Edited extends Captions>(
  document: Edited,
  id: string,
  change: (word: CaptionWord) => CaptionWord,
): Edited => ({
  ...document,
  captions: document.captions.map((word) => (word.id === id ? change(word) : word)),
})

/** A word without text is removed; one with spaces is divided into words that share its time. */
export function editWord<Edited extends Captions>(document: Edited, id: string, text: string): Edited {
  const texts = text.trim().split(/\s+/).filter(Boolean)
  if (texts.length === 1)
    return withWord(document, id, (word) => ({ ...word, text: plain(texts[0]!), punctuated_word: texts[0]! }))
  return {
    ...document,
    captions: document.captions.flatMap((word) => {
      if (word.id !== id) return [word]
      const { startMs, endMs } = word
      const at = (index: number) => Math.round(startMs + ((endMs - startMs) * index) / texts.length)
      return texts.map((punctuated_word, index) => ({
        ...word,
        ...{ id: index === 0 ? id : newId('cap'), text: plain(punctuated_word), punctuated_word },
        ...{ startMs: at(index), endMs: at(index + 1) },
      }))
    }),
  }
}

/** Keeps a word after the one before and before the one after. Its page follows it, so that it stays on it. */
export function retimeWord<Edited extends Captions>(
  document: Edited,
  id: string,
  span: { startMs: number; endMs: number },
): Edited {
  const index = document.captions.findIndex((word) => word.id === id)
  const [before, word, after] = [-1, 0, 1].map((by) => document.captions[index + by])
  if (!word) return document
  const earliest = index > 0 ? before!.endMs : 0
  const latest = after?.startMs ?? Number.POSITIVE_INFINITY
  const startMs = Math.round(Math.max(earliest, Math.min(span.startMs, latest - wordMsMin)))
  const endMs = Math.round(Math.min(latest, Math.max(span.endMs, startMs + wordMsMin)))
  return keepOnPage(
    withWord(document, id, () => ({ ...word, startMs, endMs })),
    document,
    word,
    { startMs, endMs },
  )
}

/** Moves the edges of the page of a word, and of its neighbours, with the word. */
function keepOnPage<Edited extends Captions>(
  document: Edited,
  before: Edited,
  word: CaptionWord,
  { startMs, endMs }: { startMs: number; endMs: number },
): Edited {
  const index = before.captionsPages.findIndex((page) => word.startMs >= page.startMs && word.startMs < page.endMs)
  const page = before.captionsPages[index]
  if (!page) return document
  const isFirst = wordsOf(before, page)[0]?.id === word.id
  const from = isFirst ? startMs : page.startMs
  const to = Math.max(page.endMs, endMs)
  const captionsPages = before.captionsPages.map((other, at) => {
    if (at === index) return { ...page, startMs: from, endMs: to }
    if (at === index - 1 && other.endMs > from) return { ...other, endMs: from }
    if (at === index + 1 && other.startMs < to) return { ...other, startMs: Math.min(to, other.endMs) }
    return other
  })
  return { ...document, captionsPages }
}

const withPages = <Edited extends Captions>(document: Edited, captionsPages: CaptionPage[]): Edited => ({
  ...document,
  captionsPages,
})

/** The page with the one after it. */
export function mergePage<Edited extends Captions>(document: Edited, id: string): Edited {
  const pages = document.captionsPages
  const index = pages.findIndex((page) => page.id === id)
  const [page, next] = [pages[index], pages[index + 1]]
  if (!page || !next) return document
  const emoji = page.emoji ?? next.emoji
  const merged = { ...page, endMs: next.endMs, ...(emoji && { emoji }) }
  return withPages(document, pages.toSpliced(index, 2, merged))
}

/** Begins a new page with this word, which must not be the first of its page. */
export function splitPage<Edited extends Captions>(document: Edited, wordId: string): Edited {
  const word = document.captions.find(({ id }) => id === wordId)
  if (!word) return document
  const pages = document.captionsPages
  const index = pages.findIndex(({ startMs, endMs }) => word.startMs > startMs && word.startMs < endMs)
  const page = pages[index]
  if (!page) return document
  const { emoji: _, ...plainPage } = page
  const second = { ...plainPage, id: newId('pag'), startMs: word.startMs }
  return withPages(document, pages.toSpliced(index, 1, { ...page, endMs: word.startMs }, second))
}

export const setPageHidden = <Edited extends Captions>(document: Edited, id: string, hidden: boolean): Edited =>
  withPages(
    document,
    document.captionsPages.map((page) => (page.id === id ? { ...page, hidden } : page)),
  )

/** The client chooses ids, so that an item is the same before and after it is saved. */
export const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`
