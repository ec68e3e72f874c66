/**
 * Publishes on Reddit: video and poster are uploaded to presigned hosts and submitted to a subreddit; the post appears
 * once Reddit has processed the video. Reddit does not document this for videos; it follows PRAW, the best-known client
 * (https://github.com/praw-dev/praw/blob/main/praw/models/reddit/subreddit/subreddit.py). A post is found by its URL,
 * which ends with the key of the upload.
 */
import * as v from 'valibot'
import type { PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { NoResponse } from '../failures.ts'
import { type MultipartFile, multipartForm } from '../multipart.ts'
import { checkPostLimits, type PostLimits } from '../post-limits.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, formPostRequest, uploadDeadlineMs } from '../requests.ts'
import { failureOutcome, inconclusive, isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { reopenSendWindow, secondsUntilConsistent, sendDeadlineMs } from '../send-window.ts'
import { uploadHostFailure } from '../upload-host.ts'
import { redditUrls, userAgent } from './urls.ts'

/** An uploaded file. */
interface Upload {
  key: string
  url: string
}
type PendingPost = { step: 'submit'; film: Upload; poster: Upload; armedAt: string }
type State = { step: 'film' } | { step: 'poster'; film: Upload } | PendingPost | { step: 'find'; film: Upload }
type Outcome = StepOutcome<State>

const limits: PostLimits = {
  name: 'Reddit',
  caption: { max: 40_000 },
  titleMax: 300,
  video: { bytesMax: 1024 ** 3, secondsMin: 2, secondsMax: 900 },
}

/** Maximum time from a submission to the post in its author's list. */
const listLagSeconds = 600
const recheckSeconds = 90
const pollSeconds = 10

const uploadGrant = v.object({
  args: v.object({
    /** Without a scheme: `//reddit-uploaded-video.s3-accelerate.amazonaws.com`. */
    action: v.string(),
    fields: v.array(v.object({ name: v.string(), value: v.string() })),
  }),
})
const submitResponse = v.object({
  json: v.object({
    errors: v.array(v.looseTuple([v.string(), v.string()])),
    /** Seconds. */
    ratelimit: v.optional(v.number()),
  }),
})
const listingResponse = v.object({
  data: v.object({
    children: v.array(
      v.object({ data: v.object({ name: v.string(), url: v.optional(v.string()), permalink: v.string() }) }),
    ),
  }),
})
const errorResponse = v.object({ message: v.string() })

export function redditPublisher(urls: Pick<typeof redditUrls, 'api'> = redditUrls): Publisher<State> {
  const headersOf = ({ token, account }: PublishContext) => ({
    ...bearerHeader(token),
    ...userAgent(account.username),
  })
  const post = (context: PublishContext, path: string, fields: Record<string, string>) => {
    const { headers, ...request } = formPostRequest(`${urls.api}/api/${path}?raw_json=1`, {
      api_type: 'json',
      ...fields,
    })
    return { ...request, headers: { ...headersOf(context), ...headers } }
  }

  const listSubmitted = (context: PublishContext) =>
    context.http({
      method: 'GET',
      url: `${urls.api}/user/${encodeURIComponent(context.account.username)}/submitted?sort=new&limit=50&raw_json=1`,
      headers: headersOf(context),
    })

  /** Requests the grant and uploads in one step, because the grant is a secret and states hold none. */
  async function upload(
    context: PublishContext,
    file: Omit<MultipartFile, 'field'>,
  ): Promise<Upload | StepOutcome<never>> {
    const response = await context.http(post(context, 'media/asset.json', { filepath: file.name, mimetype: file.type }))
    if (!isSuccess(response)) return failure(response, context)
    const { action, fields } = parseResponse(response, uploadGrant).args
    const formFields: Record<string, string> = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
    if (!formFields.key) throw new NoResponse('Reddit returned no key for the upload.')
    const form = multipartForm(formFields, { ...file, field: 'file' })
    const url = new URL(action, urls.api).href.replace(/\/$/, '')
    const headers = { 'content-type': form.type }
    const uploaded = await context.http({ method: 'POST', url, headers, body: form.body, deadlineMs: uploadDeadlineMs })
    if (!isSuccess(uploaded)) return uploadHostFailure(uploaded, context.now)
    return { key: formFields.key, url: `${url}/${formFields.key}` }
  }

  async function uploadFilm(context: PublishContext): Promise<Outcome> {
    const { bytes } = context.post.film
    const file = { name: 'film.mp4', type: 'video/mp4', bytes, read: () => context.readRender(0, bytes) }
    const film = await upload(context, file)
    return 'kind' in film ? film : { kind: 'continue', state: { step: 'poster', film } }
  }

  async function uploadPoster(film: Upload, context: PublishContext): Promise<Outcome> {
    const cover = await context.http({
      method: 'GET',
      url: context.post.film.coverUrl,
      headers: { accept: 'image/jpeg' },
    })
    if (cover.status !== 200) return { kind: 'retry', waitSeconds: 15, message: 'The cover could not be read.' }
    async function* picture() {
      yield cover.body
    }
    const bytes = cover.body.byteLength
    const poster = await upload(context, { name: 'cover.jpg', type: 'image/jpeg', bytes, read: picture })
    if ('kind' in poster) return poster
    return { kind: 'continue', state: { step: 'submit', film, poster, armedAt: context.now } }
  }

  async function submit(state: PendingPost, context: PublishContext): Promise<Outcome> {
    const reopened = reopenSendWindow(state, context.now)
    if (reopened) return reopened
    const request = post(context, 'submit', fieldsOf(context, state))
    const response = await context.http({ ...request, deadlineMs: sendDeadlineMs })
    if (!isSuccess(response)) return failure(response, context, { publishes: true })
    const { errors, ratelimit } = parseResponse(response, submitResponse).json
    const refusal = errors[0] && refusalOf(errors[0], ratelimit)
    return refusal ?? { kind: 'continue', state: { step: 'find', film: state.film }, waitSeconds: pollSeconds }
  }

  async function find(film: Upload, context: PublishContext): Promise<Outcome> {
    const response = await listSubmitted(context)
    if (!isSuccess(response)) {
      const outcome = failure(response, context)
      // A refused lookup says nothing about the post.
      return outcome.kind === 'refused'
        ? { kind: 'retry', waitSeconds: pollSeconds, message: outcome.message }
        : outcome
    }
    const found = findPost(response, film)
    if (found) return { kind: 'done', ...found }
    return { kind: 'continue', state: { step: 'find', film }, waitSeconds: pollSeconds }
  }

  async function lookUp(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const response = await listSubmitted(context)
    if (!isSuccess(response)) return inconclusive(failure(response, context), recheckSeconds)
    const found = findPost(response, state.film)
    if (found) return { kind: 'published', ...found }
    const seconds = secondsUntilConsistent(state, context, listLagSeconds)
    return seconds > 0 ? { kind: 'unsure', waitSeconds: Math.min(seconds, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'reddit',
    validate: (post) => checkPostLimits(post, limits),
    initialState: () => ({ step: 'film' }),
    mayPublish: ({ step }) => step === 'submit',
    async step(state, context) {
      switch (state.step) {
        case 'film':
          return uploadFilm(context)
        case 'poster':
          return uploadPoster(state.film, context)
        case 'submit':
          return submit(state, context)
        case 'find':
          return find(state.film, context)
      }
    },
    async lookUp(state, context) {
      return state.step === 'submit' ? lookUp(state, context) : { kind: 'absent', state }
    },
  }
}

/** Without a subreddit in the settings, the account posts to its profile. */
const fieldsOf = ({ post, account }: PublishContext, { film, poster }: PendingPost) => ({
  kind: 'video',
  sr: account.settings.subreddit ?? `u_${account.username}`,
  title: post.title,
  text: post.caption,
  url: film.url,
  video_poster_url: poster.url,
  nsfw: 'false',
  spoiler: 'false',
  resubmit: 'true',
  sendreplies: 'true',
  validate_on_submit: 'true',
  ...(account.settings.flair && { flair_id: account.settings.flair }),
})

function findPost(response: PlatformResponse, film: Upload) {
  const { children } = parseResponse(response, listingResponse).data
  const found = children.find(({ data }) => data.url === `https://v.redd.it/${film.key}`)?.data
  return found && { externalId: found.name, url: `https://www.reddit.com${found.permalink}` }
}

/** Reddit refuses with status 200. A user's rate limit is in the message as text, and sometimes in seconds. */
function refusalOf([code, message]: readonly [string, string, ...unknown[]], ratelimit?: number): StepOutcome<never> {
  if (code === 'ALREADY_SUB') return { kind: 'duplicate', externalId: null, url: null }
  if (code !== 'RATELIMIT') return { kind: 'refused', code, message }
  const [, number = '10', unit = 'minute'] = /(?<!\d)(\d+) (second|minute|hour)/.exec(message) ?? []
  const seconds = Number(number) * { second: 1, minute: 60, hour: 3600 }[unit as 'second' | 'minute' | 'hour']
  return { kind: 'retry', waitSeconds: Math.ceil(ratelimit ?? seconds), message }
}

function failure(response: PlatformResponse, { now }: PublishContext, options: { publishes?: boolean } = {}) {
  const parsed = tryParseResponse(response, errorResponse)
  const error = parsed && { code: `status-${response.status}`, message: parsed.message }
  const outcome = failureOutcome(response, now, { error, ...options })
  // Every response has the seconds until the rate limit resets
  // (https://support.reddithelp.com/hc/en-us/articles/16160319875092).
  const reset = Number(response.headers['x-ratelimit-reset'])
  const isRateLimit = outcome.kind === 'retry' && response.status === 429 && reset > 0
  return isRateLimit ? { ...outcome, waitSeconds: Math.ceil(reset) } : outcome
}
