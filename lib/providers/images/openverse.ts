/**
 * Photographs found by Openverse, `GET /v1/images/`: https://api.openverse.org/v1/ (read November 2026). Needs no key;
 * without one an address may search 20 times a minute and 200 times a day, 20 results each. The files are on the servers
 * of the collections that it searches.
 */
import * as v from 'valibot'
import { type SearchCache, searchOnce } from '../search-cache.ts'
import type { KeylessSource, Vendor } from '../vendor.ts'
import { collectionImages, type FoundPicture } from './collection.ts'
import type { Images, PictureInput } from './index.ts'

/** Commercial use and changes are allowed. */
const licences = ['cc0', 'pdm', 'by', 'by-sa']

const responseSchema = v.object({
  results: v.array(
    v.object({
      id: v.string(),
      title: v.nullish(v.string()),
      url: v.string(),
      foreign_landing_url: v.nullish(v.string()),
      creator: v.nullish(v.string()),
      license: v.string(),
      license_version: v.nullish(v.string()),
      width: v.nullish(v.number()),
      height: v.nullish(v.number()),
      mature: v.nullish(v.boolean()),
    }),
  ),
})
type Result = v.InferOutput<typeof responseSchema>['results'][number]

export function openverseImages({ url, userAgent }: KeylessSource, searches?: SearchCache): Images {
  const vendor: Vendor = { name: 'Openverse', url, headers: { 'user-agent': userAgent } }
  return collectionImages({
    id: 'openverse-1',
    vendor,
    async search(words, input, signal) {
      const { results } = await searchOnce(vendor, pathFor(words, input), responseSchema, { searches, signal })
      return results.flatMap(asFound)
    },
  })
}

function pathFor(words: string, { width, height }: PictureInput): string {
  const ratio = width === height ? 'square' : width < height ? 'tall' : 'wide'
  const query = {
    q: words.slice(0, 200),
    license: licences.join(','),
    category: 'photograph',
    size: 'large',
    // A square frame may crop any picture.
    ...(ratio !== 'square' && { aspect_ratio: `${ratio},square` }),
    page_size: '20',
    mature: 'false',
  }
  return `/v1/images/?${new URLSearchParams(query)}`
}

function asFound({
  id,
  title,
  url,
  foreign_landing_url,
  creator,
  license,
  width,
  height,
  mature,
  ...rest
}: Result): FoundPicture[] {
  if (mature || !licences.includes(license) || !width || !height || !URL.canParse(url)) return []
  return [
    {
      ...{ id: `openverse-${id}`, file: url, width, height, title: title || 'Untitled' },
      author: creator || 'unknown author',
      page: foreign_landing_url || url,
      licence: licenceName(license, rest.license_version),
    },
  ]
}

function licenceName(license: string, version: string | null | undefined): string {
  if (license === 'cc0') return 'CC0'
  if (license === 'pdm') return 'Public domain'
  return `CC ${license.toUpperCase()}${version ? ` ${version}` : ''}`
}
