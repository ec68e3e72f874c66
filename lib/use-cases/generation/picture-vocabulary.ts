/** Loads the names of the drawn objects in English and in the language of a film. Loaded on demand: 100 KB a language. */
import { indexPlaces } from '../../domain/generation/picture-places.ts'
import type { PictureVocabulary } from '../../domain/generation/picture-selection.ts'
import { indexPictureWords, type ObjectNames, type PictureIndex } from '../../domain/generation/picture-words.ts'

type Names = Readonly<Record<string, string>>
interface Loaders {
  objects: () => Promise<{ default: unknown }>
  countries: () => Promise<{ default: unknown }>
}

/** One line a language: a bundler must see the paths. */
const loaders: Record<string, Loaders> = {
  de: {
    objects: () => import('../../../assets/objects/keywords/de.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/de.json', { with: { type: 'json' } }),
  },
  en: {
    objects: () => import('../../../assets/objects/keywords/en.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/en.json', { with: { type: 'json' } }),
  },
  es: {
    objects: () => import('../../../assets/objects/keywords/es.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/es.json', { with: { type: 'json' } }),
  },
  fr: {
    objects: () => import('../../../assets/objects/keywords/fr.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/fr.json', { with: { type: 'json' } }),
  },
  hi: {
    objects: () => import('../../../assets/objects/keywords/hi.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/hi.json', { with: { type: 'json' } }),
  },
  it: {
    objects: () => import('../../../assets/objects/keywords/it.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/it.json', { with: { type: 'json' } }),
  },
  ko: {
    objects: () => import('../../../assets/objects/keywords/ko.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/ko.json', { with: { type: 'json' } }),
  },
  nl: {
    objects: () => import('../../../assets/objects/keywords/nl.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/nl.json', { with: { type: 'json' } }),
  },
  pl: {
    objects: () => import('../../../assets/objects/keywords/pl.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/pl.json', { with: { type: 'json' } }),
  },
  pt: {
    objects: () => import('../../../assets/objects/keywords/pt.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/pt.json', { with: { type: 'json' } }),
  },
  zh: {
    objects: () => import('../../../assets/objects/keywords/zh.json', { with: { type: 'json' } }),
    countries: () => import('../../../assets/objects/countries/zh.json', { with: { type: 'json' } }),
  },
}

const indexes = new Map<string, Promise<{ index: PictureIndex; countries: Names }>>()

function indexOf(language: string) {
  const { objects, countries } = loaders[language]!
  const loading =
    indexes.get(language) ??
    Promise.all([objects(), countries()]).then(([names, places]) => ({
      index: indexPictureWords({ language, objects: names.default as ObjectNames }),
      countries: places.default as Names,
    }))
  indexes.set(language, loading)
  return loading
}

/** A language without names is matched by its places and by the writer's English words alone. */
export async function loadPictureVocabulary(language: string): Promise<PictureVocabulary> {
  const isKnown = language in loaders
  const [english, local, gazetteer] = await Promise.all([
    indexOf('en'),
    indexOf(isKnown ? language : 'en'),
    import('../../../assets/objects/places.json', { with: { type: 'json' } }),
  ])
  return {
    english: english.index,
    local: isKnown ? local.index : { language, entries: new Map() },
    places: indexPlaces(gazetteer.default, [english.countries, local.countries]),
  }
}
