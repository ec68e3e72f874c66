/** Checks of a post before anything is sent, and limits of what is sent. */
import { describe, expect, it } from 'vitest'
import type { Post, PostedVideo, PostingState } from '../../../lib/domain/publishing/posting.ts'
import { blueskyPublisher } from '../../../lib/platforms/bluesky/publish.ts'
import { linkedinPublisher } from '../../../lib/platforms/linkedin/publish.ts'
import { multipartForm } from '../../../lib/platforms/multipart.ts'
import { pinterestPublisher } from '../../../lib/platforms/pinterest/publish.ts'
import type { PublishContext, Publisher } from '../../../lib/platforms/publisher.ts'
import { redditPublisher } from '../../../lib/platforms/reddit/publish.ts'
import { twitterPublisher } from '../../../lib/platforms/twitter/publish.ts'
import { uploadHostFailure } from '../../../lib/platforms/upload-host.ts'

const film: PostedVideo = {
  bytes: 5_000_000,
  width: 1080,
  height: 1920,
  durationMs: 30_000,
  url: 'https://media.example/film.mp4',
  coverUrl: 'https://media.example/film.jpg',
}
const post: Post = {
  id: 'post1',
  caption: 'A caption',
  title: 'A title',
  language: 'en',
  film,
  acceptedAt: '2026-11-21T10:00:00.000Z',
}
const account = { externalId: '1', username: 'user1', settings: {} }

const asked: Record<string, Publisher> = {
  twitter: twitterPublisher(),
  linkedin: linkedinPublisher(),
  pinterest: pinterestPublisher(),
  reddit: redditPublisher(),
  bluesky: blueskyPublisher(),
}

interface Limit {
  platform: keyof typeof asked
  code: string
  /** The last accepted value, and the first rejected one. */
  last: Partial<Omit<Post, 'film'> & { film: Partial<PostedVideo> }>
  first: Partial<Omit<Post, 'film'> & { film: Partial<PostedVideo> }>
}

const captions = (platform: string, max: number, letter = 'a'): Limit => ({
  platform,
  code: 'caption-too-long',
  last: { caption: letter.repeat(max) },
  first: { caption: letter.repeat(max + 1) },
})
const titles = (platform: string, max: number): Limit => ({
  platform,
  code: 'title-too-long',
  last: { title: 'a'.repeat(max) },
  first: { title: 'a'.repeat(max + 1) },
})
const films = (platform: string, code: string, last: Partial<PostedVideo>, first: Partial<PostedVideo>): Limit => ({
  platform,
  code,
  last: { film: last },
  first: { film: first },
})

const documented: Limit[] = [
  captions('twitter', 280),
  captions('twitter', 140, '日'),
  captions('twitter', 140, '😀'),
  captions('linkedin', 3000),
  captions('pinterest', 800),
  captions('reddit', 40_000),
  captions('bluesky', 300),
  // 25 bytes each: 3,000 bytes are reached before 300 characters.
  captions('bluesky', 120, '👨‍👩‍👧‍👦'),
  titles('pinterest', 100),
  titles('reddit', 300),
  films('twitter', 'film-too-long', { durationMs: 140_000 }, { durationMs: 140_001 }),
  films('twitter', 'film-too-short', { durationMs: 500 }, { durationMs: 499 }),
  films('twitter', 'film-too-large', { bytes: 536_870_912 }, { bytes: 536_870_913 }),
  films('twitter', 'film-wrong-format', { width: 1000, height: 3000 }, { width: 999, height: 3000 }),
  films('linkedin', 'film-too-short', { durationMs: 3_000 }, { durationMs: 2_999 }),
  films('linkedin', 'film-too-long', { durationMs: 1_800_000 }, { durationMs: 1_800_001 }),
  films('linkedin', 'film-wrong-format', { width: 1000, height: 2400 }, { width: 1000, height: 2401 }),
  films('pinterest', 'film-too-short', { durationMs: 4_000 }, { durationMs: 3_999 }),
  films('pinterest', 'film-too-long', { durationMs: 900_000 }, { durationMs: 900_001 }),
  films('reddit', 'film-too-long', { durationMs: 900_000 }, { durationMs: 900_001 }),
  films('bluesky', 'film-too-large', { bytes: 300_000_000 }, { bytes: 300_000_001 }),
]

describe('before anything is sent', () => {
  const check = (platform: string, { film: of, ...changed }: Limit['last']) =>
    asked[platform]!.validate({ ...post, ...changed, film: { ...film, ...of } }, account)

  it.each(documented)('$platform rejects with $code, exactly at its limit', ({ platform, code, last, first }) => {
    expect(check(platform, last)).toBeNull()
    expect(check(platform, first)).toEqual({ code, message: expect.stringMatching(/\d/) })
  })
})

const context = (now: string): PublishContext => ({
  post,
  account,
  token: 'a',
  now,
  readRender: () => {
    throw new Error('The film is not asked for.')
  },
  http: () => {
    throw new Error('Nothing is sent.')
  },
})

describe('a publishing request', () => {
  const upload = { key: 'a', url: 'https://a.example/a' }
  const armed: [Publisher, PostingState][] = [
    [twitterPublisher(), { step: 'post', mediaId: '1', armedAt: post.acceptedAt } as PostingState],
    [linkedinPublisher(), { step: 'post', video: 'urn:li:video:1', armedAt: post.acceptedAt } as PostingState],
    [pinterestPublisher(), { step: 'post', board: '1', mediaId: '1', armedAt: post.acceptedAt } as PostingState],
    [redditPublisher(), { step: 'submit', film: upload, poster: upload, armedAt: post.acceptedAt } as PostingState],
  ]

  it.each(armed)('is not sent long after the time in its state', async (publisher, state) => {
    expect(publisher.mayPublish(state)).toBe(true)
    const now = '2026-11-21T10:01:01.000Z'
    expect(await publisher.step(state, context(now))).toEqual({ kind: 'continue', state: { ...state, armedAt: now } })
    await expect(publisher.step(state, context('2026-11-21T10:01:00.000Z'))).rejects.toThrow('Nothing is sent.')
  })
})

describe('a multipart form', () => {
  it('has its announced length, its fields before its file, and every name unchanged', async () => {
    async function* read() {
      yield Buffer.from('one ')
      yield Buffer.from('two')
    }
    const fields = { 'a "b"': 'c\r\n--d', key: 'ü' }
    const { type, body } = multipartForm(fields, { field: 'file', name: 'f.mp4', type: 'video/mp4', bytes: 7, read })
    const bytes = Buffer.concat(await Array.fromAsync(body.read()))
    expect(bytes.byteLength).toBe(body.bytes)
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    expect([...form.keys()]).toEqual(['a "b"', 'key', 'file'])
    expect(form.get('a "b"')).toBe('c\r\n--d')
    expect(await (form.get('file') as File).text()).toBe('one two')
  })
})

describe('the upload host', () => {
  const answered = (status: number, body = '') => ({ status, headers: {}, body: Buffer.from(body) })

  it('gets no information about the account', () => {
    for (const status of [401, 403, 503])
      expect(uploadHostFailure(answered(status), post.acceptedAt).kind).toBe('retry')
  })

  it('rejects a file that is too large as a permanent error', () => {
    const answer = answered(400, '<Error><Code>EntityTooLarge</Code></Error>')
    expect(uploadHostFailure(answer, post.acceptedAt)).toMatchObject({ kind: 'refused', code: 'film-too-large' })
  })
})
