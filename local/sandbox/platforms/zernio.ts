// Zernio in front of each platform of the sandbox, publishing to the same feeds. An API key is a token of the platform's user, and the id of
// the account is that of the user. Written from https://docs.zernio.com and the models of its own clients (https://docs.rs/crate/late).

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { SandboxUser } from '../server/access-tokens.ts'
import type { SandboxRequest } from '../server/request.ts'
import { respond, type SandboxDeps, type SandboxPlatform } from './platform.ts'

interface ZernioPost {
  id: string
  owner: SandboxUser
  requestId: string | undefined
  /** Hash of account, text and media: a duplicate is rejected for a day. */
  hash: string
  content: string
  metadata: Record<string, unknown> | undefined
  at: number
  /** When the post is on the platform. */
  readyAt: number
  platformPostId: string
  failure?: { message: string; category: string } | undefined
}

const publishingSeconds = 8
const sameRequestSeconds = 300
const sameContentSeconds = 86_400
/** Delay until a new post is in the list. */
const lagSeconds = 20

const httpAddress = v.pipe(v.string(), v.url())
const text = v.pipe(v.string(), v.minLength(1))
const postFields = (platform: PlatformId) => ({
  content: v.optional(v.string(), ''),
  mediaItems: v.tuple([v.strictObject({ type: v.literal('video'), url: httpAddress })]),
  platforms: v.tuple([
    v.strictObject({
      platform: v.literal(platform),
      accountId: text,
      platformSpecificData: v.optional(v.record(v.string(), v.union([v.string(), v.boolean()]))),
    }),
  ]),
  publishNow: v.literal(true),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  ...(platform === 'tiktok' && { tiktokSettings: v.strictObject(tiktokFields) }),
})
const tiktokFields = {
  privacy_level: text,
  allow_comment: v.boolean(),
  allow_duet: v.boolean(),
  allow_stitch: v.boolean(),
  video_made_with_ai: v.boolean(),
  content_preview_confirmed: v.literal(true),
  express_consent_given: v.literal(true),
}
const pageFields = {
  page: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d*$/)), '1'),
  limit: v.optional(v.pipe(v.string(), v.regex(/^([1-9]\d?|100)$/)), '10'),
  sortBy: v.optional(v.literal('created-desc')),
}

const errorBody = (status: number, code: string, error: string, more: object = {}) =>
  respond(status, { error, code, ...more })

/** The operations of Zernio for one platform. */
export function zernioAggregator(
  platform: PlatformId,
  { clock, publishedPosts: ledger, media, records }: SandboxDeps,
): SandboxPlatform {
  const posts = records.collection<ZernioPost>(`zernio-${platform}`)
  const of = (user: SandboxUser) => posts.list().filter(({ owner }) => owner.externalId === user.externalId)
  const isYoung = ({ at }: ZernioPost, seconds: number) => clock.now() - at <= seconds * 1000

  function shown(post: ZernioPost) {
    const isThere = post.readyAt <= clock.now()
    const status = post.failure ? 'failed' : isThere ? 'published' : 'publishing'
    const place = { platformPostId: post.platformPostId, platformPostUrl: urlOf(platform, post.platformPostId) }
    const { externalId: _id, username } = post.owner
    const one = { platform, accountId: { _id, platform, username, isActive: true }, status }
    const failure = { errorMessage: post.failure?.message, errorCategory: post.failure?.category }
    return {
      _id: post.id,
      content: post.content,
      status,
      platforms: [{ ...one, ...(status === 'published' && place), ...(post.failure && failure) }],
      ...(post.metadata && { metadata: post.metadata }),
      createdAt: new Date(post.at).toISOString(),
    }
  }

  async function create(ask: SandboxRequest) {
    const { content, mediaItems, platforms, metadata } = ask.json(postFields(platform))
    const [{ url }, { accountId, platformSpecificData = {} }] = [mediaItems[0], platforms[0]]
    const requestId = ask.headers['x-request-id']
    const mine = of(ask.user)
    const same = mine.find((post) => requestId && post.requestId === requestId && isYoung(post, sameRequestSeconds))
    if (same) return respond(200, { existingPost: shown(same) })
    if (accountId !== ask.user.externalId) return errorBody(403, 'account_not_found', 'The account is not yours.')
    const hash = createHash('sha256')
      .update(JSON.stringify([platform, accountId, content, url]))
      .digest('hex')
    const before = mine.find((post) => post.hash === hash && isYoung(post, sameContentSeconds))
    if (before) {
      const more = { accountId, platform, existingPostId: before.id }
      return errorBody(409, 'duplicate_content', 'This content was posted within the last 24 hours.', more)
    }
    const film = await media.fetchFrom(url)
    if ('reason' in film || !film.facts?.video) return errorBody(400, 'invalid_media', 'The media cannot be fetched.')
    const number = records.nextNumber()
    const id = number.toString(16).padStart(24, '0')
    const refused = ask.fault?.kind === 'fail' ? { message: 'It is refused.', category: ask.fault.detail } : undefined
    const isStuck = ask.fault?.kind === 'stuck-processing'
    const readyAt = isStuck ? Number.MAX_SAFE_INTEGER : clock.now() + clock.scaled(publishingSeconds * 1000)
    const post = { id, owner: ask.user, requestId, hash, content, metadata, at: clock.now(), readyAt }
    posts.put(id, { ...post, platformPostId: String(7_000_000_000 + number), failure: refused })
    if (!refused) {
      ledger.add({
        platform,
        account: accountId,
        externalId: String(7_000_000_000 + number),
        knownAs: [id],
        url: urlOf(platform, String(7_000_000_000 + number)),
        caption: content,
        title: typeof platformSpecificData.title === 'string' ? platformSpecificData.title : null,
        sha256: film.sha256,
        at: readyAt,
        fields: { via: 'zernio' },
      })
    }
    return respond(201, { message: 'Post created.', post: { ...shown(posts.get(id)!), platforms } })
  }

  function show(ask: SandboxRequest) {
    const post = of(ask.user).find(({ id }) => id === ask.params.id)
    return post ? respond(200, { post: shown(post) }) : errorBody(404, 'not_found', 'Not found')
  }

  function list(ask: SandboxRequest) {
    const { page, limit } = ask.query(pageFields)
    const all = of(ask.user).filter((post) => posts.isEarlier(post.id) || !isYoung(post, lagSeconds))
    const from = (Number(page) - 1) * Number(limit)
    const pages = Math.ceil(all.length / Number(limit))
    const shownPosts = all
      .toReversed()
      .slice(from, from + Number(limit))
      .map(shown)
    return respond(200, {
      posts: shownPosts,
      pagination: { page: Number(page), limit: Number(limit), total: all.length, pages },
    })
  }

  const accounts = ({ user: { externalId: _id, username } }: SandboxRequest) =>
    respond(200, { accounts: [{ _id, platform, username, displayName: username, isActive: true }] })

  const v1 = `/zernio/${platform}/api/v1`
  return {
    id: platform,
    urls: (base) => ({ zernio: `${base}/zernio/${platform}/api` }),
    tokenSeconds: null,
    operations: [
      { op: 'zernio-create', method: 'POST', path: `${v1}/posts`, needsToken: true, handle: create },
      { op: 'zernio-list', method: 'GET', path: `${v1}/posts`, needsToken: true, handle: list },
      { op: 'zernio-post', method: 'GET', path: `${v1}/posts/{id}`, needsToken: true, handle: show },
      { op: 'zernio-accounts', method: 'GET', path: `${v1}/accounts`, needsToken: true, handle: accounts },
    ],
    errors: {
      failure: (status) => errorBody(status, 'internal_error', 'Something went wrong.'),
      unauthorised: () => errorBody(401, 'unauthorized', 'Unauthorized'),
      rateLimited: (seconds) => ({
        ...errorBody(429, 'rate_limited', 'Too many requests.'),
        headers: { 'retry-after': String(seconds) },
      }),
      malformed: (message) => errorBody(400, 'invalid_request', message),
    },
  }
}

const urlOf = (platform: PlatformId, id: string) => `https://${platform}.example/posts/${id}`
