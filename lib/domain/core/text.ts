/** Small functions on text: limits for untrusted messages, and predicates on narrated words. */

/** Of messages in records. Those of vendors are cut to it. */
export const messageLengthMax = 500

/** The first `length` UTF-16 units of a text, without half a surrogate pair at the end. */
export const clip = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/** A text of at most `length` UTF-16 units, with an ellipsis if it was cut. */
export const truncateTo = (length: number, text: string): string =>
  text.length <= length ? text : `${clip(text, length - 1)}…`

/** A message that fits a record, with an ellipsis if it was cut. */
export const truncate = (text: string): string => truncateTo(messageLengthMax, text)

const [megabyte, gigabyte] = [1024 ** 2, 1024 ** 3]

/** A size for people: `6 MB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const [unit, name] = bytes >= gigabyte ? [gigabyte, 'GB'] : [megabyte, 'MB']
  return `${Math.round((10 * bytes) / unit) / 10} ${name}`
}

/** Whether a narration has anything to speak; a scene without is silent. */
export const hasSpeech = (narration: string) => /[\p{L}\p{N}]/u.test(narration)

/** Abbreviations that precede a name, a number or an example, never the end of a sentence. */
const abbreviation =
  /^[\p{Ps}\p{Pi}"']*(?:Mr|Mrs|Ms|Dr|Prof|Sr|Sra|Srta|Mme|Mlle|Hr|Fr|Dott|Gen|Capt|Lt|Sgt|Rev|St|Mt|Ft|vs|Nr|approx|ca|Fig|Vol|e\.g|i\.e|z\.\s?B|d\.\s?h|p\.\s?ej)\.$/u

/** Whether a word ends a sentence; quotes and brackets may follow the mark. */
export const endsSentence = (word: string) => /[.!?…。！？।][\p{Pe}\p{Pf}"']*$/u.test(word) && !abbreviation.test(word)

/** Whether a word is an abbreviation that belongs to the next word. */
export const isAbbreviation = (word: string) => abbreviation.test(word)
