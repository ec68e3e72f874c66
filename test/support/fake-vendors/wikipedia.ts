/**
 * The Action API of a wiki with search and text extracts: https://www.mediawiki.org/wiki/API:Search and
 * https://www.mediawiki.org/wiki/Extension:TextExtracts. Refuses what the User-Agent policy forbids.
 */
import * as v from 'valibot'
import { type FakeVendor, startFakeVendor, VendorRefusal } from './fake-vendor.ts'

const flag = v.optional(v.literal('1'))
const common = {
  action: v.literal('query'),
  format: v.literal('json'),
  formatversion: v.literal('2'),
  redirects: v.literal('1'),
  maxlag: v.pipe(v.string(), v.digits()),
  prop: v.literal('extracts|info|pageprops'),
  inprop: v.literal('url'),
  ppprop: v.literal('disambiguation'),
  explaintext: v.literal('1'),
}
const query = v.union([
  v.strictObject({
    ...common,
    generator: v.literal('search'),
    gsrsearch: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
    gsrlimit: v.pipe(v.string(), v.toNumber(), v.maxValue(20)),
    // Several extracts are given of introductions only.
    exintro: v.literal('1'),
    exlimit: v.literal('max'),
  }),
  v.strictObject({
    ...common,
    pageids: v.pipe(v.string(), v.digits()),
    exintro: flag,
    exsectionformat: v.picklist(['plain', 'wiki', 'raw']),
    exlimit: v.literal('1'),
  }),
])

export interface FakeArticle {
  title: string
  intro: string
  /** What follows the introduction. */
  sections?: string
  isDisambiguation?: boolean
}

export interface FakeWikipedia extends FakeVendor {
  /** The articles in the order in which a search finds them; it requires no words. */
  articles: FakeArticle[]
}

export async function startFakeWikipedia(): Promise<FakeWikipedia> {
  const vendor = await startFakeVendor(({ method, path, query: given, headers }) => {
    if (!/^Reelsmith\/[\d.]+ \(.+\)/.test(headers['user-agent'] ?? ''))
      throw new VendorRefusal(403, 'Please set a user-agent and respect our robot policy.')
    if (method !== 'GET' || !/^(?:\/[a-z]{2})?\/w\/api\.php$/.test(path)) throw new VendorRefusal(404, 'Not Found')
    const parsed = v.safeParse(query, Object.fromEntries(given))
    if (!parsed.success) throw new VendorRefusal(400, { error: { code: 'badvalue' } })
    const asked = parsed.output
    const isSearch = 'gsrsearch' in asked
    const pages = wikipedia.articles.flatMap((article, index) =>
      isSearch || String(index + 1) === asked.pageids ? [pageOf(article, index + 1, isSearch)] : [],
    )
    // The pages of a search come in no order.
    return { body: { batchcomplete: true, ...(pages.length > 0 && { query: { pages: pages.toReversed() } }) } }
  })
  const wikipedia: FakeWikipedia = Object.assign(vendor, { articles: [] })
  return wikipedia
}

const pageOf = ({ title, intro, sections = '', isDisambiguation }: FakeArticle, pageid: number, isSearch: boolean) => ({
  pageid,
  ns: 0,
  title,
  ...(isSearch && { index: pageid }),
  contentmodel: 'wikitext',
  pagelanguage: 'en',
  canonicalurl: `https://en.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`,
  extract: isSearch ? intro : `${intro}\n\n\n${sections}`,
  ...(isDisambiguation && { pageprops: { disambiguation: '' } }),
})
