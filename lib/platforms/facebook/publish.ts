/**
 * Publishes reels on Facebook Pages. https://developers.facebook.com/docs/video-api/guides/reels-publishing
 * A video has an id before the upload and is a draft until the last call; its phases show whether it is published.
 */
import * as v from 'valibot'
import type { Post, PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { NoResponse } from '../failures.ts'
import { graphFailure, graphGet, graphPost } from '../meta/graph.ts'
import { checkPostLimits, type PostLimits, type PostRefusal } from '../post-limits.ts'
import type { PublishContext, Publisher } from '../publisher.ts'
import { isSameSite, uploadDeadlineMs } from '../requests.ts'
import { failureOutcome, inconclusive, isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { facebookUrls } from './urls.ts'

type State =
  | { step: 'start' }
  | { step: 'upload'; videoId: string; uploadUrl: string }
  | { step: 'finish' | 'check'; videoId: string }
type Outcome = StepOutcome<State>
type WithVideo = Extract<State, { videoId: string }>

const limits: PostLimits = {
  name: 'Facebook',
  caption: { max: 63_206 },
  // 9:16 with a tolerance of a line.
  video: { bytesMax: 1_000_000_000, secondsMin: 3, secondsMax: 90, ratios: [0.55, 0.575] },
}
const [widthMin, heightMin] = [540, 960]
const pollSeconds = 15

const startResponse = v.object({ video_id: v.string(), upload_url: v.string() })
const successResponse = v.object({ success: v.literal(true) })
const phase = v.optional(
  v.object({
    status: v.optional(v.string(), ''),
    // Facebook uses both spellings.
    bytes_transferred: v.optional(v.number()),
    bytes_transfered: v.optional(v.number()),
    errors: v.optional(v.array(v.object({ message: v.optional(v.string(), ''), code: v.optional(v.number()) })), []),
  }),
)
const statusBody = v.object({
  status: v.object({
    video_status: v.string(),
    uploading_phase: phase,
    processing_phase: phase,
    publishing_phase: phase,
  }),
})
type Progress = v.InferOutput<typeof statusBody>['status']
const uploadError = v.object({
  debug_info: v.object({
    retriable: v.boolean(),
    type: v.optional(v.string(), ''),
    message: v.optional(v.string(), ''),
  }),
})

export function facebookPublisher({ graph }: Pick<typeof facebookUrls, 'graph'> = facebookUrls): Publisher<State> {
  const reels = (context: PublishContext, fields: Record<string, string>) =>
    graphPost(graph, `/${context.account.externalId}/video_reels`, context, fields)

  const fetchStatus = ({ http, token }: PublishContext, { videoId }: WithVideo) =>
    graphGet(http, `${graph}/${videoId}`, { fields: 'status', access_token: token })

  async function start(context: PublishContext): Promise<Outcome> {
    const response = await reels(context, { upload_phase: 'start' })
    if (!isSuccess(response)) return graphFailure(response, context.now)
    const { video_id, upload_url } = parseResponse(response, startResponse)
    if (!isSameSite(upload_url, graph)) throw new NoResponse('Facebook returned an upload URL of another site.')
    return { kind: 'continue', state: { step: 'upload', videoId: video_id, uploadUrl: upload_url } }
  }

  /** Resumes at the offset that Facebook reports, since this may not be the first attempt. */
  async function upload(state: Extract<State, { step: 'upload' }>, context: PublishContext): Promise<Outcome> {
    const statusResponse = await fetchStatus(context, state)
    if (!isSuccess(statusResponse)) return graphFailure(statusResponse, context.now)
    const uploading = parseResponse(statusResponse, statusBody).status.uploading_phase
    const offset = uploading?.bytes_transferred ?? uploading?.bytes_transfered ?? 0
    const { bytes } = context.post.film
    const next: State = { step: 'finish', videoId: state.videoId }
    if (uploading?.status === 'complete' || offset >= bytes) return { kind: 'continue', state: next }
    const response = await context.http({
      method: 'POST',
      url: state.uploadUrl,
      headers: {
        authorization: `OAuth ${context.token}`,
        'content-type': 'application/octet-stream',
        offset: String(offset),
        file_size: String(bytes),
      },
      body: { bytes: bytes - offset, read: () => context.readRender(offset, bytes) },
      deadlineMs: uploadDeadlineMs,
    })
    if (isSuccess(response)) {
      parseResponse(response, successResponse)
      return { kind: 'continue', state: next }
    }
    const error = tryParseResponse(response, uploadError)?.debug_info
    if (!error) return graphFailure(response, context.now)
    if (error.retriable) return { kind: 'retry', waitSeconds: 10, message: error.message }
    return failureOutcome(response, context.now, { error: { code: error.type, message: error.message } })
  }

  async function finish(state: WithVideo, context: PublishContext): Promise<Outcome> {
    const response = await reels(context, {
      upload_phase: 'finish',
      video_id: state.videoId,
      video_state: 'PUBLISHED',
      description: context.post.caption,
      title: context.post.title,
    })
    const checkState: State = { step: 'check', videoId: state.videoId }
    if (isSuccess(response)) {
      parseResponse(response, successResponse)
      return { kind: 'continue', state: checkState, waitSeconds: pollSeconds }
    }
    const outcome = graphFailure(response, context.now, true)
    if (outcome.kind !== 'refused' && outcome.kind !== 'duplicate') return outcome
    // A reel that is already published is refused as well.
    const statusResponse = await fetchStatus(context, state)
    if (!isSuccess(statusResponse))
      throw new NoResponse('Facebook refuses to publish and did not return the status of the video.')
    return hasStartedProcessing(parseResponse(statusResponse, statusBody).status)
      ? { kind: 'continue', state: checkState }
      : outcome
  }

  async function check(state: WithVideo, context: PublishContext): Promise<Outcome> {
    const response = await fetchStatus(context, state)
    if (!isSuccess(response)) {
      const outcome = graphFailure(response, context.now)
      // A refused status request says nothing about the post.
      return outcome.kind === 'refused'
        ? { kind: 'retry', waitSeconds: pollSeconds, message: outcome.message }
        : outcome
    }
    const { status } = parseResponse(response, statusBody)
    if (isPublished(status)) return { kind: 'done', ...postReference(state) }
    const refusal = processingRefusal(status)
    if (refusal) return refusal
    return { kind: 'continue', state, waitSeconds: pollSeconds }
  }

  async function lookUp(state: State, context: PublishContext): Promise<PostLookup<State>> {
    if (state.step !== 'finish') return { kind: 'absent', state }
    const response = await fetchStatus(context, state)
    if (!isSuccess(response)) return inconclusive(graphFailure(response, context.now), pollSeconds)
    const status = tryParseResponse(response, statusBody)?.status
    if (!status) return { kind: 'unsure', waitSeconds: pollSeconds }
    if (isPublished(status)) return { kind: 'published', ...postReference(state) }
    if (processingRefusal(status)) return { kind: 'absent', state: { step: 'check', videoId: state.videoId } }
    if (hasStartedProcessing(status)) return { kind: 'unsure', waitSeconds: 2 * pollSeconds }
    return { kind: 'absent', state, mayBeLate: true }
  }

  return {
    platform: 'facebook',
    validate: validatePost,
    initialState: () => ({ step: 'start' }),
    mayPublish: ({ step }) => step === 'finish',
    async step(state, context) {
      switch (state.step) {
        case 'start':
          return start(context)
        case 'upload':
          return upload(state, context)
        case 'finish':
          return finish(state, context)
        case 'check':
          return check(state, context)
      }
    },
    lookUp,
  }
}

function validatePost(post: Post): PostRefusal | null {
  if (post.film.width < widthMin || post.film.height < heightMin) {
    return {
      code: 'film-wrong-format',
      message: `Facebook requires reels of at least ${widthMin} by ${heightMin} pixels.`,
    }
  }
  return checkPostLimits(post, limits)
}

const postReference = ({ videoId }: WithVideo) => ({
  externalId: videoId,
  url: `https://www.facebook.com/reel/${videoId}`,
})

const isPublished = ({ publishing_phase }: Progress) => publishing_phase?.status === 'complete'

/** Whether the finish call took effect: processing has started or failed. */
const hasStartedProcessing = ({ video_status, processing_phase, publishing_phase }: Progress) =>
  video_status === 'error' ||
  [processing_phase, publishing_phase].some((one) => one && !['', 'not_started'].includes(one.status))

function processingRefusal(status: Progress): Outcome | undefined {
  const failedPhase = [status.uploading_phase, status.processing_phase, status.publishing_phase].find(
    (one) => one?.status === 'error' || (one?.errors.length ?? 0) > 0,
  )
  if (!failedPhase && status.video_status !== 'error' && status.video_status !== 'expired') return undefined
  const { code, message = '' } = failedPhase?.errors[0] ?? {}
  return { kind: 'refused', code: refusalCodeOf(code), message: message || 'Facebook rejected the video.' }
}

/**
 * https://developers.facebook.com/docs/video-api/guides/reels-publishing#error-codes: ratio, resolution, duration,
 * frame rate.
 */
function refusalCodeOf(code: number | undefined): string {
  if (code === 1363128) return 'film-too-long'
  if (code !== undefined && [1363040, 1363127, 1363129].includes(code)) return 'film-wrong-format'
  return code === undefined ? 'processing-failed' : String(code)
}
