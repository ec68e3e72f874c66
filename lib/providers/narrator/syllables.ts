/** Estimates how long words take to speak, relative to each other, where an engine gives no times. */

const vowelGroups = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýąęıőűŭіїєаеёиоуыэюяαεηιουω]+/giu
/** In these scripts each character is one syllable. */
const syllabic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** Letters of these scripts carry a vowel unless a mark removes or replaces it. */
const abugida = /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}]/u
const digits = /\p{Nd}/gu

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** At least 1 for each word. */
export function syllablesOf(spoken: string): number {
  return spoken
    .split(/\s+/)
    .filter(Boolean)
    .reduce((sum, word) => sum + Math.max(1, syllablesOfWord(word)), 0)
}

function syllablesOfWord(word: string): number {
  const others = count(word, syllabic) + 1.5 * count(word, digits)
  if (abugida.test(word)) return others + count(word.normalize('NFC'), /\p{L}/gu) - count(word, /\u094d/gu)
  // A final e is mostly silent in English and French; as the only vowel it is spoken.
  const vowels = count(word.normalize('NFC'), vowelGroups)
  const silent = vowels > 1 && /[^aeiouyl]e$/iu.test(word) ? 1 : 0
  // Scripts that do not write vowels: Arabic, Hebrew.
  return others + (vowels > 0 || others > 0 ? vowels - silent : count(word, /\p{L}/gu) / 2)
}

/**
 * Relative duration, at least 1: about the number of letters. Fitted to 500 word times of flite and espeak, where words
 * of up to three letters are spoken faster than their letters say. Characters of syllabic scripts and digits count as
 * the letters that they would be written with.
 */
export const speechWeight = (spoken: string): number => {
  const [characters, numerals] = [count(spoken, syllabic), count(spoken, digits)]
  const letters = count(spoken, /\p{L}/gu) - characters + 3 * characters + 4 * numerals
  return Math.max(1, letters + 0.2 * syllablesOf(spoken) + (letters > 3 ? 0.6 : -0.3))
}
