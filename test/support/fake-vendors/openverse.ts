/** The search for images of Openverse, and the files that it leads to: https://api.openverse.org/v1/ */
import * as v from 'valibot'
import { type FakeVendor, startFakeVendor, VendorRefusal, type VendorResponse } from './fake-vendor.ts'
import { tinyPhotograph } from './media.ts'

const query = v.strictObject({
  q: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  license: v.pipe(v.string(), v.regex(/^(?:by|by-sa|cc0|pdm)(?:,(?:by|by-sa|cc0|pdm))*$/)),
  category: v.picklist(['photograph', 'illustration', 'digitized_artwork']),
  size: v.picklist(['small', 'medium', 'large']),
  aspect_ratio: v.optional(v.pipe(v.string(), v.regex(/^(?:tall|wide|square)(?:,(?:tall|wide|square))*$/))),
  // More need an account.
  page_size: v.pipe(v.string(), v.toNumber(), v.maxValue(20)),
  mature: v.literal('false'),
})

export interface FakeOpenverseImage {
  id: string
  width?: number
  height?: number
  license?: string
  version?: string
}

export interface FakeOpenverse extends FakeVendor {
  /** What is found for which words; nothing for others. */
  searchResults: Map<string, FakeOpenverseImage[]>
  /** What a file gives instead of its bytes, one each time. */
  files: VendorResponse[]
}

export async function startFakeOpenverse(): Promise<FakeOpenverse> {
  const vendor = await startFakeVendor(async ({ method, path, query: given, headers }) => {
    if (path.startsWith('/files/')) return openverse.files.shift() ?? { body: await tinyPhotograph() }
    if (method !== 'GET' || path !== '/v1/images/') throw new VendorRefusal(404, { detail: 'Not found' })
    const parsed = v.safeParse(query, Object.fromEntries(given))
    if (!parsed.success)
      throw new VendorRefusal(400, { detail: { [v.getDotPath(parsed.issues[0]) ?? '']: ['invalid'] } })
    const images = openverse.searchResults.get(parsed.output.q) ?? []
    const results = images.map((image) => described(image, `http://${headers.host}`))
    return { body: { result_count: results.length, page_count: 1, page_size: 20, page: 1, results } }
  })
  const openverse: FakeOpenverse = Object.assign(vendor, { searchResults: new Map(), files: [] })
  return openverse
}

const described = (
  { id, width = 2000, height = 3000, license = 'by', version = '2.0' }: FakeOpenverseImage,
  origin: string,
) => ({
  ...{ id, title: `Picture ${id}`, url: `${origin}/files/${id}.jpg`, creator: `Author ${id}`, license },
  ...{ license_version: version, width, height, mature: false, provider: 'flickr', category: 'photograph' },
  foreign_landing_url: `https://www.flickr.com/photos/a/${id}`,
  license_url: `https://creativecommons.org/licenses/${license}/${version}/`,
})
