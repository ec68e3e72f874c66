// TikTok's Content Posting API, Direct Post with upload.
// https://developers.tiktok.com/doc/content-posting-api-reference-direct-post, read in 2026-11.

import * as v from 'valibot'
import type { StoredFile } from '../server/media-store.ts'
import type { SandboxRequest } from '../server/request.ts'
import {
  ErrorResponse,
  type PlatformFactory,
  respond,
  type SandboxDeps,
  type SandboxPlatform,
  type SandboxResponse,
} from './platform.ts'

interface Upload {
  id: string
  user: { externalId: string; username: string }
  title: string
  privacy: string
  bytes: number
  chunkBytes: number
  chunks: number
  begunAt: number
  /** Set once the upload is complete: the time of the post, or the reason for its failure. */
  whole?: { at: number; postId: string; sha256: string; failure: string; isStuck: boolean }
}

const mb = 1_000_000
const uploadHours = 1
const processingMs = 20_000
const moderationMs = 30_000
const privacies = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] as const
const secondsMax = 600
const initsPerMinute = 6

/** The envelope of most responses. */
const said = (status: number, code: string, message: string, data: object = {}): SandboxResponse =>
  respond(status, { data, error: { code, message, log_id: '20261120' } })
const ok = (data: object) => said(200, 'ok', '', data)
const apiError = (status: number, code: string, message: string) => new ErrorResponse(said(status, code, message))

const initBody = {
  post_info: v.strictObject({
    title: v.pipe(v.string(), v.maxLength(2200)),
    privacy_level: v.string(),
    disable_duet: v.optional(v.boolean()),
    disable_comment: v.optional(v.boolean()),
    disable_stitch: v.optional(v.boolean()),
    video_cover_timestamp_ms: v.optional(v.number()),
    brand_content_toggle: v.optional(v.boolean()),
    brand_organic_toggle: v.optional(v.boolean()),
    is_aigc: v.optional(v.boolean()),
  }),
  source_info: v.strictObject({
    source: v.literal('FILE_UPLOAD'),
    video_size: v.pipe(v.number(), v.integer(), v.minValue(1)),
    chunk_size: v.pipe(v.number(), v.integer(), v.minValue(1)),
    total_chunk_count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
  }),
}

export const makeTikTok: PlatformFactory = (ground) => {
  const uploads = ground.records.collection<Upload>('tiktok-upload')
  const asked = ground.records.collection<{ at: number }>('tiktok-creator-asked')

  function creatorInfo({ user, fault }: SandboxRequest): SandboxResponse {
    asked.put(user.externalId, { at: ground.clock.now() })
    if (fault?.kind === 'quota-full') throw apiError(200, 'spam_risk_too_many_posts', 'The daily post cap is reached.')
    return ok({
      creator_avatar_url: '',
      creator_username: user.username,
      creator_nickname: user.username,
      privacy_level_options: privacies,
      comment_disabled: false,
      duet_disabled: false,
      stitch_disabled: false,
      max_video_post_duration_sec: secondsMax,
    })
  }

  function init(ask: SandboxRequest): SandboxResponse {
    const { post_info, source_info } = ask.json(initBody)
    const { video_size: bytes, chunk_size: chunkBytes, total_chunk_count: chunks } = source_info
    if (!asked.get(ask.user.externalId)) throw apiError(400, 'invalid_params', 'The creator was not asked first.')
    if (!privacies.some((one) => one === post_info.privacy_level)) {
      throw apiError(403, 'privacy_level_option_mismatch', 'The privacy level is none that the creator offers.')
    }
    checkChunks(bytes, chunkBytes, chunks)
    const now = ground.clock.now()
    const recent = uploads.list().filter((one) => one.user.externalId === ask.user.externalId)
    if (recent.filter(({ begunAt }) => begunAt > now - 60_000).length >= initsPerMinute) {
      throw apiError(429, 'rate_limit_exceeded', 'Too many requests.')
    }
    const id = `v_pub_file~v2.${ground.records.nextNumber()}`
    const { title, privacy_level: privacy } = post_info
    const { user } = ask
    uploads.put(id, { id, user, title, privacy, bytes, chunkBytes, chunks, begunAt: now })
    const address = `${ask.base}/tiktok/upload/video/?upload_id=${encodeURIComponent(id)}&upload_token=${id.length}`
    return ok({ publish_id: id, upload_url: address })
  }

  async function receive(ask: SandboxRequest): Promise<SandboxResponse> {
    const { upload_id } = ask.query({ upload_id: v.string(), upload_token: v.string() })
    const upload = uploads.get(upload_id)
    if (!upload) return respond(404)
    if (ground.clock.now() > upload.begunAt + uploadHours * 3_600_000) return respond(403)
    if (ask.headers.authorization) return respond(400)
    if (ask.headers['content-type'] !== 'video/mp4') return respond(400)
    const there = await ground.media.size(upload.id)
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/
      .exec(ask.headers['content-range'] ?? '')
      ?.slice(1)
      .map(Number)
    if (!range) return respond(400)
    const [from = 0, last = 0, total = 0] = range
    const chunk = Math.floor(from / upload.chunkBytes)
    const end = chunk === upload.chunks - 1 ? upload.bytes : from + upload.chunkBytes
    const isInTurn = from === there && last + 1 === end && total === upload.bytes && !upload.whole
    if (!isInTurn || ask.body.byteLength !== end - from) return respond(416)
    await ground.media.write(upload.id, from, ask.body)
    if (end < upload.bytes) return respond(206, undefined, { 'content-range': `bytes 0-${last}/${total}` })
    await complete(upload, ask)
    return respond(201, undefined, { 'content-range': `bytes 0-${last}/${total}` })
  }

  async function complete(upload: Upload, ask: SandboxRequest): Promise<Upload> {
    const whole = ended(ground, await ground.media.finish(upload.id), ask)
    const completed = { ...upload, whole }
    uploads.put(upload.id, completed)
    if (!whole.failure && !whole.isStuck) post(upload, whole)
    return completed
  }

  /** Completes an upload whose last part arrived right before a kill. */
  async function resumed(upload: Upload, ask: SandboxRequest): Promise<Upload> {
    const isCut = !upload.whole && uploads.isEarlier(upload.id)
    return isCut && (await ground.media.size(upload.id)) === upload.bytes ? complete(upload, ask) : upload
  }

  async function status(ask: SandboxRequest): Promise<SandboxResponse> {
    const { publish_id } = ask.json({ publish_id: v.string() })
    const stored = uploads.get(publish_id)
    if (stored?.user.externalId !== ask.user.externalId) {
      throw apiError(400, 'invalid_publish_id', 'There is no such publish id.')
    }
    const upload = await resumed(stored, ask)
    const arrived = upload.whole ? upload.bytes : await ground.media.size(upload.id)
    const now = ground.clock.now()
    const { whole } = upload
    if (!whole || now < whole.at || whole.isStuck) return ok({ status: 'PROCESSING_UPLOAD', uploaded_bytes: arrived })
    if (whole.failure) return ok({ status: 'FAILED', fail_reason: whole.failure, uploaded_bytes: arrived })
    const isModerated = now >= whole.at + ground.clock.scaled(moderationMs)
    // Written by hand, because the id is a 64-bit number.
    const ids = isModerated ? `[${whole.postId}]` : '[]'
    const data = `{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":${ids},"uploaded_bytes":${arrived}}`
    return respond(200, `{"data":${data},"error":{"code":"ok","message":"","log_id":"20261120"}}`, {
      'content-type': 'application/json',
    })
  }

  function post(upload: Upload, { at, postId, sha256 }: NonNullable<Upload['whole']>) {
    ground.publishedPosts.add({
      platform: 'tiktok',
      account: upload.user.externalId,
      externalId: postId,
      knownAs: [upload.id],
      url: `https://www.tiktok.com/@${upload.user.username}/video/${postId}`,
      caption: upload.title,
      title: null,
      sha256,
      at,
      fields: { privacy: upload.privacy },
    })
  }

  return {
    id: 'tiktok',
    urls: (base) => ({ api: `${base}/tiktok/api` }),
    tokenSeconds: 86_400,
    operations: [
      call('creator', 'POST', '/tiktok/api/v2/post/publish/creator_info/query/', creatorInfo),
      call('init', 'POST', '/tiktok/api/v2/post/publish/video/init/', init),
      { ...call('upload', 'PUT', '/tiktok/upload/video/', receive), needsToken: false },
      call('status', 'POST', '/tiktok/api/v2/post/publish/status/fetch/', status),
    ],
    errors: platformErrors,
  }
}

const call = (
  op: string,
  method: 'POST' | 'PUT',
  path: string,
  answered: (ask: SandboxRequest) => SandboxResponse | Promise<SandboxResponse>,
) => ({
  op,
  method,
  path,
  needsToken: true,
  handle: answered,
})

const platformErrors: SandboxPlatform['errors'] = {
  failure: (status) => said(status, 'internal_error', 'Please try again.'),
  unauthorised: () => said(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  rateLimited: () => said(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.'),
  malformed: (message) => said(400, 'invalid_params', message),
}

/** https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide */
function checkChunks(bytes: number, chunkBytes: number, chunks: number) {
  const isWhole = chunks === 1 && chunkBytes === bytes && bytes <= 64 * mb
  const isCut = chunkBytes >= 5 * mb && chunkBytes <= 64 * mb && chunks === Math.floor(bytes / chunkBytes)
  if (!isWhole && !isCut) throw apiError(400, 'invalid_params', 'The chunks do not make up the video.')
}

function ended(
  ground: SandboxDeps,
  { sha256, facts }: StoredFile,
  { fault }: SandboxRequest,
): NonNullable<Upload['whole']> {
  const at = ground.clock.now() + ground.clock.scaled(processingMs)
  const postId = `75${String(ground.records.nextNumber()).padStart(17, '0')}`
  const failure = fault?.kind === 'fail' ? fault.detail : (rejectionOf(facts) ?? '')
  return { at, postId, sha256, failure, isStuck: fault?.kind === 'stuck-processing' }
}

/** Reasons of https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status */
function rejectionOf(facts: StoredFile['facts']): string | undefined {
  if (!facts?.video) return 'file_format_check_failed'
  const { width, height, fps = 30 } = facts.video
  if (Math.min(width, height) < 360 || Math.max(width, height) > 4096) return 'picture_size_check_failed'
  if (fps < 23 || fps > 60) return 'frame_rate_check_failed'
  return (facts.durationMs ?? 0) > secondsMax * 1000 ? 'duration_check_failed' : undefined
}
