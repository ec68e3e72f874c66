/**
 * Publishes on Pinterest: the video is registered, uploaded to a presigned host, processed, and attached to a pin on a
 * board. A pin carries no idempotency key: after a lost response it is recognised by board, texts and time.
 * https://developers.pinterest.com/docs/api/v5/
 */
import * as v from 'valibot'
import type { PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { multipartForm } from '../multipart.ts'
import { checkPostLimits, type PostLimits } from '../post-limits.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, jsonPostRequest, uploadDeadlineMs } from '../requests.ts'
import {
  failureOutcome,
  inconclusive,
  isSuccess,
  type PlatformError,
  parseResponse,
  tryParseResponse,
} from '../responses.ts'
import { clockSkewMs, reopenSendWindow, secondsUntilConsistent, sendDeadlineMs } from '../send-window.ts'
import { uploadHostFailure } from '../upload-host.ts'
import { pinterestUrls } from './urls.ts'

type PendingPost = { step: 'post'; board: string; mediaId: string; armedAt: string }
type State =
  | { step: 'board' }
  | { step: 'upload'; board: string }
  | { step: 'process'; board: string; mediaId: string }
  | PendingPost
type Outcome = StepOutcome<State>

const limits: PostLimits = {
  name: 'Pinterest',
  caption: { max: 800 },
  titleMax: 100,
  video: { bytesMax: 2 * 1024 ** 3, secondsMin: 4, secondsMax: 900 },
}

/** Maximum lag of the owner's list of pins. */
const listLagSeconds = 300
const recheckSeconds = 60
const pollSeconds = 5

const boardsResponse = v.object({ items: v.array(v.object({ id: v.string() })) })
const registerResponse = v.object({
  media_id: v.string(),
  upload_url: v.string(),
  upload_parameters: v.record(v.string(), v.string()),
})
const mediaResponse = v.object({ status: v.string() })
const createResponse = v.object({ id: v.string() })
const pinsResponse = v.object({
  items: v.array(
    v.object({
      id: v.string(),
      created_at: v.string(),
      board_id: v.nullish(v.string()),
      title: v.nullish(v.string(), ''),
      description: v.nullish(v.string(), ''),
    }),
  ),
})
const errorResponse = v.object({ code: v.number(), message: v.string() })

export function pinterestPublisher(urls: Pick<typeof pinterestUrls, 'api'> = pinterestUrls): Publisher<State> {
  const get = (context: PublishContext, path: string) =>
    context.http({ method: 'GET', url: `${urls.api}/v5/${path}`, headers: bearerHeader(context.token) })
  const post = (context: PublishContext, path: string, body: object) =>
    jsonPostRequest(`${urls.api}/v5/${path}`, bearerHeader(context.token), body)

  /** The board in the account's settings, or its first board. */
  async function chooseBoard(context: PublishContext): Promise<Outcome> {
    const chosen = context.account.settings.board
    if (chosen) return { kind: 'continue', state: { step: 'upload', board: chosen } }
    const response = await get(context, 'boards?page_size=1')
    if (!isSuccess(response)) return failure(response, context)
    const [first] = parseResponse(response, boardsResponse).items
    if (first) return { kind: 'continue', state: { step: 'upload', board: first.id } }
    return { kind: 'refused', code: 'settings-missing', message: 'The Pinterest account has no board.' }
  }

  /** Registers and uploads in one step, because the upload grant is a secret and states hold none. */
  async function upload(board: string, context: PublishContext): Promise<Outcome> {
    const response = await context.http(post(context, 'media', { media_type: 'video' }))
    if (!isSuccess(response)) return failure(response, context)
    const { media_id: mediaId, upload_url: url, upload_parameters: fields } = parseResponse(response, registerResponse)
    const { bytes } = context.post.film
    const file = { name: 'film.mp4', type: 'video/mp4', bytes, read: () => context.readRender(0, bytes) }
    const form = multipartForm(fields, { field: 'file', ...file })
    const headers = { 'content-type': form.type }
    const uploaded = await context.http({ method: 'POST', url, headers, body: form.body, deadlineMs: uploadDeadlineMs })
    if (!isSuccess(uploaded)) return uploadHostFailure(uploaded, context.now)
    return { kind: 'continue', state: { step: 'process', board, mediaId }, waitSeconds: pollSeconds }
  }

  async function process(board: string, mediaId: string, context: PublishContext): Promise<Outcome> {
    const response = await get(context, `media/${mediaId}`)
    if (!isSuccess(response)) return failure(response, context)
    const { status } = parseResponse(response, mediaResponse)
    if (status === 'failed') {
      return { kind: 'refused', code: 'media-failed', message: 'Pinterest could not process the video.' }
    }
    if (status === 'succeeded') {
      return { kind: 'continue', state: { step: 'post', board, mediaId, armedAt: context.now } }
    }
    return { kind: 'continue', state: { step: 'process', board, mediaId }, waitSeconds: pollSeconds }
  }

  async function publish(state: PendingPost, context: PublishContext): Promise<Outcome> {
    const reopened = reopenSendWindow(state, context.now)
    if (reopened) return reopened
    const { caption, title, film } = context.post
    const body = {
      board_id: state.board,
      title,
      description: caption,
      media_source: { source_type: 'video_id', media_id: state.mediaId, cover_image_url: film.coverUrl },
    }
    const response = await context.http({ ...post(context, 'pins', body), deadlineMs: sendDeadlineMs })
    if (isSuccess(response)) return { kind: 'done', ...postReference(parseResponse(response, createResponse).id) }
    return failureOutcome(response, context.now, { error: errorIn(response), publishes: true })
  }

  async function lookUp(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const response = await get(context, 'pins?page_size=50')
    if (!isSuccess(response)) return inconclusive(failure(response, context), recheckSeconds)
    const { title, caption } = context.post
    const since = Date.parse(state.armedAt) - clockSkewMs
    const recent = parseResponse(response, pinsResponse).items.filter(
      (pin) => pin.board_id === state.board && parseUtc(pin.created_at) >= since,
    )
    const found = recent.find((pin) => pin.title?.trim() === title.trim() && pin.description?.trim() === caption.trim())
    if (found) return { kind: 'published', ...postReference(found.id) }
    // Another recent pin may be this one, with texts that Pinterest changed.
    if (recent.length > 0) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const seconds = secondsUntilConsistent(state, context, listLagSeconds)
    return seconds > 0 ? { kind: 'unsure', waitSeconds: Math.min(seconds, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'pinterest',
    validate: (post) => checkPostLimits(post, limits),
    initialState: () => ({ step: 'board' }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, context) {
      switch (state.step) {
        case 'board':
          return chooseBoard(context)
        case 'upload':
          return upload(state.board, context)
        case 'process':
          return process(state.board, state.mediaId, context)
        case 'post':
          return publish(state, context)
      }
    },
    async lookUp(state, context) {
      return state.step === 'post' ? lookUp(state, context) : { kind: 'absent', state }
    },
  }
}

const postReference = (id: string) => ({ externalId: id, url: `https://www.pinterest.com/pin/${id}/` })

/** Pinterest omits the time zone of its UTC times: `2026-11-20T12:00:00`. */
const parseUtc = (at: string) => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(at) ? at : `${at}Z`)

function errorIn(response: PlatformResponse): PlatformError | undefined {
  const parsed = tryParseResponse(response, errorResponse)
  return parsed && { code: String(parsed.code), message: parsed.message }
}

const failure = (response: PlatformResponse, { now }: PublishContext) =>
  failureOutcome(response, now, { error: errorIn(response) })
