// LinkedIn, after its pages on the Videos API, the Posts API and little text format
// (https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api?view=li-lms-2026-05).

import * as v from 'valibot'
import type { StoredFile } from '../server/media-store.ts'
import { MalformedRequest, type SandboxRequest } from '../server/request.ts'
import { ErrorResponse, type Operation, type PlatformFactory, respond } from './platform.ts'

interface Video {
  id: string
  owner: string
  bytes: number
  uploadToken: string
  /** ETags of the parts, by position. */
  tags: (string | null)[]
  finalized?: { sha256: string; readyAt: number; isFit: boolean }
}

const versions = ['202511', '202512', '202601', '202602', '202603', '202604', '202605']
const partBytes = 4_194_304
const processingSeconds = 4
/** Delay until a new post is in its author's list. */
const lagSeconds = 20

const initializeFields = {
  initializeUploadRequest: v.strictObject({
    owner: v.string(),
    fileSizeBytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500 * 1024 * 1024)),
    uploadCaptions: v.boolean(),
    uploadThumbnail: v.boolean(),
  }),
}
const finalizeFields = {
  finalizeUploadRequest: v.strictObject({
    video: v.string(),
    uploadToken: v.string(),
    uploadedPartIds: v.array(v.string()),
  }),
}
const postFields = {
  author: v.string(),
  commentary: v.string(),
  visibility: v.picklist(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  distribution: v.strictObject({
    feedDistribution: v.literal('MAIN_FEED'),
    targetEntities: v.tuple([]),
    thirdPartyDistributionChannels: v.tuple([]),
  }),
  content: v.strictObject({ media: v.strictObject({ title: v.string(), id: v.string() }) }),
  lifecycleState: v.literal('PUBLISHED'),
  isReshareDisabledByAuthor: v.boolean(),
}
const listFields = {
  author: v.string(),
  q: v.literal('author'),
  count: v.pipe(v.string(), v.regex(/^([1-9]\d?|100)$/)),
  sortBy: v.literal('LAST_MODIFIED'),
}

const errorBody = (status: number, code: string, message: string) => respond(status, { status, code, message })
const denied = (message: string) => errorBody(403, 'ACCESS_DENIED', message)
const invalid = (message: string) => errorBody(400, 'INVALID_PARAMETER', message)

export const makeLinkedIn: PlatformFactory = ({ clock, publishedPosts: ledger, media, records }) => {
  const videos = records.collection<Video>('linkedin-video')

  const videoOf = (ask: SandboxRequest, id: string) => {
    const video = videos.get(id)
    if (video?.owner !== ask.user.externalId)
      throw new ErrorResponse(errorBody(404, 'NOT_FOUND', 'There is no such video.'))
    return video
  }

  async function act(ask: SandboxRequest) {
    const { action } = Object.fromEntries(ask.searchParams)
    if (action === 'initializeUpload') return initialize(ask)
    if (action === 'finalizeUpload') return finalize(ask)
    throw new MalformedRequest('There is no such action.')
  }

  function initialize(ask: SandboxRequest) {
    const { owner, fileSizeBytes: bytes } = ask.json(initializeFields).initializeUploadRequest
    if (owner !== ask.user.externalId) return denied('The owner must be whom the member may post for.')
    const number = records.nextNumber()
    const tags = Array.from({ length: Math.ceil(bytes / partBytes) }, () => null)
    const video: Video = { id: `urn:li:video:D4D05AQ${number}`, owner, bytes, uploadToken: `u${number}`, tags }
    videos.put(video.id, video)
    const uploadInstructions = tags.map((_, part) => ({
      uploadUrl: `${ask.base}/linkedin/dms-uploads/${number}/${part}?ut=${number}`,
      firstByte: part * partBytes,
      lastByte: Math.min((part + 1) * partBytes, bytes) - 1,
    }))
    const uploadUrlsExpireAt = clock.now() + 86_400_000
    return respond(200, {
      value: { uploadUrlsExpireAt, video: video.id, uploadInstructions, uploadToken: video.uploadToken },
    })
  }

  async function putPart(ask: SandboxRequest) {
    const video = videos.get(`urn:li:video:D4D05AQ${ask.params.number}`)
    const part = Number(ask.params.part)
    if (!video || !(part in video.tags)) return respond(404)
    if (ask.headers.authorization) return respond(403, 'The address is permission enough.')
    if (ask.headers['content-type'] !== 'application/octet-stream') return respond(415)
    const expected = Math.min((part + 1) * partBytes, video.bytes) - part * partBytes
    if (ask.body.byteLength !== expected) return respond(400, `The part has ${expected} bytes.`)
    await media.write(video.id, part * partBytes, ask.body)
    const tag = `"${video.uploadToken}-part-${part}"`
    videos.put(video.id, { ...video, tags: video.tags.with(part, tag) })
    return respond(200, undefined, { etag: tag })
  }

  async function finalize(ask: SandboxRequest) {
    const wish = ask.json(finalizeFields).finalizeUploadRequest
    const video = videoOf(ask, wish.video)
    if (video.finalized) return invalid('The upload is finalized.')
    if (wish.uploadToken !== video.uploadToken) return invalid('The upload token is another one.')
    if (wish.uploadedPartIds.join() !== video.tags.join()) return invalid('The parts are not those, in this order.')
    const file = await media.finish(video.id)
    const readyAt = clock.now() + clock.scaled(processingSeconds * 1000)
    videos.put(video.id, { ...video, finalized: { sha256: file.sha256, readyAt, isFit: isAcceptedVideo(file) } })
    return respond(200)
  }

  function status(ask: SandboxRequest) {
    const video = videoOf(ask, ask.params.id!)
    const { kind = '', detail = '' } = ask.fault ?? {}
    const finalized = video.finalized && {
      ...video.finalized,
      ...(kind === 'stuck-processing' && { readyAt: Number.MAX_SAFE_INTEGER }),
      ...(kind === 'fail' && { isFit: false, readyAt: 0 }),
    }
    if (finalized) videos.put(video.id, { ...video, finalized })
    const state = stateOf({ ...video, ...(finalized && { finalized }) }, clock.now())
    const why = state === 'PROCESSING_FAILED' && { processingFailureReason: detail || 'MEDIA_FORMAT_NOT_SUPPORTED' }
    return respond(200, { id: video.id, owner: video.owner, status: state, ...why })
  }

  function post(ask: SandboxRequest) {
    const wish = ask.json(postFields)
    const { externalId: account } = ask.user
    if (wish.author !== account) return denied('The author must be whom the member may post for.')
    const { sha256 } = videoOf(ask, wish.content.media.id).finalized ?? {}
    const caption = plainText(wish.commentary)
    if (caption === undefined) return invalid('/commentary: reserved characters must be escaped.')
    if (caption.length > 3000) return invalid('/commentary has more than 3000 characters.')
    if (!sha256 || stateOf(videoOf(ask, wish.content.media.id), clock.now()) !== 'AVAILABLE') {
      return invalid('/content/media/id: the video is not available.')
    }
    const before = ledger
      .list({ platform: 'linkedin', account })
      .find((one) => one.caption === caption && one.sha256 === sha256)
    const known = before?.externalId ?? (ask.fault?.kind === 'duplicate' && 'urn:li:share:7000000000000000000')
    if (known) return errorBody(422, 'DUPLICATE_POST', `Content is a duplicate of ${known}`)
    const id = `urn:li:ugcPost:${7_100_000_000_000_000_000n + BigInt(records.nextNumber())}`
    ledger.add({
      platform: 'linkedin',
      account,
      externalId: id,
      knownAs: [],
      url: `https://www.linkedin.com/feed/update/${id}`,
      caption,
      title: wish.content.media.title,
      sha256,
      at: clock.now(),
      fields: { video: wish.content.media.id, visibility: wish.visibility },
    })
    return respond(201, undefined, { 'x-restli-id': id })
  }

  function list(ask: SandboxRequest) {
    const { author, count } = ask.query(listFields)
    if (ask.headers['x-restli-method'] !== 'FINDER') throw new MalformedRequest('X-RestLi-Method must be FINDER.')
    // r_member_social is a restricted scope.
    if (author !== ask.user.externalId || author.startsWith('urn:li:person:')) {
      return denied('Not enough permissions to access: partnerApiPostsExternal.FINDER-author')
    }
    const elements = ledger
      .listed({ platform: 'linkedin', account: author }, lagSeconds * 1000)
      .toReversed()
      .slice(0, Number(count))
      .map((one) => ({ id: one.externalId, author, content: { media: { id: one.fields.video, title: one.title } } }))
    return respond(200, { paging: { start: 0, count: Number(count) }, elements })
  }

  /** Required headers of the versioned API. */
  const versioned = (call: Operation): Operation => ({
    ...call,
    handle(ask) {
      const version = ask.headers['linkedin-version'] ?? ''
      if (!versions.includes(version)) {
        return errorBody(426, 'NONEXISTENT_VERSION', `Requested version ${version} is not active`)
      }
      if (ask.headers['x-restli-protocol-version'] !== '2.0.0')
        throw new MalformedRequest('X-Restli-Protocol-Version: 2.0.0')
      return call.handle(ask)
    },
  })

  const rest = '/linkedin/api/rest'
  return {
    id: 'linkedin',
    urls: (base) => ({ api: `${base}/linkedin/api` }),
    tokenSeconds: 60 * 86_400,
    operations: [
      versioned({ op: 'video-action', method: 'POST', path: `${rest}/videos`, needsToken: true, handle: act }),
      { op: 'part', method: 'PUT', path: '/linkedin/dms-uploads/{number}/{part}', needsToken: false, handle: putPart },
      versioned({ op: 'video', method: 'GET', path: `${rest}/videos/{id}`, needsToken: true, handle: status }),
      versioned({ op: 'post', method: 'POST', path: `${rest}/posts`, needsToken: true, handle: post }),
      versioned({ op: 'list', method: 'GET', path: `${rest}/posts`, needsToken: true, handle: list }),
    ],
    errors: {
      failure: (status) => errorBody(status, 'INTERNAL_SERVER_ERROR', 'Internal Server Error'),
      unauthorised: (why) =>
        errorBody(401, why === 'revoked' ? 'REVOKED_ACCESS_TOKEN' : 'EXPIRED_ACCESS_TOKEN', `The token is ${why}.`),
      rateLimited: (seconds) => ({
        ...errorBody(429, 'TOO_MANY_REQUESTS', 'Resource level throttle limit for calls to this resource is reached.'),
        headers: { 'retry-after': String(seconds) },
      }),
      malformed: invalid,
    },
  }
}

function stateOf({ finalized }: Video, now: number): string {
  if (!finalized) return 'WAITING_UPLOAD'
  if (now < finalized.readyAt) return 'PROCESSING'
  return finalized.isFit ? 'AVAILABLE' : 'PROCESSING_FAILED'
}

function isAcceptedVideo({ facts }: StoredFile): boolean {
  if (!facts?.video || facts.durationMs === undefined) return false
  const { width, height } = facts.video
  const seconds = facts.durationMs / 1000
  return seconds >= 3 && seconds <= 1800 && width / height >= 1 / 2.4 && width / height <= 2.4
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format: the displayed text, or undefined if the format is not valid. */
function plainText(little: string): string | undefined {
  const element = /\{hashtag\|\\?([#＃])\|((?:\\.|[^\\|{}@[\]()<>#*_~])+)\}|\\(.)|([^\\|{}@[\]()<>#*_~]+)/gsu
  let [plain, end] = ['', 0]
  for (const { 0: whole, 1: sign, 2: tag, 3: escaped, 4: text, index } of little.matchAll(element)) {
    if (index !== end) return undefined
    plain += sign ? sign + tag!.replace(/\\(.)/gu, '$1') : (escaped ?? text)
    end = index + whole.length
  }
  return end === little.length ? plain : undefined
}
