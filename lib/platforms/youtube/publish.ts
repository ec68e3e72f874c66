/**
 * Publishes on YouTube with a resumable upload, whose session yields at most one video.
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * The video exists with the last byte; the session reports its offset, or the video.
 */
import * as v from 'valibot'
import type { Post, PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { utf8ByteLength } from '../caption-length.ts'
import { NoResponse } from '../failures.ts'
import { checkPostLimits, type PostLimits, type PostRefusal } from '../post-limits.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, isSameSite, jsonPostRequest, uploadDeadlineMs } from '../requests.ts'
import { failureOutcome, inconclusive, isGone, isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { youtubeUrls } from './urls.ts'

type State =
  | { step: 'begin' }
  | { step: 'upload'; session: string; offset: number }
  | { step: 'check'; videoId: string; polls: number }
type Outcome = StepOutcome<State>

/** https://developers.google.com/youtube/v3/docs/videos#properties */
const limits: PostLimits = {
  name: 'YouTube',
  caption: { max: 5000, lengthOf: utf8ByteLength },
  titleMax: 100,
  video: { bytesMax: 256 * 1024 ** 3, secondsMax: 12 * 3600 },
}
/** Category "People & Blogs": https://developers.google.com/youtube/v3/docs/videoCategories/list */
const defaultCategory = '22'
const defaultChunkBytes = 32 * 1024 * 1024
/** All chunks but the last must be multiples of this. */
export const chunkBytesMultiple = 256 * 1024
/** Polls of the processing status; afterwards the posting ends as published, although YouTube is still processing. */
const pollsMax = 20
const pollSeconds = 15

const videoResponse = v.object({ id: v.string() })
const videosResponse = v.object({
  items: v.array(
    v.object({
      status: v.object({
        uploadStatus: v.string(),
        failureReason: v.optional(v.string()),
        rejectionReason: v.optional(v.string()),
      }),
    }),
  ),
})
const errorResponse = v.object({
  error: v.object({
    message: v.optional(v.string(), ''),
    errors: v.optional(v.array(v.object({ reason: v.string() })), []),
  }),
})

export function youtubePublisher(
  urls: Pick<typeof youtubeUrls, 'api'> = youtubeUrls,
  chunkBytes = defaultChunkBytes,
): Publisher<State> {
  async function begin({ post, account, token, http, now }: PublishContext): Promise<Outcome> {
    const response = await http(
      jsonPostRequest(
        `${urls.api}/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status`,
        {
          ...bearerHeader(token),
          'x-upload-content-length': String(post.film.bytes),
          'x-upload-content-type': 'video/mp4',
        },
        videoResource(post, account.settings),
      ),
    )
    if (!isSuccess(response)) return failure(response, now)
    const { location } = response.headers
    if (!location || !isSameSite(location, urls.api))
      throw new NoResponse('YouTube returned an upload session of another site.')
    return { kind: 'continue', state: { step: 'upload', session: location, offset: 0 } }
  }

  async function upload(
    { session, offset }: Extract<State, { step: 'upload' }>,
    { post, token, http, readRender, now }: PublishContext,
  ): Promise<Outcome> {
    const { bytes } = post.film
    const end = Math.min(bytes, offset + chunkBytes)
    const response = await http({
      method: 'PUT',
      url: session,
      headers: {
        ...bearerHeader(token),
        'content-type': 'video/mp4',
        'content-range': `bytes ${offset}-${end - 1}/${bytes}`,
      },
      body: { bytes: end - offset, read: () => readRender(offset, end) },
      deadlineMs: uploadDeadlineMs,
    })
    if (isSuccess(response))
      return { kind: 'continue', state: checkState(parseResponse(response, videoResponse).id), waitSeconds: 5 }
    if (isGone(response)) return { kind: 'continue', state: { step: 'begin' } }
    if (response.status !== 308) return failure(response, now, true)
    const next = offsetIn(response)
    // YouTube may store less than was sent. All bytes without a video is unclear, so the session is queried.
    if (next >= bytes) throw new NoResponse('YouTube has the complete upload but returned no video.')
    if (next <= offset) return { kind: 'retry', waitSeconds: 10, message: 'YouTube stored none of the uploaded bytes.' }
    return { kind: 'continue', state: { step: 'upload', session, offset: next } }
  }

  async function check(
    { videoId, polls }: Extract<State, { step: 'check' }>,
    { token, http }: PublishContext,
  ): Promise<Outcome> {
    const query = new URLSearchParams({ part: 'status', id: videoId })
    const response = await http({
      method: 'GET',
      url: `${urls.api}/youtube/v3/videos?${query}`,
      headers: bearerHeader(token),
    })
    const items = isSuccess(response) ? tryParseResponse(response, videosResponse)?.items : undefined
    const status = items?.[0]?.status
    const reason = status?.rejectionReason ?? status?.failureReason ?? ''
    if (reason === 'duplicate') return { kind: 'duplicate', externalId: null, url: null }
    if (status && ['failed', 'rejected', 'deleted'].includes(status.uploadStatus)) {
      return {
        kind: 'refused',
        code: reason || status.uploadStatus,
        message: `YouTube rejected the video: ${reason}.`,
      }
    }
    if (items?.length === 0 && polls >= pollsMax) {
      return { kind: 'retry', waitSeconds: pollSeconds, message: 'YouTube does not list the video.' }
    }
    // The video is published. Later rejections, or a refused status request, do not change that.
    if (status?.uploadStatus === 'processed' || polls >= pollsMax) return { kind: 'done', ...postReference(videoId) }
    return { kind: 'continue', state: { step: 'check', videoId, polls: polls + 1 }, waitSeconds: pollSeconds }
  }

  async function lookUp(state: State, { post, token, http, now }: PublishContext): Promise<PostLookup<State>> {
    if (state.step !== 'upload') return { kind: 'absent', state }
    const response = await http({
      method: 'PUT',
      url: state.session,
      headers: { ...bearerHeader(token), 'content-range': `bytes */${post.film.bytes}` },
      body: new Uint8Array(),
    })
    if (isSuccess(response)) return { kind: 'published', ...postReference(parseResponse(response, videoResponse).id) }
    // An expired session has published nothing.
    if (isGone(response)) return { kind: 'absent', state: { step: 'begin' } }
    if (response.status !== 308) return inconclusive(failure(response, now), 10)
    const offset = offsetIn(response)
    if (offset >= post.film.bytes) return { kind: 'unsure', waitSeconds: 10 }
    const wasLast = state.offset + chunkBytes >= post.film.bytes
    return { kind: 'absent', state: { ...state, offset }, ...(wasLast && { mayBeLate: true }) }
  }

  return {
    platform: 'youtube',
    validate: validatePost,
    initialState: () => ({ step: 'begin' }),
    // Also for chunks before the last, so that `lookUp` queries the session after them.
    mayPublish: (state) => state.step === 'upload',
    isPartialUpload: (state, { film: { bytes } }) => state.step === 'upload' && state.offset + chunkBytes < bytes,
    async step(state, context) {
      if (state.step === 'begin') return begin(context)
      return state.step === 'upload' ? upload(state, context) : check(state, context)
    },
    lookUp,
  }
}

function validatePost(post: Post): PostRefusal | null {
  if (/[<>]/.test(post.title + post.caption)) {
    return { code: 'caption-not-allowed', message: 'YouTube does not allow < and > in titles and descriptions.' }
  }
  return checkPostLimits(post, limits)
}

/** https://developers.google.com/youtube/v3/docs/videos#resource */
const videoResource = (post: Post, settings: PublishContext['account']['settings']) => ({
  snippet: {
    title: post.title,
    description: post.caption,
    categoryId: settings.categoryId ?? defaultCategory,
    defaultAudioLanguage: post.language,
  },
  status: {
    privacyStatus: settings.privacy ?? 'public',
    selfDeclaredMadeForKids: settings.madeForKids === 'true',
    containsSyntheticMedia: true,
  },
})

const checkState = (videoId: string): State => ({ step: 'check', videoId, polls: 0 })

const postReference = (id: string) => ({ externalId: id, url: `https://www.youtube.com/watch?v=${id}` })

/** `Range: bytes=0-N` names the stored bytes; without the header there are none. */
const offsetIn = ({ headers }: PlatformResponse) => {
  const last = /^bytes=0-(\d+)$/.exec(headers.range ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

/** https://developers.google.com/youtube/v3/docs/errors: reasons matter, because many share a status. */
function failure(response: PlatformResponse, now: string, publishes = false): StepOutcome<never> {
  const { message = '', errors = [] } = tryParseResponse(response, errorResponse)?.error ?? {}
  const code = errors[0]?.reason ?? ''
  const retry = (waitSeconds: number) =>
    ({ kind: 'retry', waitSeconds, message: `YouTube: ${message || code}` }) as const
  // With 5xx YouTube may have the video, whatever the reason.
  switch (response.status < 500 ? code : '') {
    case 'quotaExceeded':
      return retry(secondsToMidnightInLosAngeles(now))
    case 'uploadLimitExceeded':
      return retry(86_400)
    case 'rateLimitExceeded':
    case 'userRateLimitExceeded':
      return retry(60)
    case 'insufficientPermissions':
      return { kind: 'unauthorised' }
    default:
      return failureOutcome(response, now, { error: code ? { code, message } : undefined, publishes })
  }
}

/** Quotas reset at midnight Pacific time: https://developers.google.com/youtube/v3/determine_quota_cost */
function secondsToMidnightInLosAngeles(now: string): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'medium' })
  const [hours = 0, minutes = 0, seconds = 0] = clock.format(new Date(now)).split(':').map(Number)
  return 86_400 - (hours * 3600 + minutes * 60 + seconds)
}
