/**
 * Possible responses that the sandbox never returns: nothing is sent again, and no result is assumed, when the
 * platform may have acted.
 */
import { describe, expect, it } from 'vitest'
import type { Post, PostingState } from '../../../lib/domain/publishing/posting.ts'
import { blueskyPublisher } from '../../../lib/platforms/bluesky/publish.ts'
import { facebookPublisher } from '../../../lib/platforms/facebook/publish.ts'
import { NoResponse } from '../../../lib/platforms/failures.ts'
import { instagramPublisher } from '../../../lib/platforms/instagram/publish.ts'
import { linkedinPublisher } from '../../../lib/platforms/linkedin/publish.ts'
import { mayBeVisible } from '../../../lib/platforms/may-be-visible.ts'
import { pinterestPublisher } from '../../../lib/platforms/pinterest/publish.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../../../lib/platforms/publisher.ts'
import { redditPublisher } from '../../../lib/platforms/reddit/publish.ts'
import { isSameSite } from '../../../lib/platforms/requests.ts'
import { retryAfterSeconds } from '../../../lib/platforms/responses.ts'
import { tiktokPublisher } from '../../../lib/platforms/tiktok/publish.ts'
import { twitterPublisher } from '../../../lib/platforms/twitter/publish.ts'
import { youtubePublisher } from '../../../lib/platforms/youtube/publish.ts'

const at = '2026-11-21T10:00:00.000Z'
const later = '2026-11-21T11:00:00.000Z'
const post: Post = {
  id: 'post1',
  caption: 'A caption',
  title: 'A title',
  language: 'en',
  film: { bytes: 16, width: 1080, height: 1920, durationMs: 30_000, url: '', coverUrl: '' },
  acceptedAt: at,
}

interface Given {
  status?: number
  headers?: Record<string, string>
  body?: object
}

/** A platform with these responses, request by request. */
function context(...given: Given[]): PublishContext {
  const answers = given.map(
    ({ status = 200, headers = {}, body = {} }): PlatformResponse => ({
      status,
      headers,
      body: Buffer.from(JSON.stringify(body)),
    }),
  )
  return {
    post,
    account: { externalId: '1', username: 'user1', settings: {} },
    token: 'a',
    now: later,
    readRender: () => {
      throw new Error('The film is not read.')
    },
    http: async () => {
      const next = answers.shift()
      if (!next) throw new Error('One request too many.')
      return next
    },
  }
}

describe('a list that may show the post', () => {
  const tweets = twitterPublisher()
  const tweeted = { step: 'post', mediaId: '5', armedAt: at } as const
  const pins = pinterestPublisher()
  const pinned = { step: 'post', board: '1', mediaId: '5', armedAt: at } as const
  const pin = (more: object) => ({ id: '9', created_at: '2026-11-21T10:00:10', board_id: '1', ...more })

  it('proves nothing on X when an entry does not name its video', async () => {
    const found = (data: object[]) => tweets.lookUp(tweeted, context({ body: { data } }))
    expect(await found([{ id: '1' }])).toMatchObject({ kind: 'unsure' })
    expect(await found([{ id: '1', attachments: { media_keys: ['7_6'] } }])).toMatchObject({ kind: 'absent' })
    expect(await found([{ id: '1', attachments: { media_keys: ['7_5'] } }])).toMatchObject({ kind: 'published' })
  })

  it('proves nothing on Pinterest when a recent pin has another text', async () => {
    const found = (items: object[]) => pins.lookUp(pinned, context({ body: { items } }))
    expect(await found([pin({ title: 'A title', description: 'A  caption' })])).toMatchObject({ kind: 'unsure' })
    expect(await found([pin({ board_id: '2' })])).toMatchObject({ kind: 'absent' })
    expect(await found([pin({ created_at: '2026-11-21T09:00:00' })])).toMatchObject({ kind: 'absent' })
    expect(await found([pin({ title: post.title, description: post.caption })])).toMatchObject({ kind: 'published' })
  })
})

describe('another post of the same account', () => {
  const onLinkedIn = { step: 'post', video: 'urn:li:video:5', armedAt: at } as const
  const upload = { key: 'five', url: 'https://a.example/five' }
  const onReddit = { step: 'submit', film: upload, poster: upload, armedAt: at } as const

  it('is not taken for ours on LinkedIn', async () => {
    const found = (id: string) =>
      linkedinPublisher().lookUp(
        onLinkedIn,
        context({ body: { elements: [{ id: 'urn:li:share:9', content: { media: { id } } }] } }),
      )
    expect(await found('urn:li:video:6')).toMatchObject({ kind: 'absent' })
    expect(await found('urn:li:video:5')).toMatchObject({ kind: 'published', externalId: 'urn:li:share:9' })
  })

  it('is not taken for ours on Reddit', async () => {
    const list = (key: string) => ({
      body: { data: { children: [{ data: { name: 't3_9', url: `https://v.redd.it/${key}`, permalink: '/r/a/9/' } }] } },
    })
    expect(await redditPublisher().lookUp(onReddit, context(list('six')))).toMatchObject({ kind: 'absent' })
    expect(await redditPublisher().lookUp(onReddit, context(list('five')))).toMatchObject({ kind: 'published' })
    const finding = { step: 'find', film: upload } as const
    expect(await redditPublisher().step(finding, context(list('six')))).toMatchObject({ kind: 'continue' })
    expect(await redditPublisher().step(finding, context(list('five')))).toMatchObject({
      kind: 'done',
      externalId: 't3_9',
    })
  })
})

describe('a success without content', () => {
  it('is not a success on Bluesky', async () => {
    const blob = { $type: 'blob', ref: { $link: 'b' }, mimeType: 'video/mp4', size: 1 } as const
    await expect(blueskyPublisher().step({ step: 'post', blob }, context({}))).rejects.toThrow(NoResponse)
  })
})

describe('a video that TikTok may have received completely', () => {
  const publisher = tiktokPublisher(undefined, 5)
  const sending = (chunk: number) =>
    ({ step: 'upload', publishId: 'p', uploadUrl: 'https://a.example', chunk }) as const
  const progress = (data: object) => ({
    body: { data: { status: 'PROCESSING_UPLOAD', ...data }, error: { code: 'ok' } },
  })

  it('is not restarted when its upload URL has expired', async () => {
    for (const data of [{}, { uploaded_bytes: 16 }]) {
      const step = publisher.step(sending(0), context({ status: 404 }, progress(data)))
      await expect(step).rejects.toThrow(NoResponse)
    }
    const begun = await publisher.step(sending(0), context({ status: 404 }, progress({ uploaded_bytes: 5 })))
    expect(begun).toEqual({ kind: 'continue', state: { step: 'begin' } })
  })

  it("is not reported as refused because of the upload host's response", async () => {
    for (const status of [400, 401, 403, 416]) {
      await expect(publisher.step(sending(2), context({ status }))).rejects.toThrow(NoResponse)
    }
  })

  it('continues with a chunk that exists, and not without that knowledge', async () => {
    const found = (chunk: number, data: object) => publisher.lookUp(sending(chunk), context(progress(data)))
    expect(await found(2, { uploaded_bytes: 15 })).toMatchObject({ kind: 'absent', state: { chunk: 2 } })
    expect(await found(2, {})).toMatchObject({ kind: 'unsure' })
    expect(await found(1, {})).toMatchObject({ kind: 'absent', state: { chunk: 1 } })
  })

  it('is refused when TikTok reports an error with status 200', async () => {
    const answer = { body: { error: { code: 'unaudited_client_can_only_post_to_private_accounts' } } }
    expect(await publisher.step({ step: 'begin' }, context(answer))).toMatchObject({ kind: 'refused' })
  })
})

describe('a container that Instagram may have published', () => {
  const publisher = instagramPublisher()
  const armed = { step: 'publish', container: '17', tries: 1, armedAt: later } as PostingState

  it.each([
    { status: 500, body: { error: { code: 9, error_subcode: 2207042 } } },
    { status: 400, body: { error: { code: -1, error_subcode: 2207001 } } },
    { status: 400, body: { error: { code: 24, error_subcode: 2207008 } } },
    { status: 400, body: { error: { code: 1 } } },
  ])('is queried after %j', async (answer) => {
    await expect(publisher.step(armed, context(answer))).rejects.toThrow(NoResponse)
  })
})

describe('a refusal of the publishing call', () => {
  const refused = { status: 400, body: { error: { code: 100, message: 'No.' } } }
  const duplicate = { status: 400, body: { error: { code: 506, message: 'Again.' } } }
  const silent = { status: 500 }

  it.each([refused, duplicate])('is accepted only when the container has no post: %j', async (answer) => {
    const armed = { step: 'publish', container: '17', tries: 1, armedAt: later } as PostingState
    const outcomeAfter = (looked: Given) => instagramPublisher().step(armed, context(answer, looked))
    expect(await outcomeAfter({ body: { status_code: 'PUBLISHED' } })).toMatchObject({ kind: 'done', externalId: '17' })
    expect((await outcomeAfter({ body: { status_code: 'FINISHED' } })).kind).toMatch(/refused|duplicate/)
    await expect(outcomeAfter(silent)).rejects.toThrow(NoResponse)
  })

  it.each([refused, duplicate])('is accepted only when the reel is not in progress: %j', async (answer) => {
    const finishing = { step: 'finish', videoId: '1' } as const
    const phase = (status: string) => ({
      body: { status: { video_status: 'processing', publishing_phase: { status } } },
    })
    const outcomeAfter = (looked: Given) => facebookPublisher().step(finishing, context(answer, looked))
    expect(await outcomeAfter(phase('in_progress'))).toMatchObject({ kind: 'continue', state: { step: 'check' } })
    expect((await outcomeAfter(phase('not_started'))).kind).toMatch(/refused|duplicate/)
    await expect(outcomeAfter(silent)).rejects.toThrow(NoResponse)
  })
})

describe('a part of an upload', () => {
  // Of 16 bytes, like the video.
  const part = (publisher: Publisher, state: object) => publisher.isPartialUpload?.(state as PostingState, post)
  it('is not the last one while the last part is still missing', () => {
    const chunk = (number: number) =>
      part(tiktokPublisher(undefined, 5), { step: 'upload', publishId: 'p', uploadUrl: '', chunk: number })
    expect([0, 1, 2].map(chunk)).toEqual([true, true, false])
    const offset = (bytes: number) =>
      part(youtubePublisher(undefined, 5), { step: 'upload', session: '', offset: bytes })
    expect([0, 5, 10, 11, 15].map(offset)).toEqual([true, true, true, false, false])
    expect(part(tiktokPublisher(), { step: 'begin' })).toBe(false)
    expect(part(youtubePublisher(), { step: 'check' })).toBe(false)
  })
})

describe('a video that YouTube does not list', () => {
  it('is never reported as published', async () => {
    const checking = { step: 'check', videoId: 'v', polls: 20 } as const
    expect(await youtubePublisher().step(checking, context({ body: { items: [] } }))).toMatchObject({ kind: 'retry' })
    const gone = { body: { items: [{ status: { uploadStatus: 'deleted' } }] } }
    expect(await youtubePublisher().step(checking, context(gone))).toMatchObject({ kind: 'refused', code: 'deleted' })
  })
})

describe('a wait that a platform requests', () => {
  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '1e300' }, 86_400],
    [{ 'retry-after': 'Infinity' }, 86_400],
    [{ 'retry-after': '-1' }, 60],
    [{ 'x-rate-limit-reset': String(Date.parse(at) / 1000 + 90) }, 90],
    [{ 'x-rate-limit-reset': '99999999999999' }, 86_400],
  ])('is limited to a day: %j', (headers, seconds) => {
    expect(retryAfterSeconds({ status: 429, headers, body: new Uint8Array() }, at)).toBe(seconds)
  })
})

describe('a Reddit outage', () => {
  it('is not a rate limit, although every response contains rate limit headers', async () => {
    const rateLimited = {
      headers: { 'x-ratelimit-remaining': '95', 'x-ratelimit-reset': '580' },
      body: { message: 'No.' },
    }
    const waitAfter = async (status: number) =>
      await redditPublisher().step({ step: 'film' }, context({ status, ...rateLimited }))
    expect(await waitAfter(503)).toMatchObject({ kind: 'retry', waitSeconds: 15 })
    expect(await waitAfter(429)).toMatchObject({ kind: 'retry', waitSeconds: 580 })
  })
})

describe('a token', () => {
  it("is sent only to the platform's own hosts", async () => {
    const session = context({ headers: { location: 'https://googleapis.com.example/upload' } })
    await expect(youtubePublisher().step({ step: 'begin' }, session)).rejects.toThrow(NoResponse)
    const started = context({ body: { video_id: '1', upload_url: 'https://facebook.example/1' } })
    await expect(facebookPublisher().step({ step: 'start' }, started)).rejects.toThrow(NoResponse)
    expect(isSameSite('https://rupload.facebook.com/video-upload/1', 'https://graph.facebook.com/v26.0')).toBe(true)
    expect(isSameSite('http://www.googleapis.com/', 'https://www.googleapis.com')).toBe(false)
  })
})

describe('a post in progress', () => {
  const publisher: Publisher = {
    ...(instagramPublisher() as Publisher),
    initialState: () => ({ step: 'first' }),
    mayPublish: ({ step }) => step === 'edge',
  }
  it.each([
    ['first', 'edge', false, false],
    ['edge', 'edge', false, false],
    ['edge', 'edge', true, true],
    ['second', 'edge', true, false],
    ['edge', 'after', false, true],
    ['after', 'after', true, true],
    ['first', 'second', false, false],
    ['edge', 'first', false, false],
    ['after', 'first', true, false],
  ])('between %s and %s, previously %s: %s', (from, to, was, is) => {
    expect(mayBeVisible(publisher, post, { from: { step: from }, to: { step: to }, was })).toBe(is)
  })
})
