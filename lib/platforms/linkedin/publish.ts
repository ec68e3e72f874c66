/**
 * Publishes on LinkedIn: the video is uploaded in the parts that LinkedIn specifies, processed, and attached to a post
 * of a member or an organization. A post names its video, whose id is known before; reading posts needs a permission
 * that depends on the author.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api
 */
import * as v from 'valibot'
import type { PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { NoResponse } from '../failures.ts'
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
import { littleText } from './little-text.ts'
import { linkedinUrls } from './urls.ts'

interface Part {
  url: string
  from: number
  /** Exclusive. */
  to: number
}
type Uploading = {
  step: 'upload'
  video: string
  /** The upload token, which finalizing repeats. */
  handle: string
  /** Parts still to upload. */
  parts: Part[]
  /** The ETags of the uploaded parts, in order. */
  tags: string[]
}
type Uploaded = { step: 'finalize'; video: string; handle: string; tags: string[] }
type PendingPost = { step: 'post'; video: string; armedAt: string }
type State = { step: 'initialize' } | Uploading | Uploaded | { step: 'process'; video: string } | PendingPost
type Outcome = StepOutcome<State>

/** LinkedIn supports a version for about a year (https://learn.microsoft.com/en-us/linkedin/marketing/versioning). */
const version = '202605'

const limits: PostLimits = {
  name: 'LinkedIn',
  caption: { max: 3000 },
  video: { bytesMax: 500 * 1024 * 1024, secondsMin: 3, secondsMax: 1800, ratios: [1 / 2.4, 2.4] },
}

/** Maximum lag of the author's list of posts. */
const listLagSeconds = 300
const recheckSeconds = 60
const pollSeconds = 5

const initializeResponse = v.object({
  value: v.object({
    video: v.string(),
    uploadToken: v.optional(v.string(), ''),
    uploadInstructions: v.array(v.object({ uploadUrl: v.string(), firstByte: v.number(), lastByte: v.number() })),
  }),
})
const videoState = v.object({ status: v.string(), processingFailureReason: v.optional(v.string()) })
const posts = v.object({
  elements: v.array(
    v.object({
      id: v.string(),
      content: v.optional(v.object({ media: v.optional(v.object({ id: v.string() })) })),
    }),
  ),
})
/** https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling */
const errorResponse = v.object({ code: v.optional(v.string()), message: v.string() })

export function linkedinPublisher(urls: Pick<typeof linkedinUrls, 'api'> = linkedinUrls): Publisher<State> {
  const headersOf = ({ token }: PublishContext) => ({
    ...bearerHeader(token),
    'linkedin-version': version,
    'x-restli-protocol-version': '2.0.0',
  })
  const post = (context: PublishContext, path: string, body: object) =>
    context.http(jsonPostRequest(`${urls.api}/rest/${path}`, headersOf(context), body))
  const get = (context: PublishContext, path: string, headers = {}) =>
    context.http({ method: 'GET', url: `${urls.api}/rest/${path}`, headers: { ...headersOf(context), ...headers } })

  async function initialize(context: PublishContext): Promise<Outcome> {
    const body = {
      owner: context.account.externalId,
      fileSizeBytes: context.post.film.bytes,
      uploadCaptions: false,
      uploadThumbnail: false,
    }
    const response = await post(context, 'videos?action=initializeUpload', { initializeUploadRequest: body })
    if (!isSuccess(response)) return failure(response, context)
    const { video, uploadToken, uploadInstructions } = parseResponse(response, initializeResponse).value
    const parts = uploadInstructions.map(({ uploadUrl, firstByte, lastByte }) => ({
      url: uploadUrl,
      from: firstByte,
      to: lastByte + 1,
    }))
    return { kind: 'continue', state: { step: 'upload', video, handle: uploadToken, parts, tags: [] } }
  }

  async function upload({ parts, ...state }: Uploading, context: PublishContext): Promise<Outcome> {
    const [part, ...remaining] = parts
    if (!part) return { kind: 'continue', state: { ...state, step: 'finalize' } }
    const response = await context.http({
      method: 'PUT',
      url: part.url,
      headers: { 'content-type': 'application/octet-stream' },
      body: { bytes: part.to - part.from, read: () => context.readRender(part.from, part.to) },
      deadlineMs: uploadDeadlineMs,
    })
    // The upload URL has expired, and with it the uploaded parts.
    if ([401, 403, 404, 410].includes(response.status)) return { kind: 'continue', state: { step: 'initialize' } }
    if (!isSuccess(response)) return failure(response, context)
    const tag = response.headers.etag
    if (!tag) throw new NoResponse('LinkedIn returned no ETag for the part.')
    const tags = [...state.tags, tag]
    if (remaining.length === 0) return { kind: 'continue', state: { ...state, step: 'finalize', tags } }
    return { kind: 'continue', state: { ...state, parts: remaining, tags } }
  }

  /** Finalizing twice is refused, so after a refusal the state of the video decides. */
  async function finalize({ video, handle, tags }: Uploaded, context: PublishContext): Promise<Outcome> {
    const body = { video, uploadToken: handle, uploadedPartIds: tags }
    const response = await post(context, 'videos?action=finalizeUpload', { finalizeUploadRequest: body })
    if (isSuccess(response)) return { kind: 'continue', state: { step: 'process', video }, waitSeconds: pollSeconds }
    if (![400, 409, 422].includes(response.status)) return failure(response, context)
    const stateResponse = await get(context, `videos/${encodeURIComponent(video)}`)
    const isComplete = tryParseResponse(stateResponse, videoState)?.status.match(/^(PROCESSING|AVAILABLE)$/)
    return isComplete ? { kind: 'continue', state: { step: 'process', video } } : failure(response, context)
  }

  async function process(video: string, context: PublishContext): Promise<Outcome> {
    const response = await get(context, `videos/${encodeURIComponent(video)}`)
    if (!isSuccess(response)) return failure(response, context)
    const { status, processingFailureReason: reason } = parseResponse(response, videoState)
    if (status === 'AVAILABLE') return { kind: 'continue', state: { step: 'post', video, armedAt: context.now } }
    if (status === 'PROCESSING_FAILED') {
      return {
        kind: 'refused',
        code: status,
        message: `LinkedIn could not process the video: ${reason ?? 'no reason'}.`,
      }
    }
    return { kind: 'continue', state: { step: 'process', video }, waitSeconds: pollSeconds }
  }

  async function publish(state: PendingPost, context: PublishContext): Promise<Outcome> {
    const reopened = reopenSendWindow(state, context.now)
    if (reopened) return reopened
    const request = jsonPostRequest(`${urls.api}/rest/posts`, headersOf(context), postRequest(context, state.video))
    const response = await context.http({ ...request, deadlineMs: sendDeadlineMs })
    if (isSuccess(response)) return { kind: 'done', ...postReference(idIn(response)) }
    const duplicate = response.status === 422 && /urn:li:(?:share|ugcPost):\d+/.exec(errorIn(response)?.message ?? '')
    if (duplicate) return { kind: 'duplicate', ...postReference(duplicate[0]) }
    return failureOutcome(response, context.now, { error: errorIn(response), publishes: true })
  }

  /** Few apps may read the posts of members; without this permission the lookup stays unsure. */
  async function lookUp(state: PendingPost, context: PublishContext): Promise<PostLookup<State>> {
    const query = `author=${encodeURIComponent(context.account.externalId)}&q=author&count=50&sortBy=LAST_MODIFIED`
    const response = await get(context, `posts?${query}`, { 'x-restli-method': 'FINDER' })
    if (!isSuccess(response)) return inconclusive(failure(response, context), recheckSeconds)
    const found = parseResponse(response, posts).elements.find(({ content }) => content?.media?.id === state.video)
    if (found) return { kind: 'published', ...postReference(found.id) }
    const seconds = secondsUntilConsistent(state, context, listLagSeconds)
    return seconds > 0 ? { kind: 'unsure', waitSeconds: Math.min(seconds, recheckSeconds) } : { kind: 'absent', state }
  }

  return {
    platform: 'linkedin',
    validate: (post) => checkPostLimits(post, limits),
    initialState: () => ({ step: 'initialize' }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, context) {
      switch (state.step) {
        case 'initialize':
          return initialize(context)
        case 'upload':
          return upload(state, context)
        case 'finalize':
          return finalize(state, context)
        case 'process':
          return process(state.video, context)
        case 'post':
          return publish(state, context)
      }
    },
    async lookUp(state, context) {
      return state.step === 'post' ? lookUp(state, context) : { kind: 'absent', state }
    },
  }
}

const postRequest = ({ post, account }: PublishContext, video: string) => ({
  author: account.externalId,
  commentary: littleText(post.caption),
  visibility: account.settings.privacy ?? 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  content: { media: { title: post.title, id: video } },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
})

const postReference = (urn: string) => ({ externalId: urn, url: `https://www.linkedin.com/feed/update/${urn}` })

function idIn({ headers }: PlatformResponse): string {
  const id = headers['x-restli-id']
  if (!id) throw new NoResponse('LinkedIn returned no id for the post.')
  return id
}

function errorIn(response: PlatformResponse): PlatformError | undefined {
  const parsed = tryParseResponse(response, errorResponse)
  return parsed && { code: parsed.code ?? `status-${response.status}`, message: parsed.message }
}

const failure = (response: PlatformResponse, { now }: PublishContext) =>
  failureOutcome(response, now, { error: errorIn(response) })
