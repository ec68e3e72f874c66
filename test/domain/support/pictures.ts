/** Films with a small vocabulary: words that each draw the object of their own name, unless they name others. */
import type { Place } from '../../../lib/domain/generation/picture-places.ts'
import type { PictureScene } from '../../../lib/domain/generation/picture-scene.ts'
import {
  choosePictures,
  type PictureFilm,
  type PictureShot,
  type PictureVocabulary,
  shotsWithoutPicture,
} from '../../../lib/domain/generation/picture-selection.ts'
import type { PictureIndex } from '../../../lib/domain/generation/picture-words.ts'

/** The weight of each word's object, or its objects with their weights, the best first. */
export type Words = Record<string, number | [object: string, weight: number][]>

const indexOf = (words: Words, language = 'en'): PictureIndex => ({
  language,
  entries: new Map(
    Object.entries(words).map(([word, weight]) => [
      word,
      (typeof weight === 'number' ? ([[word, weight]] as const) : weight).map(([object, weight]) => ({
        object,
        weight,
      })),
    ]),
  ),
})

const named = (...names: string[]) =>
  new Map(names.map((name, index): [string, Place] => [name, { name, latitude: index, longitude: 10 }]))

export interface Options {
  title?: string
  /** The narration; that of the shots, unless given. */
  text?: string
  language?: string
  places?: string[]
  taken?: PictureScene[]
}
export type Shots = readonly (string | PictureShot)[]
const shotsOf = (shots: Shots): PictureShot[] => shots.map((shot) => (typeof shot === 'string' ? { text: shot } : shot))

export const vocabularyOf = (words: Words, language?: string, places: string[] = []): PictureVocabulary => ({
  english: indexOf(words),
  local: indexOf(words, language),
  places: named(...places),
})

function filmOf(shots: Shots, words: Words, { title = '', text, language, places }: Options): PictureFilm {
  const narration = shotsOf(shots).map((shot) => shot.text)
  return { title, text: text ?? narration.join(' '), vocabulary: vocabularyOf(words, language, places) }
}
export const scenesOf = (shots: Shots, words: Words, options: Options = {}) =>
  choosePictures(shotsOf(shots), filmOf(shots, words, options), options.taken)
export const drawn = (shots: Shots, words: Words, options: Options = {}) =>
  scenesOf(shots, words, options).map(({ layout, objects }) => [layout, ...objects].join(' '))
export const isBare = (shots: Shots, words: Words, options: Options = {}) =>
  shotsWithoutPicture(shotsOf(shots), filmOf(shots, words, options))

/** A scene that stays, so that its object is taken and the film has begun. */
export const taken = (...objects: string[]): PictureScene => ({ layout: 'hero', ground: 'studio', objects })
