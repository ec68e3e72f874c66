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
  film: { bytesMax: 512 * 1024 * 1024, secondsMin: 0.5, secondsMax: 140, ratios: [1 / 3, 3] },
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
  const get = (place: PublishContext, path: string) =>
    place.http({ method: 'GET', url: urls.api + path, headers: bearerHeader(place.token) })

  async function initialize(place: PublishContext): Promise<Outcome> {
    const body = { media_type: 'video/mp4', total_bytes: place.post.film.bytes, media_category: 'tweet_video' }
    const answer = await place.http(
      jsonPostRequest(`${urls.api}/2/media/upload/initialize`, bearerHeader(place.token), body),
    )
    if (!isSuccess(answer)) return failure(answer, place)
    return { kind: 'continue', state: { step: 'append', mediaId: parseResponse(answer, created).data.id, sent: 0 } }
  }

  async function append(place: PublishContext, mediaId: string, sent: number): Promise<Outcome> {
    const { bytes } = place.post.film
    const end = Math.min(sent + chunkBytes, bytes)
    const form = multipartForm(
      { segment_index: String(sent / chunkBytes) },
      {
        field: 'media',
        name: 'film.mp4',
        type: 'application/octet-stream',
        bytes: end - sent,
        read: () => place.readRender(sent, end),
      },
    )
    const answer = await place.http({
      method: 'POST',
      url: `${urls.api}/2/media/upload/${mediaId}/append`,
      headers: { ...bearerHeader(place.token), 'content-type': form.type },
      body: form.body,
      deadlineMs: chunkDeadlineMs,
    })
    if (isGone(answer)) return { kind: 'continue', state: { step: 'initialize' } }
    if (!isSuccess(answer)) return failure(answer, place)
    const state: State = end < bytes ? { step: 'append', mediaId, sent: end } : { step: 'finalize', mediaId }
    return { kind: 'continue', state }
  }

  /** What was finalized before, without our hearing of it, is refused: whether it was is then asked of its state. */
  async function finalize(place: PublishContext, mediaId: string): Promise<Outcome> {
    const answer = await place.http({
      method: 'POST',
      url: `${urls.api}/2/media/upload/${mediaId}/finalize`,
      headers: bearerHeader(place.token),
    })
    if (isSuccess(answer)) return outcomeOfProcessing(answer, place, mediaId)
    if (answer.status !== 400) return failure(answer, place)
    const status = await statusOf(place, mediaId)
    return isSuccess(status) ? outcomeOfProcessing(status, place, mediaId) : failure(answer, place)
  }

  async function process(place: PublishContext, mediaId: string): Promise<Outcome> {
    const answer = await statusOf(place, mediaId)
    return isSuccess(answer) ? outcomeOfProcessing(answer, place, mediaId) : failure(answer, place)
  }

  const statusOf = (place: PublishContext, mediaId: string) =>
    get(place, `/2/media/upload?command=STATUS&media_id=${mediaId}`)

  async function post(place: PublishContext, state: PendingPost): Promise<Outcome> {
    const again = reopenSendWindow(state, place.now)
    if (again) return again
    const { caption } = place.post
    const wish = {
      ...(caption && { text: caption }),
      media: { media_ids: [state.mediaId] },
      made_with_ai: place.account.settings.madeWithAi !== 'false',
    }
    const request = jsonPostRequest(`${urls.api}/2/tweets`, bearerHeader(place.token), wish)
    const answer = await place.http({ ...request, deadlineMs: sendDeadlineMs })
    if (isSuccess(answer)) return { kind: 'done', ...postReference(parseResponse(answer, created).data.id) }
    if (answer.status === 403 && /duplicate/i.test(errorIn(answer)?.message ?? '')) {
      return { kind: 'duplicate', externalId: null, url: null }
    }
    return failure(answer, place, { publishes: true })
  }

  async function reconcile(place: PublishContext, state: PendingPost): Promise<PostLookup<State>> {
    const since = new Date(Date.parse(state.armedAt) - clockSkewMs).toISOString()
    // As X's OpenAPI 2.167 calls it; pages of before say `tweet.fields`.
    const shown = { 'post.fields': 'attachments', expansions: 'attachments.media_keys' }
    const query = new URLSearchParams({ start_time: since, max_results: '100', ...shown })
    const answer = await get(place, `/2/users/${place.account.externalId}/tweets?${query}`)
    if (!isSuccess(answer)) return inconclusive(failure(answer, place), recheckSeconds)
    // A media key is the id of the media behind a number for its kind.
    const shows = (key: string) => key.endsWith(`_${state.mediaId}`)
    const made = parseResponse(answer, timeline).data
    const found = made.find(({ attachments }) => attachments?.media_keys.some(shows))
    if (found) return { kind: 'published', ...postReference(found.id) }
    // A post of these minutes that does not say what it shows may be ours.
    if (made.some(({ attachments }) => !attachments)) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const left = secondsUntilConsistent(state, place.now, listLagSeconds)
    return left > 0 ? { kind: 'unsure', waitSeconds: Math.min(left, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'twitter',
    validate: (wanted) => checkPostLimits(wanted, limits),
    initialState: () => ({ step: 'initialize' }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, place) {
      switch (state.step) {
        case 'initialize':
          return initialize(place)
        case 'append':
          return append(place, state.mediaId, state.sent)
        case 'finalize':
          return finalize(place, state.mediaId)
        case 'process':
          return process(place, state.mediaId)
        case 'post':
          return post(place, state)
      }
    },
    async reconcile(state, place) {
      return state.step === 'post' ? reconcile(place, state) : { kind: 'absent', state }
    },
  }
}

/** Where the media are on their way, from an answer that tells it. */
function outcomeOfProcessing(answer: PlatformResponse, place: PublishContext, mediaId: string): Outcome {
  const info = parseResponse(answer, processing).data.processing_info
  if (info?.state === 'failed') {
    return { kind: 'refused', code: 'media-processing-failed', message: 'X could not process the film.' }
  }
  if (info && info.state !== 'succeeded') {
    return { kind: 'continue', state: { step: 'process', mediaId }, waitSeconds: info.check_after_secs ?? 5 }
  }
  return { kind: 'continue', state: { step: 'post', mediaId, armedAt: place.now } }
}

const postReference = (id: string) => ({ externalId: id, url: `https://x.com/i/status/${id}` })

const isGone = ({ status }: PlatformResponse) => status === 404 || status === 410

/** The end of a problem's type is its name: `https://api.x.com/2/problems/usage-capped`. */
function errorIn(answer: PlatformResponse): PlatformError | undefined {
  const given = tryParseResponse(answer, problem)
  if (!given) return undefined
  const name = /\/problems\/([\w-]+)$/.exec(given.type ?? '')?.[1]
  return { code: name ?? `status-${answer.status}`, message: given.detail }
}

function failure(
  answer: PlatformResponse,
  place: PublishContext,
  how: { publishes?: boolean } = {},
): StepOutcome<never> {
  const why = errorIn(answer)
  // A cap on a month's use does not end while we wait.
  if (answer.status === 429 && why?.code === 'usage-capped') return { kind: 'refused', ...why }
  return failureOutcome(answer, place.now, { told: why, ...how })
}
