/**
 * Publishes on X: the video is uploaded in chunks, processed, and attached to a post. X has no idempotency keys, but a
 * post names its media, whose id is known before.
 * https://docs.x.com/x-api/media/quickstart/media-upload-chunked
 */
import * as v from 'valibot'
import type { PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { weightedLength } from '../caption-length.ts'
import { multipartForm } from '../multipart.ts'
import { checkPostLimits, type PostLimits } from '../post-limits.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, jsonPostRequest } from '../requests.ts'
import {
  failureOutcome,
  inconclusive,
  isGone,
  isSuccess,
  type PlatformError,
  parseResponse,
  tryParseResponse,
} from '../responses.ts'
import { clockSkewMs, reopenSendWindow, secondsUntilConsistent, sendDeadlineMs } from '../send-window.ts'
import { twitterUrls } from './urls.ts'

type State =
  | { step: 'initialize' }
  /** `sent`: bytes uploaded so far. */
  | { step: 'append'; mediaId: string; sent: number }
  | { step: 'finalize' | 'process'; mediaId: string }
  | PendingPost
type PendingPost = { step: 'post'; mediaId: string; armedAt: string }
type Outcome = StepOutcome<State>

/** https://docs.x.com/x-api/media/quickstart/best-practices; only paying accounts may post longer videos. */
const limits: PostLimits = {
  name: 'X',
  caption: { max: 280, lengthOf: weightedLength },
  video: { bytesMax: 512 * 1024 * 1024, secondsMin: 0.5, secondsMax: 140, ratios: [1 / 3, 3] },
}

const chunkBytes = 4 * 1024 * 1024
const chunkDeadlineMs = 60_000
/** Maximum lag of the author's timeline. */
const listLagSeconds = 300
const recheckSeconds = 60

const processingResponse = v.object({
  data: v.object({
    processing_info: v.optional(v.object({ state: v.string(), check_after_secs: v.optional(v.number()) })),
  }),
})
const createResponse = v.object({ data: v.object({ id: v.string() }) })
const timelineResponse = v.object({
  data: v.optional(
    v.array(
      v.object({
        id: v.string(),
        attachments: v.optional(v.object({ media_keys: v.optional(v.array(v.string()), []) })),
      }),
    ),
    [],
  ),
})
/** https://docs.x.com/x-api/fundamentals/response-codes-and-errors */
const problemResponse = v.object({ type: v.optional(v.string()), title: v.optional(v.string()), detail: v.string() })

export function twitterPublisher(urls: Pick<typeof twitterUrls, 'api'> = twitterUrls): Publisher<State> {
  const get = (context: PublishContext, path: string) =>
    context.http({ method: 'GET', url: urls.api + path, headers: bearerHeader(context.token) })

  const fetchStatus = (context: PublishContext, mediaId: string) =>
    get(context, `/2/media/upload?command=STATUS&media_id=${mediaId}`)

  async function initialize(context: PublishContext): Promise<Outcome> {
    const body = { media_type: 'video/mp4', total_bytes: context.post.film.bytes, media_category: 'tweet_video' }
    const response = await context.http(
      jsonPostRequest(`${urls.api}/2/media/upload/initialize`, bearerHeader(context.token), body),
    )
    if (!isSuccess(response)) return failure(response, context)
    return {
      kind: 'continue',
      state: { step: 'append', mediaId: parseResponse(response, createResponse).data.id, sent: 0 },
    }
  }

  async function append(mediaId: string, sent: number, context: PublishContext): Promise<Outcome> {
    const { bytes } = context.post.film
    const end = Math.min(sent + chunkBytes, bytes)
    const form = multipartForm(
      { segment_index: String(sent / chunkBytes) },
      {
        field: 'media',
        name: 'film.mp4',
        type: 'application/octet-stream',
        bytes: end - sent,
        read: () => context.readRender(sent, end),
      },
    )
    const response = await context.http({
      method: 'POST',
      url: `${urls.api}/2/media/upload/${mediaId}/append`,
      headers: { ...bearerHeader(context.token), 'content-type': form.type },
      body: form.body,
      deadlineMs: chunkDeadlineMs,
    })
    if (isGone(response)) return { kind: 'continue', state: { step: 'initialize' } }
    if (!isSuccess(response)) return failure(response, context)
    const state: State = end < bytes ? { step: 'append', mediaId, sent: end } : { step: 'finalize', mediaId }
    return { kind: 'continue', state }
  }

  /** Finalizing twice is refused, so after a refusal the status of the media decides. */
  async function finalize(mediaId: string, context: PublishContext): Promise<Outcome> {
    const response = await context.http({
      method: 'POST',
      url: `${urls.api}/2/media/upload/${mediaId}/finalize`,
      headers: bearerHeader(context.token),
    })
    if (isSuccess(response)) return outcomeOfProcessing(response, mediaId, context)
    if (response.status !== 400) return failure(response, context)
    const status = await fetchStatus(context, mediaId)
    return isSuccess(status) ? outcomeOfProcessing(status, mediaId, context) : failure(response, context)
  }

  async function process(mediaId: string, context: PublishContext): Promise<Outcome> {
    const response = await fetchStatus(context, mediaId)
    return isSuccess(response) ? outcomeOfProcessing(response, mediaId, context) : failure(response, context)
  }

  async function publish(state: PendingPost, context: PublishContext): Promise<Outcome> {
    const reopened = reopenSendWindow(state, context.now)
    if (reopened) return reopened
    const { caption } = context.post
    const body = {
      ...(caption && { text: caption }),
      media: { media_ids: [state.mediaId] },
      made_with_ai: context.account.settings.madeWithAi !== 'false',
    }
    const request = jsonPostRequest(`${urls.api}/2/tweets`, bearerHeader(context.token), body)
    const response = await context.http({ ...request, deadlineMs: sendDeadlineMs })
    if (isSuccess(response)) return { kind: 'done', ...postReference(parseResponse(response, createResponse).data.id) }
    if (response.status === 403 && /duplicate/i.test(errorIn(response)?.message ?? '')) {
      return { kind: 'duplicate', externalId: null, url: null }
    }
    return failure(response, context, { publishes: true })
  }

  async function lookUp(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const since = new Date(Date.parse(state.armedAt) - clockSkewMs).toISOString()
    // Named so in X's OpenAPI 2.167; older pages call it `tweet.fields`.
    const fields = { 'post.fields': 'attachments', expansions: 'attachments.media_keys' }
    const query = new URLSearchParams({ start_time: since, max_results: '100', ...fields })
    const response = await get(context, `/2/users/${context.account.externalId}/tweets?${query}`)
    if (!isSuccess(response)) return inconclusive(failure(response, context), recheckSeconds)
    // A media key is a number for the media type, an underscore and the media id.
    const isOurMedia = (key: string) => key.endsWith(`_${state.mediaId}`)
    const recent = parseResponse(response, timelineResponse).data
    const found = recent.find(({ attachments }) => attachments?.media_keys.some(isOurMedia))
    if (found) return { kind: 'published', ...postReference(found.id) }
    // A recent post without listed attachments may be this one.
    if (recent.some(({ attachments }) => !attachments)) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const seconds = secondsUntilConsistent(state, context, listLagSeconds)
    return seconds > 0 ? { kind: 'unsure', waitSeconds: Math.min(seconds, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'twitter',
    validate: (post) => checkPostLimits(post, limits),
    initialState: () => ({ step: 'initialize' }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, context) {
      switch (state.step) {
        case 'initialize':
          return initialize(context)
        case 'append':
          return append(state.mediaId, state.sent, context)
        case 'finalize':
          return finalize(state.mediaId, context)
        case 'process':
          return process(state.mediaId, context)
        case 'post':
          return publish(state, context)
      }
    },
    async lookUp(state, context) {
      return state.step === 'post' ? lookUp(state, context) : { kind: 'absent', state }
    },
  }
}

/** The next state, by the processing info in a response. */
function outcomeOfProcessing(response: PlatformResponse, mediaId: string, context: PublishContext): Outcome {
  const info = parseResponse(response, processingResponse).data.processing_info
  if (info?.state === 'failed') {
    return { kind: 'refused', code: 'media-processing-failed', message: 'X could not process the video.' }
  }
  if (info && info.state !== 'succeeded') {
    return { kind: 'continue', state: { step: 'process', mediaId }, waitSeconds: info.check_after_secs ?? 5 }
  }
  return { kind: 'continue', state: { step: 'post', mediaId, armedAt: context.now } }
}

const postReference = (id: string) => ({ externalId: id, url: `https://x.com/i/status/${id}` })

/** The last path segment of a problem's type is its name: `https://api.x.com/2/problems/usage-capped`. */
function errorIn(response: PlatformResponse): PlatformError | undefined {
  const parsed = tryParseResponse(response, problemResponse)
  if (!parsed) return undefined
  const name = /\/problems\/([\w-]+)$/.exec(parsed.type ?? '')?.[1]
  return { code: name ?? `status-${response.status}`, message: parsed.detail }
}

function failure(
  response: PlatformResponse,
  context: PublishContext,
  options: { publishes?: boolean } = {},
): StepOutcome<never> {
  const error = errorIn(response)
  // A monthly usage cap does not reset within the time of a posting.
  if (response.status === 429 && error?.code === 'usage-capped') return { kind: 'refused', ...error }
  return failureOutcome(response, context.now, { error, ...options })
}
