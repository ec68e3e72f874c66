/** Free pictures and footage of Wikimedia Commons and Openverse: licences, sizes, credits, and no picture twice. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ProviderBusy, ProviderRejected } from '../../lib/domain/core/failures.ts'
import { detectDemuxer } from '../../lib/ffmpeg/limits.ts'
import { wikimediaFootage } from '../../lib/providers/footage/wikimedia.ts'
import type { PictureInput } from '../../lib/providers/images/index.ts'
import { openverseImages } from '../../lib/providers/images/openverse.ts'
import { wikimediaImages } from '../../lib/providers/images/wikimedia.ts'
import { hostileVideo } from '../support/fake-vendors/media.ts'
import { type FakeOpenverse, startFakeOpenverse } from '../support/fake-vendors/openverse.ts'
import { type FakeWikimedia, startFakeWikimedia } from '../support/fake-vendors/wikimedia.ts'
import { removeScratch } from '../support/provider-orders.ts'
import { footageDeps, footageInput, footageSuite } from './footage-suite.ts'
import { pictureInput } from './images-suite.ts'

const userAgent = 'Reelsmith/1.0 (mail@example.com)'
let wikimedia: FakeWikimedia
let openverse: FakeOpenverse
beforeAll(async () => {
  ;[wikimedia, openverse] = await Promise.all([startFakeWikimedia(), startFakeOpenverse()])
})
afterAll(() => Promise.all([wikimedia.stop(), openverse.stop()]))
beforeEach(() => {
  for (const vendor of [wikimedia, openverse]) {
    Object.assign(vendor, { faults: [], files: [], searchResults: new Map() })
    vendor.calls.length = 0
  }
  wikimedia.searchResults.set('mountains', [{ id: 1 }, { id: 2 }, { id: 3 }])
  openverse.searchResults.set('mountains', [{ id: 'a' }, { id: 'b' }, { id: 'c' }])
})
afterEach(removeScratch)

const collections = {
  'Wikimedia Commons': () => wikimediaImages({ url: wikimedia.url, userAgent }),
  Openverse: () => openverseImages({ url: openverse.url, userAgent }),
}
const vendorOf = (name: string) => (name === 'Openverse' ? openverse : wikimedia)

function reservations() {
  const taken = new Set<string>()
  return {
    taken,
    reserve: (id: string) => taken.size !== taken.add(id).size,
    release: (id: string) => void taken.delete(id),
  }
}

describe.each(Object.entries(collections))('pictures of %s', (name, make) => {
  const draw = (input: Partial<PictureInput> = {}, kept = reservations()) =>
    make().draw({ ...pictureInput, ...input }, undefined, kept)

  it('fill the frame and name author, licence and page', async () => {
    const { bytes, contentType, attribution } = await draw()
    expect([contentType, detectDemuxer(bytes)]).toEqual(['image/jpeg', 'jpeg_pipe'])
    expect(attribution).toMatchObject({
      author: expect.stringMatching(/^Author \w$/),
      licence: name === 'Openverse' ? 'CC BY 2.0' : 'CC BY-SA 4.0',
      url: expect.stringMatching(/^https:/),
      title: expect.any(String),
    })
  })

  it('are found by what is to be shown, then by the words of the shot', async () => {
    vendorOf(name).searchResults.set('hot springs', [])
    await draw({ scene: { layout: 'hero', ground: 'sky', objects: ['hot-springs'] }, keywords: ['mountains'] })
    const words = vendorOf(name).calls.flatMap(({ query }) => query.get('q') ?? query.get('gsrsearch') ?? [])
    expect(words.map((text) => text.replace(/ file.*/, ''))).toEqual(['hot springs', 'mountains'])
  })

  it('are shown once in a video, and refused if there is no other one', async () => {
    const kept = reservations()
    const drawn = await Promise.all([1, 2, 3].map(() => draw({}, kept)))
    expect(new Set(drawn.map(({ attribution }) => attribution!.id)).size).toBe(3)
    await expect(draw({}, kept)).rejects.toBeInstanceOf(ProviderRejected)
  })

  it('are the same for the same input', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await draw()).attribution!.id))
    expect(ids[0]).toBe(ids[1])
  })

  it('that are no picture, or too large, are replaced by another one', async () => {
    vendorOf(name).files = [{ body: hostileVideo() }, { status: 404 }]
    expect((await draw()).attribution).toBeDefined()
  })

  it('are retried while the source is throttled or down, and may then be taken by another shot', async () => {
    for (const fault of [{ status: 429 }, { status: 502 }, 'lost', { body: 'no json' }] as const) {
      vendorOf(name).faults = [fault]
      await expect(draw()).rejects.toBeInstanceOf(ProviderBusy)
    }
    const kept = reservations()
    vendorOf(name).faults = [null, { status: 503 }]
    await expect(draw({}, kept)).rejects.toBeInstanceOf(ProviderBusy)
    expect(kept.taken.size).toBe(0)
  })

  it('are searched for once a day', async () => {
    const answers = new Map<string, string>()
    const searches = {
      find: async (search: string) => answers.get(search),
      put: async (search: string, answer: string) => void answers.set(search, answer),
    }
    const source = { url: vendorOf(name).url, userAgent }
    const cached = name === 'Openverse' ? openverseImages(source, searches) : wikimediaImages(source, searches)
    await cached.draw(pictureInput)
    vendorOf(name).calls.length = 0
    await cached.draw(pictureInput)
    expect(vendorOf(name).calls.map(({ path }) => path.split('/')[1])).toEqual(['files'])
  })
})

describe('pictures of Wikimedia Commons', () => {
  const draw = () => collections['Wikimedia Commons']().draw(pictureInput)

  it.each([
    ['forbids commercial use', { licence: ['cc-by-nc-4.0', 'CC BY-NC 4.0'] }],
    ['forbids changes', { licence: ['cc-by-nd-2.0', 'CC BY-ND 2.0'] }],
    ['is unknown', { licence: ['', ''] }],
    ['is another one', { licence: ['gfdl', 'GFDL'] }],
    ['comes with rights of a person', { restrictions: 'personality' }],
  ] as const)('are not used if the licence %s', async (_, more) => {
    wikimedia.searchResults.set('mountains', [{ id: 1, ...more }])
    await expect(draw()).rejects.toBeInstanceOf(ProviderRejected)
  })

  it('have their author without markup', async () => {
    wikimedia.searchResults.set('mountains', [
      {
        id: 7,
        title: 'Mountains_of_X',
        artist: '<b>Ann &amp; Bob</b> (<a href="x">talk</a>)',
        licence: ['cc0', 'CC0'],
      },
    ])
    expect((await draw()).attribution).toEqual({
      id: 'commons-7',
      author: 'Ann & Bob',
      url: 'https://commons.wikimedia.org/?curid=7',
      title: 'Mountains of X',
      licence: 'CC0',
    })
  })

  it('prefer large ones that are named as searched, and skip small ones', async () => {
    wikimedia.searchResults.set('mountains', [
      { id: 1, width: 500, height: 900 },
      ...[2, 3, 4, 5].map((id) => ({ id, title: `Mountains ${id}` })),
      { id: 6, title: 'A hotel' },
    ])
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(async (seed) => {
        const { attribution } = await collections['Wikimedia Commons']().draw({ ...pictureInput, seed })
        return attribution!.id
      }),
    )
    expect(ids.filter((id) => id === 'commons-1' || id === 'commons-6')).toEqual([])
  })
})

describe('pictures of Openverse', () => {
  it('are not used under another licence than was asked for', async () => {
    openverse.searchResults.set('mountains', [{ id: 'x', license: 'by-nc' }])
    await expect(collections.Openverse().draw(pictureInput)).rejects.toBeInstanceOf(ProviderRejected)
  })
})

describe('footage of Wikimedia Commons', () => {
  beforeEach(() => {
    wikimedia.searchResults.set('waves beach', [{ id: 1 }, { id: 2 }])
  })
  const footage = () => wikimediaFootage({ url: wikimedia.url, userAgent })
  const find = (input = {}, deps = footageDeps()) => footage().find({ ...footageInput, ...input }, deps)
  footageSuite('of a stand-in for Wikimedia Commons', footage)

  it('is the smallest WebM file that fills the frame, and names its author', async () => {
    const { attribution } = await find({ width: 360, height: 640 })
    expect(wikimedia.calls.at(-1)!.path).toMatch(/-720\.webm$/)
    expect(attribution).toMatchObject({ author: expect.stringMatching(/^Author/), licence: 'CC BY-SA 4.0' })
  })

  it.each([
    ['is too short', { duration: 0.5 }],
    ['is a recording of an event', { duration: 3600 }],
    ['has no WebM file', { types: ['video/ogg'] }],
    ['may not be changed', { licence: ['cc-by-nd-4.0', 'CC BY-ND 4.0'] as [string, string] }],
  ])('is refused if it %s', async (_, more) => {
    wikimedia.searchResults.set('waves beach', [{ id: 1, ...more }])
    await expect(find()).rejects.toBeInstanceOf(ProviderRejected)
  })

  it('that is no video is replaced by another one', async () => {
    wikimedia.files = [{ body: hostileVideo() }]
    expect((await find()).attribution).toBeDefined()
  })
})
