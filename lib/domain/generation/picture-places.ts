/** Finds places of the gazetteer (`assets/objects/places.json`) in a text. */

export interface Gazetteer {
  /** Degrees north and east by ISO 3166 code. */
  countries: Readonly<Record<string, readonly number[]>>
  /** By English name: cities, landmarks, regions, waters. */
  places: Readonly<Record<string, readonly number[]>>
}

export interface Place {
  name: string
  latitude: number
  longitude: number
}

export type PlaceIndex = ReadonlyMap<string, Place>

/** `countryNames`: names by ISO 3166 code, of English and of the text's language. */
export function indexPlaces(
  { countries, places }: Gazetteer,
  countryNames: readonly Readonly<Record<string, string>>[],
): PlaceIndex {
  const index = new Map<string, Place>()
  const add = (name: string, [latitude, longitude]: readonly number[]) => {
    if (latitude !== undefined && longitude !== undefined) index.set(name, { name, latitude, longitude })
  }
  for (const names of countryNames)
    for (const [code, name] of Object.entries(names)) if (countries[code]) add(name, countries[code])
  for (const [name, position] of Object.entries(places)) add(name, position)
  return index
}

const nameWordsMax = 4

/** The places that a text names, in order. Names are compared with their capitals: a turkey is no country. */
export function findPlaces(text: string, index: PlaceIndex): Place[] {
  const words = text.replace(/[’']s\b/g, '').match(/[\p{L}\p{M}\p{N}.’'-]+/gu) ?? []
  const found: Place[] = []
  for (let at = 0; at < words.length; ) {
    const count = [...Array(nameWordsMax).keys()]
      .map((less) => nameWordsMax - less)
      .find((size) => at + size <= words.length && index.has(nameOf(words.slice(at, at + size))))
    if (count) found.push(index.get(nameOf(words.slice(at, at + count)))!)
    at += count ?? 1
  }
  return found
}

const nameOf = (words: readonly string[]) => words.join(' ').replace(/(?<![.’'-])[.’'-]+$/, '')
