/**
 * Pinterest: the film is registered and uploaded to a host that Pinterest lends, processed, and shown by a pin on a board. A pin names
 * nothing of ours: one whose creation was not answered is known by its board, its words and its time.
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
import { reopenSendWindow, secondsUntilConsistent, sendDeadlineMs } from '../send-window.ts'
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

/** How long a new pin may be missing from its owner's list. */
const listLagSeconds = 300
const recheckSeconds = 60
const pollSeconds = 5
/** By so much their clock may be behind ours. */
const clockSkewMs = 60_000

const boards = v.object({ items: v.array(v.object({ id: v.string() })) })
const registered = v.object({
  media_id: v.string(),
  upload_url: v.string(),
  upload_parameters: v.record(v.string(), v.string()),
})
const mediaState = v.object({ status: v.string() })
const created = v.object({ id: v.string() })
const pins = v.object({
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

  /** The account's own choice, or the first board that it has. */
  async function chooseBoard(context: PublishContext): Promise<Outcome> {
    const chosen = context.account.settings.board
    if (chosen) return { kind: 'continue', state: { step: 'upload', board: chosen } }
    const response = await get(context, 'boards?page_size=1')
    if (!isSuccess(response)) return failure(response, context)
    const [first] = parseResponse(response, boards).items
    if (first) return { kind: 'continue', state: { step: 'upload', board: first.id } }
    return { kind: 'refused', code: 'settings-missing', message: 'The Pinterest account has no board.' }
  }

  /** Both in one step, since the permission to upload is a secret, and no state holds one. */
  async function upload(board: string, context: PublishContext): Promise<Outcome> {
    const response = await context.http(post(context, 'media', { media_type: 'video' }))
    if (!isSuccess(response)) return failure(response, context)
    const { media_id: mediaId, upload_url: url, upload_parameters: fields } = parseResponse(response, registered)
    const { bytes } = context.post.film
    const film = { name: 'film.mp4', type: 'video/mp4', bytes, read: () => context.readRender(0, bytes) }
    const form = multipartForm(fields, { field: 'file', ...film })
    const headers = { 'content-type': form.type }
    const sent = await context.http({ method: 'POST', url, headers, body: form.body, deadlineMs: uploadDeadlineMs })
    if (!isSuccess(sent)) return uploadHostFailure(sent, context.now)
    return { kind: 'continue', state: { step: 'process', board, mediaId }, waitSeconds: pollSeconds }
  }

  async function process(board: string, mediaId: string, context: PublishContext): Promise<Outcome> {
    const response = await get(context, `media/${mediaId}`)
    if (!isSuccess(response)) return failure(response, context)
    const { status } = parseResponse(response, mediaState)
    if (status === 'failed') {
      return { kind: 'refused', code: 'media-failed', message: 'Pinterest could not process the film.' }
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
    if (isSuccess(response)) return { kind: 'done', ...postReference(parseResponse(response, created).id) }
    return failureOutcome(response, context.now, { error: errorIn(response), publishes: true })
  }

  async function reconcile(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const response = await get(context, 'pins?page_size=50')
    if (!isSuccess(response)) return inconclusive(failure(response, context), recheckSeconds)
    const { title, caption } = context.post
    const since = Date.parse(state.armedAt) - clockSkewMs
    const made = parseResponse(response, pins).items.filter(
      (pin) => pin.board_id === state.board && parseUtc(pin.created_at) >= since,
    )
    const found = made.find((pin) => pin.title?.trim() === title.trim() && pin.description?.trim() === caption.trim())
    if (found) return { kind: 'published', ...postReference(found.id) }
    // Another pin of these minutes may be ours in words that Pinterest has changed.
    if (made.length > 0) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const left = secondsUntilConsistent(state, context.now, listLagSeconds)
    return left > 0 ? { kind: 'unsure', waitSeconds: Math.min(left, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'pinterest',
    validate: (wanted) => checkPostLimits(wanted, limits),
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
    async reconcile(state, context) {
      return state.step === 'post' ? reconcile(state, context) : { kind: 'absent', state }
    },
  }
}

const postReference = (id: string) => ({ externalId: id, url: `https://www.pinterest.com/pin/${id}/` })

/** Pinterest writes times of UTC without saying so: `2026-11-20T12:00:00`. */
const parseUtc = (at: string) => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(at) ? at : `${at}Z`)

function errorIn(response: PlatformResponse): PlatformError | undefined {
  const given = tryParseResponse(response, errorResponse)
  return given && { code: String(given.code), message: given.message }
}

const failure = (response: PlatformResponse, { now }: PublishContext) =>
  failureOutcome(response, now, { error: errorIn(response) })
