/**
 * The voices a client may choose. Pure data: which engine speaks a voice is the narrator's business.
 * Japanese and Arabic are left out on purpose: espeak-ng reads kanji as "Chinese letter" and cannot supply the short vowels
 * that Arabic script omits, so neither is real speech.
 */

export interface Voice {
  id: string
  name: string
  /** `standard` voices are built in; `expressive` ones belong to a connected provider. */
  provider: 'standard' | 'expressive'
  /** Two-letter language code. */
  language: string
  gender: 'female' | 'male' | 'neutral'
  engine: 'flite' | 'espeak'
  /** The name the engine knows the voice by. */
  engineVoice: string
}

const flite = (id: string, name: string, gender: Voice['gender'], engineVoice: string): Voice => ({
  id,
  name,
  provider: 'standard',
  language: 'en',
  gender,
  engine: 'flite',
  engineVoice,
})

const espeak = (id: string, name: string, gender: Voice['gender'], engineVoice: string): Voice => ({
  id,
  name,
  provider: 'standard',
  language: id.slice(0, 2),
  gender,
  engine: 'espeak',
  engineVoice,
})

/** Every built-in voice. The first of a language is the one it gets when the client names none. */
export const voices: readonly Voice[] = [
  flite('en-clara', 'Clara', 'female', 'slt'),
  flite('en-miles', 'Miles', 'male', 'rms'),
  flite('en-angus', 'Angus', 'male', 'awb'),
  espeak('es-lucia', 'Lucía', 'female', 'es+f2'),
  espeak('es-mateo', 'Mateo', 'male', 'es-419+m3'),
  espeak('fr-elise', 'Élise', 'female', 'fr+f2'),
  espeak('fr-hugo', 'Hugo', 'male', 'fr+m3'),
  espeak('de-greta', 'Greta', 'female', 'de+f2'),
  espeak('de-jonas', 'Jonas', 'male', 'de+m3'),
  espeak('it-giulia', 'Giulia', 'female', 'it+f2'),
  espeak('it-marco', 'Marco', 'male', 'it+m3'),
  espeak('pt-sofia', 'Sofia', 'female', 'pt-br+f2'),
  espeak('pt-rafael', 'Rafael', 'male', 'pt-br+m3'),
  espeak('nl-fenna', 'Fenna', 'female', 'nl+f2'),
  espeak('nl-daan', 'Daan', 'male', 'nl+m3'),
  espeak('pl-zofia', 'Zofia', 'female', 'pl+f2'),
  espeak('pl-jakub', 'Jakub', 'male', 'pl+m3'),
  espeak('hi-asha', 'Asha', 'female', 'hi+f2'),
  espeak('hi-rohan', 'Rohan', 'male', 'hi+m3'),
  espeak('ko-jiwoo', 'Jiwoo', 'female', 'ko+f2'),
  espeak('ko-minjun', 'Minjun', 'male', 'ko+m3'),
  espeak('zh-meilin', 'Meilin', 'female', 'cmn+f2'),
  espeak('zh-wei', 'Wei', 'male', 'cmn+m3'),
]

/** The languages that have a voice, in the order of the list. */
export const languages: readonly string[] = [...new Set(voices.map((voice) => voice.language))]

export const findVoice = (id: string): Voice | undefined => voices.find((voice) => voice.id === id)

/** The voice a video in this language gets unless the client chose one; undefined where no voice speaks it. */
export const firstStandardVoice = (language: string): Voice | undefined =>
  voices.find((voice) => voice.provider === 'standard' && voice.language === language)
