/**
 * Authors and sources that a licence requires to be named, and the lines that name them: kept with a video, and appended
 * to the texts of its posts.
 */
import type { ScriptSource } from './script.ts'

/** The author of a picture or a clip of a collection. Stored beside its file. */
export interface Attribution {
  /** Unique across collections, for example `pexels-1`. */
  id: string
  author: string
  /** The page of the picture or clip. */
  url: string
  title?: string
  /** As people write it, for example `CC BY-SA 4.0`; absent where the collection has one licence for all. */
  licence?: string
}

const partLengthMax = 60
const short = (text: string) => (text.length <= partLengthMax ? text : `${text.slice(0, partLengthMax - 1).trimEnd()}…`)

/** `Picture: “Sea” by Ann, CC BY 4.0, https://…`; null where the licence requires no credit. */
export function mediaCredit(kind: 'still' | 'clip', { author, url, title, licence }: Attribution): string | null {
  if (licence && /^(?:CC0|Public domain)/i.test(licence)) return null
  const subject = title ? `“${short(title)}” by ${short(author)}` : short(author)
  return [`${kind === 'still' ? 'Picture' : 'Footage'}: ${subject}`, licence, url].filter(Boolean).join(', ')
}

/** `Text: adapted from “Sea”, Wikipedia, CC BY-SA 4.0, https://…`; null where the licence requires no credit. */
export function textCredit({ title, url, licence }: ScriptSource): string | null {
  if (!licence) return null
  const from = new URL(url).hostname.endsWith('.wikipedia.org') ? 'Wikipedia' : new URL(url).hostname
  const name = licence.replace(/^CC-/, 'CC ').replace(/-(?=\d)/, ' ')
  return `Text: adapted from “${short(title)}”, ${from}, ${name}, ${url}`
}

/**
 * The text of a post with the credits that `fits` allows, in their order, each once. Credits that the text already holds
 * are moved to its end, or left out where they do not fit.
 */
export function withCredits(text: string, credits: readonly string[], fits: (text: string) => boolean): string {
  const lines = new Set(credits)
  const own = text
    .split('\n')
    .filter((line) => !lines.has(line))
    .join('\n')
    .trimEnd()
  const base = lines.size > 0 && own.length < text.length ? own : text
  let result = base
  for (const line of lines) {
    const separator = result === '' ? '' : result === base ? '\n\n' : '\n'
    const longer = `${result}${separator}${line}`
    if (fits(longer)) result = longer
  }
  return result
}

/** All lines that a video owes, each once: of its text first. */
export const creditsOf = (
  sources: readonly ScriptSource[] = [],
  segments: readonly { media: { credit?: string } | null }[] = [],
): string[] => [
  ...new Set(
    [...sources.map(textCredit), ...segments.map(({ media }) => media?.credit)].filter((line) => line != null),
  ),
]
