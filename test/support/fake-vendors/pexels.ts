/** The search for videos of Pexels, and the files that it leads to: https://www.pexels.com/api/documentation/#videos-search */
import * as v from 'valibot'
import { type FakeVendor, startFakeVendor, VendorRefusal, type VendorResponse } from './fake-vendor.ts'
import { tinyVideo } from './media.ts'

const query = v.strictObject({
  query: v.pipe(v.string(), v.minLength(1)),
  orientation: v.optional(v.picklist(['landscape', 'portrait', 'square'])),
  size: v.optional(v.picklist(['large', 'medium', 'small'])),
  locale: v.optional(v.pipe(v.string(), v.regex(/^[a-z]{2}-[A-Z]{2}$/))),
  page: v.optional(v.pipe(v.string(), v.digits())),
  per_page: v.optional(v.pipe(v.string(), v.toNumber(), v.maxValue(80))),
})

export interface FakeStockVideo {
  id: number
  /** In whole seconds. */
  duration: number
  files: { width: number; height: number; type?: string }[]
}

export interface FakePexels extends FakeVendor {
  /** What is found for which words; nothing for others. */
  searchResults: Map<string, FakeStockVideo[]>
  /** What a file gives instead of the clip, one each time. */
  files: VendorResponse[]
}

export const pexelsKey = 'pexels-key'

export async function startFakePexels(): Promise<FakePexels> {
  const vendor = await startFakeVendor(async ({ method, path, query: asked, headers }) => {
    if (path.startsWith('/files/')) {
      if (headers.authorization) throw new VendorRefusal(400, 'The key was sent to where the files are.')
      return pexels.files.shift() ?? { headers: { 'content-type': 'video/mp4' }, body: await tinyVideo() }
    }
    if (headers.authorization !== pexelsKey) throw new VendorRefusal(401, { status: 401, code: 'Unauthorized' })
    if (method !== 'GET' || path !== '/videos/search') throw new VendorRefusal(404, { status: 404, code: 'Not Found' })
    const given = v.safeParse(query, Object.fromEntries(asked))
    if (!given.success) throw new VendorRefusal(400, { status: 400, code: v.getDotPath(given.issues[0]) })
    const videos = pexels.searchResults.get(given.output.query) ?? []
    return {
      headers: { 'x-ratelimit-limit': '20000', 'x-ratelimit-remaining': '19684' },
      body: {
        page: 1,
        per_page: given.output.per_page ?? 15,
        total_results: videos.length,
        url: 'https://www.pexels.com/videos/',
        videos: videos.map((video) => described(video, `http://${headers.host}`)),
      },
    }
  })
  const pexels: FakePexels = Object.assign(vendor, { searchResults: new Map(), files: [] })
  return pexels
}

const described = ({ id, duration, files }: FakeStockVideo, origin: string) => ({
  id,
  width: files[0]!.width,
  height: files[0]!.height,
  url: `https://www.pexels.com/video/${id}/`,
  image: `https://images.pexels.com/videos/${id}/free.jpeg`,
  duration,
  user: { id: 2, name: `Author ${id}`, url: 'https://www.pexels.com/@author' },
  video_files: files.map(({ width, height, type = 'video/mp4' }, index) => ({
    id: 10 * id + index,
    quality: height >= 720 ? 'hd' : 'sd',
    file_type: type,
    width,
    height,
    fps: 29.97,
    link: `${origin}/files/${id}-${width}x${height}.mp4`,
  })),
  video_pictures: [],
})
