/**
 * YouTube: a resumable upload, which is one video however often it breaks off.
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * The video is there with the last byte; until then the session can always be asked how much it has, and whether it became one.
 */
import * as v from 'valibot'
import type { Post, PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { utf8ByteLength } from '../caption-length.ts'
import { NoResponse } from '../failures.ts'
import { checkPostLimits, type PostLimits, type PostRefusal } from '../post-limits.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, isSameSite, jsonPostRequest, uploadDeadlineMs } from '../requests.ts'
import { failureOutcome, inconclusive, isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { youtubeUrls } from './urls.ts'

type State =
  | { step: 'begin' }
  | { step: 'upload'; session: string; offset: number }
  | { step: 'check'; videoId: string; polls: number }

const defaultChunkBytes = 32 * 1024 * 1024
/** Parts of uploads are multiples of this, but for the last. */
export const chunkBytesMultiple = 256 * 1024
/** https://developers.google.com/youtube/v3/docs/videos#properties */
const limits: PostLimits = {
  name: 'YouTube',
  caption: { max: 5000, lengthOf: utf8ByteLength },
  titleMax: 100,
  video: { bytesMax: 256 * 1024 ** 3, secondsMax: 12 * 3600 },
}
/** Category "People & Blogs": https://developers.google.com/youtube/v3/docs/videoCategories/list */
const defaultCategory = '22'
/** So often YouTube is asked whether it keeps the video; one that is still at work then is left to it. */
const pollsMax = 20
const pollSeconds = 15

const video = v.object({ id: v.string() })
const videos = v.object({
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
const failure = v.object({
  error: v.object({
    message: v.optional(v.string(), ''),
    errors: v.optional(v.array(v.object({ reason: v.string() })), []),
  }),
})

export function youtubePublisher(
  urls: Pick<typeof youtubeUrls, 'api'> = youtubeUrls,
  chunkBytes = defaultChunkBytes,
): Publisher<State> {
  async function begin({ post, account, token, http, now }: PublishContext): Promise<StepOutcome<State>> {
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
    if (!isSuccess(response)) return refusalOf(response, now)
    const { location } = response.headers
    if (!location || !isSameSite(location, urls.api)) throw new NoResponse('YouTube names no session of its own.')
    return { kind: 'continue', state: { step: 'upload', session: location, offset: 0 } }
  }

  async function upload(
    { session, offset }: Extract<State, { step: 'upload' }>,
    { post, token, http, readRender: readFilm, now }: PublishContext,
  ): Promise<StepOutcome<State>> {
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
      body: { bytes: end - offset, read: () => readFilm(offset, end) },
      deadlineMs: uploadDeadlineMs,
    })
    if (isSuccess(response))
      return { kind: 'continue', state: checkState(parseResponse(response, video).id), waitSeconds: 5 }
    if (isSessionGone(response)) return { kind: 'continue', state: { step: 'begin' } }
    if (response.status !== 308) return refusalOf(response, now, true)
    const next = offsetIn(response)
    // It may keep less than it was sent; all of it, and no video, is for the session to explain.
    if (next >= bytes) throw new NoResponse('YouTube has the whole film, and names no video.')
    if (next <= offset) return { kind: 'retry', waitSeconds: 10, message: 'YouTube kept nothing of what it was sent.' }
    return { kind: 'continue', state: { step: 'upload', session, offset: next } }
  }

  async function check(
    { videoId, polls }: Extract<State, { step: 'check' }>,
    { token, http }: PublishContext,
  ): Promise<StepOutcome<State>> {
    const query = new URLSearchParams({ part: 'status', id: videoId })
    const response = await http({
      method: 'GET',
      url: `${urls.api}/youtube/v3/videos?${query}`,
      headers: bearerHeader(token),
    })
    const items = isSuccess(response) ? tryParseResponse(response, videos)?.items : undefined
    const status = items?.[0]?.status
    const reason = status?.rejectionReason ?? status?.failureReason ?? ''
    if (reason === 'duplicate') return { kind: 'duplicate', externalId: null, url: null }
    if (status && ['failed', 'rejected', 'deleted'].includes(status.uploadStatus)) {
      return {
        kind: 'refused',
        code: reason || status.uploadStatus,
        message: `YouTube does not keep the video: ${reason}.`,
      }
    }
    if (items?.length === 0 && polls >= pollsMax) {
      return { kind: 'retry', waitSeconds: pollSeconds, message: 'YouTube does not show the video.' }
    }
    // It is there. Whether YouTube keeps it cannot be learned for ever, nor by whoever may not ask.
    if (status?.uploadStatus === 'processed' || polls >= pollsMax) return { kind: 'done', ...postReference(videoId) }
    return { kind: 'continue', state: { step: 'check', videoId, polls: polls + 1 }, waitSeconds: pollSeconds }
  }

  async function reconcile(state: State, { post, token, http, now }: PublishContext): Promise<PostLookup<State>> {
    if (state.step !== 'upload') return { kind: 'absent', state }
    const response = await http({
      method: 'PUT',
      url: state.session,
      headers: { ...bearerHeader(token), 'content-range': `bytes */${post.film.bytes}` },
      body: new Uint8Array(),
    })
    if (isSuccess(response)) return { kind: 'published', ...postReference(parseResponse(response, video).id) }
    // Nothing came of a session that has gone.
    if (isSessionGone(response)) return { kind: 'absent', state: { step: 'begin' } }
    if (response.status !== 308) return inconclusive(refusalOf(response, now), 10)
    const offset = offsetIn(response)
    if (offset >= post.film.bytes) return { kind: 'unsure', waitSeconds: 10 }
    const wasLast = state.offset + chunkBytes >= post.film.bytes
    return { kind: 'absent', state: { ...state, offset }, ...(wasLast && { mayBeLate: true }) }
  }

  return {
    platform: 'youtube',
    validate: validatePost,
    initialState: () => ({ step: 'begin' }),
    // A part that is not the last publishes nothing, but after it, too, the session is to be asked.
    mayPublish: (state) => state.step === 'upload',
    isPartialUpload: (state, { film: { bytes } }) => state.step === 'upload' && state.offset + chunkBytes < bytes,
    async step(state, context) {
      if (state.step === 'begin') return begin(context)
      return state.step === 'upload' ? upload(state, context) : check(state, context)
    },
    reconcile,
  }
}

const checkState = (videoId: string): State => ({ step: 'check', videoId, polls: 0 })

const postReference = (id: string) => ({ externalId: id, url: `https://www.youtube.com/watch?v=${id}` })

const isSessionGone = ({ status }: PlatformResponse) => status === 404 || status === 410

/** `Range: bytes=0-N` is what it has; without it, it has nothing. */
const offsetIn = ({ headers }: PlatformResponse) => {
  const last = /^bytes=0-(\d+)$/.exec(headers.range ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

function validatePost(post: Post): PostRefusal | null {
  if (/[<>]/.test(post.title + post.caption)) {
    return { code: 'caption-not-allowed', message: 'YouTube takes no < and > in titles and descriptions.' }
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

/** https://developers.google.com/youtube/v3/docs/errors: the reason tells, many share a status. */
function refusalOf(response: PlatformResponse, now: string, publishes = false): StepOutcome<never> {
  const { message = '', errors = [] } = tryParseResponse(response, failure)?.error ?? {}
  const code = errors[0]?.reason ?? ''
  const retry = (waitSeconds: number) =>
    ({ kind: 'retry', waitSeconds, message: `YouTube: ${message || code}` }) as const
  // In trouble YouTube may have the video, whatever reason it names.
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

/** When quotas begin anew: https://developers.google.com/youtube/v3/determine_quota_cost */
function secondsToMidnightInLosAngeles(now: string): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'medium' })
  const [hours = 0, minutes = 0, seconds = 0] = clock.format(new Date(now)).split(':').map(Number)
  return 86_400 - (hours * 3600 + minutes * 60 + seconds)
}
