/**
 * X: the film is uploaded in segments, processed, and attached to a post. X takes no key of ours, but a post names the media that it
 * shows, and these have an id before the post is made.
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
  isSuccess,
  type PlatformError,
  parseResponse,
  tryParseResponse,
} from '../responses.ts'
import { reopenSendWindow, secondsUntilConsistent, sendDeadlineMs } from '../send-window.ts'
import { twitterUrls } from './urls.ts'

type State =
  | { step: 'initialize' }
  /** So many bytes have arrived. */
  | { step: 'append'; mediaId: string; sent: number }
  | { step: 'finalize' | 'process'; mediaId: string }
  | PendingPost
type PendingPost = { step: 'post'; mediaId: string; armedAt: string }
type Outcome = StepOutcome<State>

/** https://docs.x.com/x-api/media/quickstart/best-practices; longer films are for accounts that pay for them. */
const limits: PostLimits = {
  name: 'X',
  caption: { max: 280, lengthOf: weightedLength },
  video: { bytesMax: 512 * 1024 * 1024, secondsMin: 0.5, secondsMax: 140, ratios: [1 / 3, 3] },
}

const chunkBytes = 4 * 1024 * 1024
const chunkDeadlineMs = 60_000
/** How long a new post may be missing from its author's list. */
const listLagSeconds = 300
const recheckSeconds = 60
/** By so much their clock may be behind ours. */
const clockSkewMs = 60_000

const processing = v.object({
  data: v.object({
    processing_info: v.optional(v.object({ state: v.string(), check_after_secs: v.optional(v.number()) })),
  }),
})
const created = v.object({ data: v.object({ id: v.string() }) })
const timeline = v.object({
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
const problem = v.object({ type: v.optional(v.string()), title: v.optional(v.string()), detail: v.string() })

export function twitterPublisher(urls: Pick<typeof twitterUrls, 'api'> = twitterUrls): Publisher<State> {
  const get = (context: PublishContext, path: string) =>
    context.http({ method: 'GET', url: urls.api + path, headers: bearerHeader(context.token) })

  async function initialize(context: PublishContext): Promise<Outcome> {
    const body = { media_type: 'video/mp4', total_bytes: context.post.film.bytes, media_category: 'tweet_video' }
    const response = await context.http(
      jsonPostRequest(`${urls.api}/2/media/upload/initialize`, bearerHeader(context.token), body),
    )
    if (!isSuccess(response)) return failure(response, context)
    return { kind: 'continue', state: { step: 'append', mediaId: parseResponse(response, created).data.id, sent: 0 } }
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

  /** What was finalized before, without our hearing of it, is refused: whether it was is then asked of its state. */
  async function finalize(mediaId: string, context: PublishContext): Promise<Outcome> {
    const response = await context.http({
      method: 'POST',
      url: `${urls.api}/2/media/upload/${mediaId}/finalize`,
      headers: bearerHeader(context.token),
    })
    if (isSuccess(response)) return outcomeOfProcessing(response, context, mediaId)
    if (response.status !== 400) return failure(response, context)
    const status = await statusOf(context, mediaId)
    return isSuccess(status) ? outcomeOfProcessing(status, context, mediaId) : failure(response, context)
  }

  async function process(mediaId: string, context: PublishContext): Promise<Outcome> {
    const response = await statusOf(context, mediaId)
    return isSuccess(response) ? outcomeOfProcessing(response, context, mediaId) : failure(response, context)
  }

  const statusOf = (context: PublishContext, mediaId: string) =>
    get(context, `/2/media/upload?command=STATUS&media_id=${mediaId}`)

  async function post(state: PendingPost, context: PublishContext): Promise<Outcome> {
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
    if (isSuccess(response)) return { kind: 'done', ...postReference(parseResponse(response, created).data.id) }
    if (response.status === 403 && /duplicate/i.test(errorIn(response)?.message ?? '')) {
      return { kind: 'duplicate', externalId: null, url: null }
    }
    return failure(response, context, { publishes: true })
  }

  async function reconcile(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const since = new Date(Date.parse(state.armedAt) - clockSkewMs).toISOString()
    // As X's OpenAPI 2.167 calls it; pages of before say `tweet.fields`.
    const shown = { 'post.fields': 'attachments', expansions: 'attachments.media_keys' }
    const query = new URLSearchParams({ start_time: since, max_results: '100', ...shown })
    const response = await get(context, `/2/users/${context.account.externalId}/tweets?${query}`)
    if (!isSuccess(response)) return inconclusive(failure(response, context), recheckSeconds)
    // A media key is the id of the media behind a number for its kind.
    const shows = (key: string) => key.endsWith(`_${state.mediaId}`)
    const made = parseResponse(response, timeline).data
    const found = made.find(({ attachments }) => attachments?.media_keys.some(shows))
    if (found) return { kind: 'published', ...postReference(found.id) }
    // A post of these minutes that does not say what it shows may be ours.
    if (made.some(({ attachments }) => !attachments)) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const left = secondsUntilConsistent(state, context.now, listLagSeconds)
    return left > 0 ? { kind: 'unsure', waitSeconds: Math.min(left, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'twitter',
    validate: (wanted) => checkPostLimits(wanted, limits),
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
          return post(state, context)
      }
    },
    async reconcile(state, context) {
      return state.step === 'post' ? reconcile(state, context) : { kind: 'absent', state }
    },
  }
}

/** Where the media are on their way, from an answer that tells it. */
function outcomeOfProcessing(response: PlatformResponse, context: PublishContext, mediaId: string): Outcome {
  const info = parseResponse(response, processing).data.processing_info
  if (info?.state === 'failed') {
    return { kind: 'refused', code: 'media-processing-failed', message: 'X could not process the film.' }
  }
  if (info && info.state !== 'succeeded') {
    return { kind: 'continue', state: { step: 'process', mediaId }, waitSeconds: info.check_after_secs ?? 5 }
  }
  return { kind: 'continue', state: { step: 'post', mediaId, armedAt: context.now } }
}

const postReference = (id: string) => ({ externalId: id, url: `https://x.com/i/status/${id}` })

const isGone = ({ status }: PlatformResponse) => status === 404 || status === 410

/** The end of a problem's type is its name: `https://api.x.com/2/problems/usage-capped`. */
function errorIn(response: PlatformResponse): PlatformError | undefined {
  const given = tryParseResponse(response, problem)
  if (!given) return undefined
  const name = /\/problems\/([\w-]+)$/.exec(given.type ?? '')?.[1]
  return { code: name ?? `status-${response.status}`, message: given.detail }
}

function failure(
  response: PlatformResponse,
  context: PublishContext,
  how: { publishes?: boolean } = {},
): StepOutcome<never> {
  const why = errorIn(response)
  // A cap on a month's use does not end while we wait.
  if (response.status === 429 && why?.code === 'usage-capped') return { kind: 'refused', ...why }
  return failureOutcome(response, context.now, { error: why, ...how })
}
