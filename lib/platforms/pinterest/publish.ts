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
  film: { bytesMax: 2 * 1024 ** 3, secondsMin: 4, secondsMax: 900 },
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
const trouble = v.object({ code: v.number(), message: v.string() })

export function pinterestPublisher(urls: Pick<typeof pinterestUrls, 'api'> = pinterestUrls): Publisher<State> {
  const get = (place: PublishContext, path: string) =>
    place.http({ method: 'GET', url: `${urls.api}/v5/${path}`, headers: bearerHeader(place.token) })
  const post = (place: PublishContext, path: string, body: object) =>
    jsonPostRequest(`${urls.api}/v5/${path}`, bearerHeader(place.token), body)

  /** The account's own choice, or the first board that it has. */
  async function chooseBoard(place: PublishContext): Promise<Outcome> {
    const chosen = place.account.settings.board
    if (chosen) return { kind: 'continue', state: { step: 'upload', board: chosen } }
    const answer = await get(place, 'boards?page_size=1')
    if (!isSuccess(answer)) return failure(answer, place)
    const [first] = parseResponse(answer, boards).items
    if (first) return { kind: 'continue', state: { step: 'upload', board: first.id } }
    return { kind: 'refused', code: 'settings-missing', message: 'The Pinterest account has no board.' }
  }

  /** Both in one step, since the permission to upload is a secret, and no state holds one. */
  async function upload(place: PublishContext, board: string): Promise<Outcome> {
    const answer = await place.http(post(place, 'media', { media_type: 'video' }))
    if (!isSuccess(answer)) return failure(answer, place)
    const { media_id: mediaId, upload_url: url, upload_parameters: fields } = parseResponse(answer, registered)
    const { bytes } = place.post.film
    const film = { name: 'film.mp4', type: 'video/mp4', bytes, read: () => place.readRender(0, bytes) }
    const form = multipartForm(fields, { field: 'file', ...film })
    const headers = { 'content-type': form.type }
    const sent = await place.http({ method: 'POST', url, headers, body: form.body, deadlineMs: uploadDeadlineMs })
    if (!isSuccess(sent)) return uploadHostFailure(sent, place.now)
    return { kind: 'continue', state: { step: 'process', board, mediaId }, waitSeconds: pollSeconds }
  }

  async function process(place: PublishContext, board: string, mediaId: string): Promise<Outcome> {
    const answer = await get(place, `media/${mediaId}`)
    if (!isSuccess(answer)) return failure(answer, place)
    const { status } = parseResponse(answer, mediaState)
    if (status === 'failed') {
      return { kind: 'refused', code: 'media-failed', message: 'Pinterest could not process the film.' }
    }
    if (status === 'succeeded') {
      return { kind: 'continue', state: { step: 'post', board, mediaId, armedAt: place.now } }
    }
    return { kind: 'continue', state: { step: 'process', board, mediaId }, waitSeconds: pollSeconds }
  }

  async function publish(place: PublishContext, state: PendingPost): Promise<Outcome> {
    const again = reopenSendWindow(state, place.now)
    if (again) return again
    const { caption, title, film } = place.post
    const body = {
      board_id: state.board,
      title,
      description: caption,
      media_source: { source_type: 'video_id', media_id: state.mediaId, cover_image_url: film.coverUrl },
    }
    const answer = await place.http({ ...post(place, 'pins', body), deadlineMs: sendDeadlineMs })
    if (isSuccess(answer)) return { kind: 'done', ...postReference(parseResponse(answer, created).id) }
    return failureOutcome(answer, place.now, { told: errorIn(answer), publishes: true })
  }

  async function reconcile(place: PublishContext, state: PendingPost): Promise<PostLookup<State>> {
    const answer = await get(place, 'pins?page_size=50')
    if (!isSuccess(answer)) return inconclusive(failure(answer, place), recheckSeconds)
    const { title, caption } = place.post
    const since = Date.parse(state.armedAt) - clockSkewMs
    const made = parseResponse(answer, pins).items.filter(
      (pin) => pin.board_id === state.board && parseUtc(pin.created_at) >= since,
    )
    const found = made.find((pin) => pin.title?.trim() === title.trim() && pin.description?.trim() === caption.trim())
    if (found) return { kind: 'published', ...postReference(found.id) }
    // Another pin of these minutes may be ours in words that Pinterest has changed.
    if (made.length > 0) return { kind: 'unsure', waitSeconds: recheckSeconds }
    const left = secondsUntilConsistent(state, place.now, listLagSeconds)
    return left > 0 ? { kind: 'unsure', waitSeconds: Math.min(left, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'pinterest',
    validate: (wanted) => checkPostLimits(wanted, limits),
    initialState: () => ({ step: 'board' }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, place) {
      switch (state.step) {
        case 'board':
          return chooseBoard(place)
        case 'upload':
          return upload(place, state.board)
        case 'process':
          return process(place, state.board, state.mediaId)
        case 'post':
          return publish(place, state)
      }
    },
    async reconcile(state, place) {
      return state.step === 'post' ? reconcile(place, state) : { kind: 'absent', state }
    },
  }
}

const postReference = (id: string) => ({ externalId: id, url: `https://www.pinterest.com/pin/${id}/` })

/** Pinterest writes times of UTC without saying so: `2026-11-20T12:00:00`. */
const parseUtc = (at: string) => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(at) ? at : `${at}Z`)

function errorIn(answer: PlatformResponse): PlatformError | undefined {
  const given = tryParseResponse(answer, trouble)
  return given && { code: String(given.code), message: given.message }
}

const failure = (answer: PlatformResponse, { now }: PublishContext) =>
  failureOutcome(answer, now, { told: errorIn(answer) })
