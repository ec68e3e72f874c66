/** Refuses a text whose writing system the built-in voice cannot speak: only its digits and names would be heard. */
import { InputRejected } from '../../domain/core/failures.ts'
import { builtInVoices, defaultVoice, languagesOf, type Voice } from '../../domain/videos/voices.ts'

/** The usual language of a writing system; Japanese comes before Chinese, whose characters it shares. */
const languageOfScript: [script: RegExp, language: string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Bengali}/u, 'bn'],
  [/\p{Script=Tamil}/u, 'ta'],
  [/\p{Script=Telugu}/u, 'te'],
]
const ownScripts: Record<string, RegExp> = {
  hi: /\p{Script=Devanagari}/u,
  ko: /\p{Script=Hangul}/u,
  zh: /\p{Script=Han}/u,
}
/** A text may name people and places in another writing system. */
const foreignShareMax = 0.8

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })
const nameOf = (language: string) => languageNames.of(language) ?? language

/** Throws `InputRejected` with the language of the text and what to choose. */
export function refuseForeignScript(text: string, voice: Voice): void {
  const letters = text.match(/\p{L}/gu) ?? []
  const own = ownScripts[voice.language]
  const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter) && !own?.test(letter))
  if (foreign.length <= foreignShareMax * letters.length) return
  const language = languageOfScript.find(([script]) => script.test(foreign.join('')))?.[1]
  const spoken = language ? nameOf(language) : 'a language of another writing system'
  const other = language && defaultVoice(builtInVoices, language)
  throw new InputRejected(
    `The text is in ${spoken}, which the voice ${voice.id} (${nameOf(voice.language)}) cannot speak. ${
      other
        ? `Choose a voice of that language, such as ${other.id}.`
        : `No built-in voice speaks it: choose a voice of another provider that does (GET /voices), or translate the text into ${languages}.`
    }`,
  )
}

const languages = new Intl.ListFormat('en', { type: 'disjunction' }).format(languagesOf(builtInVoices).map(nameOf))
