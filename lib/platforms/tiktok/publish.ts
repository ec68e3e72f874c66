/**
 * Publishes on TikTok by Direct Post with file upload.
 * https://developers.tiktok.com/doc/content-posting-api-reference-direct-post
 *
 * A publish id exists before the upload, and TikTok publishes once it has the last byte. So only the upload step may
 * publish, a publish id yields at most one post, and its status shows the progress.
 */
import * as v from 'valibot'
import type { Post, PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { NoResponse } from '../failures.ts'
import { checkPostLimits, type PostLimits, type PostRefusal } from '../post-limits.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, jsonPostRequest, uploadDeadlineMs } from '../requests.ts'
import { failureOutcome, inconclusive, isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { tiktokUrls } from './urls.ts'

type State =
  | { step: 'begin' }
  | { step: 'upload'; publishId: string; uploadUrl: string; chunk: number }
  | { step: 'check'; publishId: string; polls: number }
type Outcome = StepOutcome<State>

const limits: PostLimits = { name: 'TikTok', caption: { max: 2200 }, video: { bytesMax: 4 * 1024 ** 3 } }
const sideMin = 360
const sideMax = 4096
/**
 * https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide: chunks of 5 to 64 MB, a last one of up to
 * 128 MB.
 */
const defaultChunkBytes = 32_000_000
/** Polls for the post's id after publishing; if moderation takes longer, the posting ends without it. */
const pollsForId = 6
const daySeconds = 86_400

const errorResponse = v.object({ error: v.object({ code: v.string(), message: v.optional(v.string(), '') }) })
const creatorResponse = v.object({
  data: v.object({ privacy_level_options: v.array(v.string()), max_video_post_duration_sec: v.number() }),
})
const initResponse = v.object({ data: v.object({ publish_id: v.string(), upload_url: v.string() }) })
const statusResponse = v.object({
  data: v.object({
    status: v.string(),
    fail_reason: v.optional(v.string(), ''),
    // TikTok's spelling. 64-bit numbers, which JSON.parse would round.
    publicaly_available_post_id: v.optional(v.array(v.union([v.string(), v.number()])), []),
    uploaded_bytes: v.optional(v.number()),
  }),
})

export function tiktokPublisher(
  urls: Pick<typeof tiktokUrls, 'api'> = tiktokUrls,
  chunkBytes = defaultChunkBytes,
): Publisher<State> {
  const postJson = (context: PublishContext, path: string, body: object) =>
    context.http(jsonPostRequest(`${urls.api}/v2/post/publish/${path}`, bearerHeader(context.token), body))

  const fetchStatus = (context: PublishContext, publishId: string) =>
    postJson(context, 'status/fetch/', { publish_id: publishId })

  async function begin(context: PublishContext): Promise<Outcome> {
    const creator = await postJson(context, 'creator_info/query/', {})
    const outcome = refusalOf(creator, context.now)
    if (outcome) return outcome
    const { data } = parseResponse(creator, creatorResponse)
    const limit = creatorRefusal(context, data)
    if (limit) return limit
    const { bytes } = context.post.film
    const chunks = chunksOf(bytes, chunkBytes)
    const response = await postJson(context, 'video/init/', {
      post_info: postInfo(context, data.privacy_level_options),
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: bytes,
        chunk_size: chunks === 1 ? bytes : chunkBytes,
        total_chunk_count: chunks,
      },
    })
    const refused = refusalOf(response, context.now)
    if (refused) return refused
    const { publish_id, upload_url } = parseResponse(response, initResponse).data
    return { kind: 'continue', state: { step: 'upload', publishId: publish_id, uploadUrl: upload_url, chunk: 0 } }
  }

  async function upload(state: Extract<State, { step: 'upload' }>, context: PublishContext): Promise<Outcome> {
    const { bytes } = context.post.film
    const chunks = chunksOf(bytes, chunkBytes)
    const from = state.chunk * chunkBytes
    const to = state.chunk === chunks - 1 ? bytes : from + chunkBytes
    const response = await context.http({
      method: 'PUT',
      url: state.uploadUrl,
      headers: { 'content-type': 'video/mp4', 'content-range': `bytes ${from}-${to - 1}/${bytes}` },
      body: { bytes: to - from, read: () => context.readRender(from, to) },
      deadlineMs: uploadDeadlineMs,
    })
    if (isSuccess(response) && to === bytes) {
      return { kind: 'continue', state: checkState(state.publishId), waitSeconds: 10 }
    }
    if (isSuccess(response)) return { kind: 'continue', state: { ...state, chunk: state.chunk + 1 } }
    if (response.status === 429) return failureOutcome(response, context.now, {})
    // The upload URL expires after an hour. A publish id whose video is certainly incomplete cannot publish.
    const isGone = response.status === 403 || response.status === 404
    if (isGone && to < bytes && (await isIncomplete(state.publishId, context))) {
      return { kind: 'continue', state: { step: 'begin' } }
    }
    // TikTok may have more than expected: its status decides.
    throw new NoResponse(`The upload cannot continue: TikTok returned status ${response.status}.`)
  }

  async function isIncomplete(publishId: string, context: PublishContext): Promise<boolean> {
    const response = await fetchStatus(context, publishId)
    const arrived = isSuccess(response) ? tryParseResponse(response, statusResponse)?.data.uploaded_bytes : undefined
    return arrived !== undefined && arrived < context.post.film.bytes
  }

  async function check(
    { publishId, polls }: Extract<State, { step: 'check' }>,
    context: PublishContext,
  ): Promise<Outcome> {
    const response = await fetchStatus(context, publishId)
    const outcome = refusalOf(response, context.now)
    // A refused status request says nothing about the post.
    if (outcome?.kind === 'refused') return { kind: 'retry', waitSeconds: 30, message: outcome.message }
    if (outcome) return outcome
    const { data } = parseResponse(response, statusResponse)
    if (data.status === 'FAILED') return failureOfStatus(data.fail_reason)
    const id = idIn(response)
    const isPublished = data.status === 'PUBLISH_COMPLETE'
    if (isPublished && (id || polls >= pollsForId)) return { kind: 'done', ...postReference(context, publishId, id) }
    return {
      kind: 'continue',
      state: { step: 'check', publishId, polls: isPublished ? polls + 1 : 0 },
      waitSeconds: 15,
    }
  }

  async function lookUp(state: State, context: PublishContext): Promise<PostLookup<State>> {
    if (state.step !== 'upload') return { kind: 'absent', state }
    const response = await fetchStatus(context, state.publishId)
    const outcome = refusalOf(response, context.now)
    if (outcome) return inconclusive(outcome, 30)
    const { data } = tryParseResponse(response, statusResponse) ?? {}
    if (!data) return { kind: 'unsure', waitSeconds: 30 }
    // Without the post's id if moderation is not finished: it is not fetched later.
    if (data.status === 'PUBLISH_COMPLETE') {
      return { kind: 'published', ...postReference(context, state.publishId, idIn(response)) }
    }
    if (data.status === 'FAILED') return { kind: 'absent', state: checkState(state.publishId) }
    const { bytes } = context.post.film
    const last = chunksOf(bytes, chunkBytes) - 1
    // If TikTok reports no bytes: before the last chunk nothing can be published, after it that is unknown.
    const { uploaded_bytes: arrived = state.chunk < last ? state.chunk * chunkBytes : bytes } = data
    if (arrived >= bytes) return { kind: 'unsure', waitSeconds: 30 }
    const next = { ...state, chunk: Math.min(last, Math.floor(arrived / chunkBytes)) }
    return { kind: 'absent', state: next, ...(state.chunk === last && { mayBeLate: true }) }
  }

  return {
    platform: 'tiktok',
    validate: validatePost,
    initialState: () => ({ step: 'begin' }),
    mayPublish: (state) => state.step === 'upload',
    isPartialUpload: (state, { film: { bytes } }) =>
      state.step === 'upload' && state.chunk < chunksOf(bytes, chunkBytes) - 1,
    step(state, context) {
      if (state.step === 'begin') return begin(context)
      return state.step === 'upload' ? upload(state, context) : check(state, context)
    },
    lookUp,
  }
}

function validatePost(post: Post): PostRefusal | null {
  const [shorter = 0, longer = 0] = [post.film.width, post.film.height].toSorted((a, b) => a - b)
  if (shorter >= sideMin && longer <= sideMax) return checkPostLimits(post, limits)
  return { code: 'film-wrong-format', message: `TikTok allows sides of ${sideMin} to ${sideMax} pixels.` }
}

/** Limits of the creator, which change over time: https://developers.tiktok.com/doc/content-sharing-guidelines */
function creatorRefusal(
  { post, account }: PublishContext,
  { privacy_level_options, max_video_post_duration_sec }: v.InferOutput<typeof creatorResponse>['data'],
): Outcome | undefined {
  if (post.film.durationMs > max_video_post_duration_sec * 1000) {
    const message = `This account may post videos of up to ${max_video_post_duration_sec} seconds.`
    return { kind: 'refused', code: 'film-too-long', message }
  }
  const { privacy } = account.settings
  if (privacy && !privacy_level_options.includes(privacy)) {
    const message = `This account may post as ${privacy_level_options.join(', ')}, not as ${privacy}.`
    return { kind: 'refused', code: 'settings-missing', message }
  }
  return undefined
}

/** Public if the creator allows it. TikTok offers unaudited apps only private posts. */
const postInfo = ({ post, account: { settings } }: PublishContext, privacyOptions: readonly string[]) => ({
  title: post.caption,
  privacy_level:
    settings.privacy ?? (privacyOptions.includes('PUBLIC_TO_EVERYONE') ? 'PUBLIC_TO_EVERYONE' : privacyOptions[0]),
  disable_comment: settings.comments === 'off',
  disable_duet: settings.duet === 'off',
  disable_stitch: settings.stitch === 'off',
  is_aigc: true,
})

/** Files below two chunks are one chunk; the remainder is part of the last chunk. */
const chunksOf = (bytes: number, chunkBytes: number) => Math.max(1, Math.floor(bytes / chunkBytes))

const checkState = (publishId: string): State => ({ step: 'check', publishId, polls: 0 })

function postReference({ account }: PublishContext, publishId: string, id: string | undefined) {
  if (!id) return { externalId: publishId, url: null }
  return { externalId: id, url: `https://www.tiktok.com/@${account.username}/video/${id}` }
}

/** Read from the raw text, because the id has 64 bits. */
const idIn = ({ body }: PlatformResponse) =>
  /"publicaly_available_post_id"\s*:\s*\[\s*"?(\d+)/.exec(Buffer.from(body).toString('utf8'))?.[1]

/** https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status */
function failureOfStatus(reason: string): Outcome {
  // An internal error, or a revoked permission, which the first step will find: nothing was published.
  if (['internal', 'auth_removed'].includes(reason))
    return { kind: 'continue', state: { step: 'begin' }, waitSeconds: 30 }
  return { kind: 'refused', code: reason || 'failed', message: `TikTok rejected the video: ${reason}.` }
}

/** https://developers.tiktok.com/doc/tiktok-api-v2-error-handling: errors are in the body, even with status 200. */
function refusalOf(response: PlatformResponse, now: string): StepOutcome<never> | undefined {
  const { code = '', message = '' } = tryParseResponse(response, errorResponse)?.error ?? {}
  if (isSuccess(response) && (code === 'ok' || code === '')) return undefined
  if (['access_token_invalid', 'scope_not_authorized', 'scope_permission_missed'].includes(code)) {
    return { kind: 'unauthorised' }
  }
  if (['spam_risk_too_many_posts', 'reached_active_user_cap', 'spam_risk_too_many_pending_share'].includes(code)) {
    return { kind: 'retry', waitSeconds: daySeconds, message: `TikTok allows no more posts today: ${code}.` }
  }
  if (['internal_error', 'rate_limit_exceeded'].includes(code) && response.status < 400) {
    return { kind: 'retry', waitSeconds: 60, message }
  }
  const error = code ? { code, message: message || `TikTok refuses: ${code}.` } : undefined
  return isSuccess(response) && error ? { kind: 'refused', ...error } : failureOutcome(response, now, { error })
}
