/** Estimates how long a text takes to speak, before it is narrated. */

/** Per second, pauses included; scripts without spaces are counted by the character. */
export const speechRate = { words: 2.6, characters: 4.2 }

export const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text)
/** Whether a language is written without spaces, so that its word count says little about its duration. */
export const isUnspacedLanguage = (language: string) => /^(?:zh|ja|ko|th)\b/.test(language)

export function estimateSpeechSeconds(text: string): number {
  const words = text.replace(unspacedScripts, ' ').split(/\s+/).filter(isWord).length
  return words / speechRate.words + (text.match(unspacedScripts)?.length ?? 0) / speechRate.characters
}
