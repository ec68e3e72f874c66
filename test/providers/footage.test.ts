/** Footage: generated, and filmed by authors who are named. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ProviderBusy, ProviderRejected } from '../../lib/domain/core/failures.ts'
import { builtInFootage } from '../../lib/providers/footage/built-in.ts'
import { pexelsFootage } from '../../lib/providers/footage/pexels.ts'
import { expectVideoFile } from '../support/expect-video-file.ts'
import { hostileVideo, tinyPicture } from '../support/fake-vendors/media.ts'
import { type FakePexels, type FakeStockVideo, pexelsKey, startFakePexels } from '../support/fake-vendors/pexels.ts'
import { removeScratch } from '../support/provider-orders.ts'
import { footageDeps, footageInput, footageSuite } from './footage-suite.ts'

const filmed = (id: number, more: Partial<FakeStockVideo> = {}): FakeStockVideo => ({
  id,
  duration: 5,
  files: [
    { width: 360, height: 640 },
    { width: 180, height: 320 },
    { width: 1080, height: 1920 },
  ],
  ...more,
})

let pexels: FakePexels
beforeAll(async () => {
  pexels = await startFakePexels()
})
afterAll(() => pexels.stop())
beforeEach(() => {
  Object.assign(pexels, { faults: [], files: [] })
  pexels.calls.length = 0
  pexels.searchResults = new Map([['waves beach', [filmed(1), filmed(2), filmed(3)]]])
})
afterEach(removeScratch)

const footage = () => pexelsFootage({ url: pexels.url, key: pexelsKey })
const find = (wish: Partial<typeof footageInput> = {}, place = footageDeps()) =>
  footage().find({ ...footageInput, ...wish }, place)
const searches = () => pexels.calls.flatMap(({ path, query }) => (path === '/videos/search' ? [query] : []))
const files = () => pexels.calls.flatMap(({ path }) => (path.startsWith('/files/') ? [path.slice(7)] : []))

footageSuite('built in', () => builtInFootage)
describe('with results in the collection', () => {
  beforeEach(() => {
    const wide = filmed(9, { files: [{ width: 640, height: 360 }] })
    pexels.searchResults.set('waves beach', [filmed(1), wide])
  })
  footageSuite('of a stand-in for Pexels', footage)
})
const key = process.env.PEXELS_API_KEY
footageSuite(
  'of Pexels itself (PEXELS_API_KEY)',
  () => pexelsFootage({ url: 'https://api.pexels.com', key: key ?? '' }),
  {
    skip: !key,
  },
)

describe('the footage of Pexels', () => {
  it('is searched for in the shape of the frame and the language of the keywords', async () => {
    await find({ language: 'de' })
    expect(Object.fromEntries(searches()[0]!)).toMatchObject({
      query: 'waves beach',
      orientation: 'portrait',
      locale: 'de-DE',
    })
    pexels.searchResults.set('waves beach', [filmed(1, { files: [{ width: 400, height: 400 }] })])
    await find({ width: 200, height: 200, language: 'hi' })
    expect(searches()[1]!.get('orientation')).toBe('square')
    expect(searches()[1]!.has('locale')).toBe(false)
  })

  it('is the smallest file that fills the frame, of a video that is long enough', async () => {
    pexels.searchResults.set('waves beach', [filmed(1, { duration: 3 }), filmed(2, { duration: 4 })])
    const clip = await find({ width: 270, height: 480, durationMs: 3_500 })
    expect(files()).toEqual(['2-360x640.mp4'])
    await expectVideoFile(clip, { width: 270, height: 480, durationMs: 3_500 })
  })

  it('may be a little smaller than the frame if there is no larger file, and no list of streams', async () => {
    const small = filmed(1, { files: [{ width: 216, height: 384 }] })
    const smallest = filmed(2, { files: [{ width: 90, height: 160 }] })
    const streamed = filmed(3, { files: [{ width: 1080, height: 1920, type: 'application/x-mpegURL' }] })
    pexels.searchResults.set('waves beach', [smallest, streamed, small])
    await find({ width: 270, height: 480 })
    expect(files()).toEqual(['1-216x384.mp4'])
  })

  it('is not shown twice in one video', async () => {
    const taken = new Set<string>()
    const take = (id: string) => taken.size !== taken.add(id).size
    const clips = await Promise.all([1, 2, 3].map(() => find({}, footageDeps(take))))
    expect(new Set(clips.map(({ attribution: credit }) => credit?.id))).toEqual(
      new Set(['pexels-1', 'pexels-2', 'pexels-3']),
    )
  })

  it('names its author', async () => {
    pexels.searchResults.set('waves beach', [filmed(7)])
    const { attribution: credit } = await find()
    expect(credit).toEqual({ id: 'pexels-7', author: 'Author 7', url: 'https://www.pexels.com/video/7/' })
  })

  it('is searched for with fewer words if nothing is found, and refused if there is no match', async () => {
    pexels.searchResults = new Map([['waves', [filmed(4)]]])
    await find({ keywords: ['waves', 'beach', 'sunset', 'storm', 'night'] })
    const words = searches().map((query) => query.get('query'))
    expect(words).toEqual(['waves beach sunset storm', 'waves beach', 'waves'])
    await expect(find({ keywords: ['unheard'] })).rejects.toBeInstanceOf(ProviderRejected)
    await expect(find({ keywords: [] })).rejects.toBeInstanceOf(ProviderRejected)
  })

  it('is retried if Pexels is throttled, down, slow to respond or sends an invalid response', async () => {
    for (const fault of [{ status: 429 }, { status: 502 }, 'lost', { body: 'no json' }, { body: {} }] as const) {
      pexels.faults = [fault]
      await expect(find()).rejects.toBeInstanceOf(ProviderBusy)
    }
    pexels.faults = [null, { status: 500 }]
    await expect(find()).rejects.toBeInstanceOf(ProviderBusy)
  })

  it('is searched for once a day, for any number of videos', async () => {
    const answers = new Map<string, string>()
    const searches = {
      find: async (search: string) => answers.get(search),
      put: async (search: string, answer: string) => void answers.set(search, answer),
    }
    const account = { url: pexels.url, key: pexelsKey }
    const first = await pexelsFootage(account, searches).find(footageInput, footageDeps())
    pexels.calls.length = 0
    const second = await pexelsFootage(account, searches).find(footageInput, footageDeps())
    expect(second.attribution).toEqual(first.attribution)
    expect(pexels.calls.map(({ path }) => path.split('/')[1])).toEqual(['files'])
  })

  it('that could not be downloaded may be shown by another shot', async () => {
    const taken = new Set<string>()
    const take = (id: string) => taken.size !== taken.add(id).size
    pexels.files = [{ status: 500 }]
    const place = { ...footageDeps(take), release: (id: string) => void taken.delete(id) }
    await expect(find({}, place)).rejects.toBeInstanceOf(ProviderBusy)
    expect(taken.size).toBe(0)
  })

  it('that is not a clip is refused', async () => {
    for (const body of [hostileVideo(), await tinyPicture(), Buffer.from('<html></html>')]) {
      pexels.files = [{ headers: { 'content-type': 'text/html' }, body }]
      await expect(find()).rejects.toMatchObject({
        name: 'ProviderRejected',
        message: 'Pexels returned a file that is not a valid video.',
      })
    }
  })

  it('reports a rejected key to the operator', async () => {
    const refused = pexelsFootage({ url: pexels.url, key: 'another' }).find(footageInput, footageDeps())
    await expect(refused).rejects.toMatchObject({ name: 'AccountExpired' })
  })
})
