/**
 * Pinterest: the film is registered and uploaded to a host that Pinterest lends, processed, and shown by a pin on a board. A pin names
 * nothing of ours: one whose creation was not answered is known by its board, its words and its time.
 * https://developers.pinterest.com/docs/api/v5/
 */
import * as v from 'valibot'
import type { Found, StepOutcome } from '../../domain/publishing/posting.ts'
import { formWith } from '../multipart.ts'
import { checkLimits, type PostLimits } from '../post-limits.ts'
import type { PlatformAnswer, PostingPlace, Publisher } from '../publisher.ts'
import { bearer, jsonPost, uploadDeadlineMs } from '../requests.ts'
import { failureOf, isSuccess, notTold, read, readIf, type Told } from '../responses.ts'
import { armedDeadlineMs, rearm, secondsToSettle } from '../send-window.ts'
import { uploadFailureOf } from '../upload-host.ts'

export const pinterestUrls = { api: 'https://api.pinterest.com' }

type ArmedPost = { step: 'post'; board: string; mediaId: string; armedAt: string }
type State =
  | { step: 'board' }
  | { step: 'upload'; board: string }
  | { step: 'process'; board: string; mediaId: string }
  | ArmedPost
type Outcome = StepOutcome<State>

const limits: PostLimits = {
  name: 'Pinterest',
  caption: { max: 800 },
  titleMax: 100,
  film: { bytesMax: 2 * 1024 ** 3, secondsMin: 4, secondsMax: 900 },
}

/** How long a new pin may be missing from its owner's list. */
const lagSeconds = 300
const lookAgainSeconds = 60
const pollSeconds = 5
/** By so much their clock may be behind ours. */
const skewMs = 60_000

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

export function pinterest(urls = pinterestUrls): Publisher<State> {
  const get = (place: PostingPlace, path: string) =>
    place.http({ method: 'GET', url: `${urls.api}/v5/${path}`, headers: bearer(place.token) })
  const post = (place: PostingPlace, path: string, body: object) =>
    jsonPost(`${urls.api}/v5/${path}`, bearer(place.token), body)

  /** The account's own choice, or the first board that it has. */
  async function chooseBoard(place: PostingPlace): Promise<Outcome> {
    const chosen = place.account.settings.board
    if (chosen) return { kind: 'continue', state: { step: 'upload', board: chosen } }
    const answer = await get(place, 'boards?page_size=1')
    if (!isSuccess(answer)) return failure(answer, place)
    const [first] = read(answer, boards).items
    if (first) return { kind: 'continue', state: { step: 'upload', board: first.id } }
    return { kind: 'refused', code: 'settings-missing', message: 'The Pinterest account has no board.' }
  }

  /** Both in one step, since the permission to upload is a secret, and no state holds one. */
  async function upload(place: PostingPlace, board: string): Promise<Outcome> {
    const answer = await place.http(post(place, 'media', { media_type: 'video' }))
    if (!isSuccess(answer)) return failure(answer, place)
    const { media_id: mediaId, upload_url: url, upload_parameters: fields } = read(answer, registered)
    const { bytes } = place.post.film
    const film = { name: 'film.mp4', type: 'video/mp4', bytes, read: () => place.readFilm(0, bytes) }
    const form = formWith(fields, { field: 'file', ...film })
    const headers = { 'content-type': form.type }
    const sent = await place.http({ method: 'POST', url, headers, body: form.body, deadlineMs: uploadDeadlineMs })
    if (!isSuccess(sent)) return uploadFailureOf(sent, place.now)
    return { kind: 'continue', state: { step: 'process', board, mediaId }, waitSeconds: pollSeconds }
  }

  async function process(place: PostingPlace, board: string, mediaId: string): Promise<Outcome> {
    const answer = await get(place, `media/${mediaId}`)
    if (!isSuccess(answer)) return failure(answer, place)
    const { status } = read(answer, mediaState)
    if (status === 'failed') {
      return { kind: 'refused', code: 'media-failed', message: 'Pinterest could not process the film.' }
    }
    if (status === 'succeeded') {
      return { kind: 'continue', state: { step: 'post', board, mediaId, armedAt: place.now } }
    }
    return { kind: 'continue', state: { step: 'process', board, mediaId }, waitSeconds: pollSeconds }
  }

  async function publish(place: PostingPlace, state: ArmedPost): Promise<Outcome> {
    const again = rearm(state, place.now)
    if (again) return again
    const { caption, title, film } = place.post
    const wish = {
      board_id: state.board,
      title,
      description: caption,
      media_source: { source_type: 'video_id', media_id: state.mediaId, cover_image_url: film.coverUrl },
    }
    const answer = await place.http({ ...post(place, 'pins', wish), deadlineMs: armedDeadlineMs })
    if (isSuccess(answer)) return { kind: 'done', ...named(read(answer, created).id) }
    return failureOf(answer, place.now, { told: told(answer), publishes: true })
  }

  async function reconcile(place: PostingPlace, state: ArmedPost): Promise<Found<State>> {
    const answer = await get(place, 'pins?page_size=50')
    if (!isSuccess(answer)) return notTold(failure(answer, place), lookAgainSeconds)
    const { title, caption } = place.post
    const since = Date.parse(state.armedAt) - skewMs
    const made = read(answer, pins).items.filter(
      (pin) => pin.board_id === state.board && timeOf(pin.created_at) >= since,
    )
    const found = made.find((pin) => pin.title?.trim() === title.trim() && pin.description?.trim() === caption.trim())
    if (found) return { kind: 'published', ...named(found.id) }
    // Another pin of these minutes may be ours in words that Pinterest has changed.
    if (made.length > 0) return { kind: 'unsure', waitSeconds: lookAgainSeconds }
    const left = secondsToSettle(state, place.now, lagSeconds)
    return left > 0 ? { kind: 'unsure', waitSeconds: Math.min(left, lookAgainSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'pinterest',
    check: (wanted) => checkLimits(wanted, limits),
    first: () => ({ step: 'board' }),
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

const named = (id: string) => ({ externalId: id, url: `https://www.pinterest.com/pin/${id}/` })

/** Pinterest writes times of UTC without saying so: `2026-11-20T12:00:00`. */
const timeOf = (at: string) => Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(at) ? at : `${at}Z`)

function told(answer: PlatformAnswer): Told | undefined {
  const given = readIf(answer, trouble)
  return given && { code: String(given.code), message: given.message }
}

const failure = (answer: PlatformAnswer, { now }: PostingPlace) => failureOf(answer, now, { told: told(answer) })
