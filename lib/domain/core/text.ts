/** Words of others that clients are told: a record has no room for a page, and nobody reads one. */
const lengthMax = 500

/** The beginning of a text; whole where it is short. */
export const truncate = (text: string): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
/** Whether a narration has anything to speak; a scene without is silent. */
export const hasSpeech = (narration: string) => /[\p{L}\p{N}]/u.test(narration)

/** Whether a word closes a sentence, quotes and brackets after the mark included. */
export const endsSentence = (word: string) => /[.!?…。！？।][\p{Pe}\p{Pf}"']*$/u.test(word)
