/**
 * The search for files of Wikimedia Commons, and the files that it leads to: https://www.mediawiki.org/wiki/API:Imageinfo
 * and https://www.mediawiki.org/wiki/Extension:CommonsMetadata. Refuses what the User-Agent policy forbids.
 */
import * as v from 'valibot'
import { type FakeVendor, startFakeVendor, VendorRefusal, type VendorResponse } from './fake-vendor.ts'
import { tinyPhotograph, tinyWebm } from './media.ts'

const digits = v.pipe(v.string(), v.digits())
const common = {
  ...{ action: v.literal('query'), format: v.literal('json'), formatversion: v.literal('2'), maxlag: digits },
  ...{ generator: v.literal('search'), gsrnamespace: v.literal('6'), gsrsearch: v.pipe(v.string(), v.minLength(1)) },
  gsrlimit: v.pipe(v.string(), v.toNumber(), v.maxValue(50)),
}
const query = v.union([
  v.strictObject({
    ...common,
    prop: v.literal('imageinfo'),
    iiprop: v.literal('url|size|mime|extmetadata'),
    iiurlwidth: digits,
    iiextmetadatafilter: v.string(),
  }),
  v.strictObject({
    ...common,
    prop: v.literal('videoinfo'),
    viprop: v.literal('url|size|mime|extmetadata|derivatives'),
    viextmetadatafilter: v.string(),
  }),
])

export interface FakeCommonsFile {
  id: number
  title?: string
  width?: number
  height?: number
  /** The identifier and the short name. */
  licence?: readonly [id: string, name: string]
  /** HTML. */
  artist?: string
  restrictions?: string
  /** Of a video, in seconds. */
  duration?: number
  /** Types of the files of a video; default: WebM. */
  types?: string[]
}

export interface FakeWikimedia extends FakeVendor {
  /** What is found for which words, without the filters of the search. */
  searchResults: Map<string, FakeCommonsFile[]>
  /** What a file gives instead of its bytes, one each time. */
  files: VendorResponse[]
}

export async function startFakeWikimedia(): Promise<FakeWikimedia> {
  const vendor = await startFakeVendor(async ({ method, path, query: given, headers }) => {
    if (!/^Reelsmith\/[\d.]+ \(.+\)/.test(headers['user-agent'] ?? ''))
      throw new VendorRefusal(403, 'Please set a user-agent and respect our robot policy.')
    const isFile = path.startsWith('/files/')
    if (method !== 'GET' || !(isFile || path === '/w/api.php')) throw new VendorRefusal(404, 'Not Found')
    if (isFile)
      return wikimedia.files.shift() ?? { body: await (path.endsWith('.webm') ? tinyWebm() : tinyPhotograph()) }
    const parsed = v.safeParse(query, Object.fromEntries(given))
    if (!parsed.success) throw new VendorRefusal(400, { error: { code: 'badvalue' } })
    const { gsrsearch, prop } = parsed.output
    const [, words = '', filter] = /^(.*?) ((?:file\w+:\S+ ?)+)$/.exec(gsrsearch) ?? []
    const isVideo = prop === 'videoinfo'
    if (!filter?.includes(isVideo ? 'filetype:video' : 'filemime:image/jpeg'))
      throw new VendorRefusal(400, 'No filter.')
    const found = wikimedia.searchResults.get(words) ?? []
    const pages = found.map((file, index) => ({
      pageid: file.id,
      ns: 6,
      title: `File:${file.title ?? `${words} ${file.id}`}.${isVideo ? 'webm' : 'jpg'}`,
      index: index + 1,
      imagerepository: 'local',
      [prop]: [infoOf(file, `http://${headers.host}`, isVideo)],
    }))
    // The pages of a search come in no order.
    return { body: { batchcomplete: true, ...(pages.length > 0 && { query: { pages: pages.toReversed() } }) } }
  })
  const wikimedia: FakeWikimedia = Object.assign(vendor, { searchResults: new Map(), files: [] })
  return wikimedia
}

function infoOf(file: FakeCommonsFile, origin: string, isVideo: boolean) {
  const { id, width = 4000, height = 6000, licence = ['cc-by-sa-4.0', 'CC BY-SA 4.0'], restrictions = '' } = file
  const url = `${origin}/files/${id}.${isVideo ? 'webm' : 'jpg'}`
  const said = (value: string) => ({ value, source: 'commons-desc-page' })
  return {
    size: 3_000_000,
    ...{ width, height, url, mime: isVideo ? 'video/webm' : 'image/jpeg' },
    descriptionurl: `https://commons.wikimedia.org/wiki/File:${id}`,
    ...(isVideo
      ? {
          duration: file.duration ?? 12.5,
          derivatives: (file.types ?? ['video/webm; codecs="vp9, opus"']).flatMap((type) =>
            [240, 720, 1080].map((lines) => ({
              src: `${origin}/files/${id}-${lines}.webm`,
              ...{ type, width: (lines * 16) / 9, height: lines, bandwidth: 1_000_000 },
            })),
          ),
        }
      : {
          thumburl: `${origin}/files/${id}-thumb.jpg`,
          ...{ thumbwidth: 1920, thumbheight: Math.round((1920 * height) / width) },
        }),
    extmetadata: {
      License: said(licence[0]),
      LicenseShortName: said(licence[1]),
      Artist: said(file.artist ?? `<a href="//commons.wikimedia.org/wiki/User:A${id}">Author ${id}</a>`),
      Restrictions: said(restrictions),
    },
  }
}
