/**
 * Search in Wikimedia Commons by the Action API: https://www.mediawiki.org/wiki/API:Imageinfo with the metadata of
 * https://www.mediawiki.org/wiki/Extension:CommonsMetadata (read November 2026). Needs no key, but a User-Agent that
 * names its caller. Files whose licence does not allow commercial use and changes are left out.
 */
import * as v from 'valibot'
import { type SearchCache, searchOnce } from './search-cache.ts'
import type { KeylessSource, Vendor } from './vendor.ts'

const resultsMax = 30
/** Seconds that the replicas of the servers may lag behind: https://www.mediawiki.org/wiki/Manual:Maxlag_parameter. */
const maxlag = '5'

const value = v.optional(v.object({ value: v.union([v.string(), v.number()]) }))
const fileInfo = v.object({
  url: v.string(),
  mime: v.string(),
  size: v.number(),
  width: v.number(),
  height: v.number(),
  /** Of videos, in seconds. */
  duration: v.optional(v.number()),
  thumburl: v.optional(v.string()),
  thumbwidth: v.optional(v.number()),
  thumbheight: v.optional(v.number()),
  extmetadata: v.optional(
    v.object({ License: value, LicenseShortName: value, Artist: value, Restrictions: value, NonFree: value }),
    {},
  ),
  /** Of videos: the original and what it was transcoded to. */
  derivatives: v.optional(
    v.array(
      v.object({
        src: v.string(),
        type: v.optional(v.string(), ''),
        width: v.optional(v.number(), 0),
        height: v.optional(v.number(), 0),
        /** Bits a second. */
        bandwidth: v.optional(v.number(), 0),
      }),
    ),
    [],
  ),
})
const responseSchema = v.object({
  // Sent with status 200, for example where the servers lag: such a response is not cached.
  error: v.optional(v.undefined()),
  query: v.optional(
    v.object({
      pages: v.optional(
        v.array(
          v.object({
            pageid: v.number(),
            title: v.string(),
            index: v.optional(v.number(), 0),
            imageinfo: v.optional(v.array(fileInfo)),
            videoinfo: v.optional(v.array(fileInfo)),
          }),
        ),
        [],
      ),
    }),
  ),
})

export interface CommonsFile {
  id: string
  title: string
  author: string
  page: string
  licence: string
  info: v.InferOutput<typeof fileInfo>
}

export const commonsVendor = ({ url, userAgent }: KeylessSource): Vendor => ({
  name: 'Wikimedia Commons',
  url,
  headers: { 'user-agent': userAgent },
})

/** The free files for these words, in the order of the search. Throws as `callVendor`. */
export async function searchCommons(
  vendor: Vendor,
  { words, kind }: { words: string; kind: 'picture' | 'video' },
  context: { searches?: SearchCache | undefined; signal?: AbortSignal | undefined },
): Promise<CommonsFile[]> {
  const query = kind === 'picture' ? pictureQuery(words) : videoQuery(words)
  const path = `/w/api.php?${new URLSearchParams({ ...commonQuery, ...query })}`
  const { query: result } = await searchOnce(vendor, path, responseSchema, context)
  const pages = (result?.pages ?? []).toSorted((a, b) => a.index - b.index)
  return pages.flatMap(({ pageid, title, imageinfo, videoinfo }) => {
    const [info] = imageinfo ?? videoinfo ?? []
    const licence = info && licenceOf(info)
    if (!licence) return []
    const name = title
      .replace(/^File:/, '')
      .replace(/\.\w+$/, '')
      .replaceAll('_', ' ')
    const author = plainText(String(info.extmetadata.Artist?.value ?? '')) || 'unknown author'
    // The address with the number is short, and survives renaming.
    const page = `https://commons.wikimedia.org/?curid=${pageid}`
    return [{ id: `commons-${pageid}`, title: name, author, page, licence, info }]
  })
}

const commonQuery = {
  ...{ action: 'query', format: 'json', formatversion: '2', maxlag, generator: 'search', gsrnamespace: '6' },
  gsrlimit: String(resultsMax),
}
const metadata = 'License|LicenseShortName|Artist|Restrictions|NonFree'

/** Thumbnails have fixed widths: https://www.mediawiki.org/wiki/Common_thumbnail_sizes. */
const pictureQuery = (words: string) => ({
  gsrsearch: `${words} filemime:image/jpeg fileres:>800`,
  prop: 'imageinfo',
  iiprop: 'url|size|mime|extmetadata',
  iiurlwidth: '1920',
  iiextmetadatafilter: metadata,
})

const videoQuery = (words: string) => ({
  gsrsearch: `${words} filetype:video`,
  prop: 'videoinfo',
  viprop: 'url|size|mime|extmetadata|derivatives',
  viextmetadatafilter: metadata,
})

/** The name of the licence, or null where it does not allow commercial use and changes, or further rights are named. */
function licenceOf({ extmetadata: { License, LicenseShortName, Restrictions, NonFree } }: CommonsFile['info']) {
  if (NonFree?.value === 'true' || (Restrictions?.value ?? '') !== '') return null
  const id = String(License?.value ?? '').toLowerCase()
  if (!/^(?:cc0|pd|cc-by(?:-sa)?-\d\.\d)/.test(id) || /-n[cd]\b/.test(id)) return null
  return plainText(String(LicenseShortName?.value ?? '')) || id.toUpperCase()
}

/** Without markup: authors are HTML. */
const plainText = (html: string) =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|#38);/g, '&')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&(?:#0?39|apos);/g, "'")
    .replace(/&[#\w]+;/g, ' ')
    .replace(/\(\s*talk\s*\)/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
