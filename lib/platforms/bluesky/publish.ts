/**
 * Publishes on Bluesky: the video is uploaded to the video service, which processes it and stores it in the account's
 * repository. The post is a record there under a key that this service chooses, so writing it twice is idempotent.
 * https://docs.bsky.app/docs/tutorials/video
 * https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/video
 */
import * as v from 'valibot'
import type { Post, PostLookup, StepOutcome } from '../../domain/publishing/posting.ts'
import { graphemeCount, utf8ByteLength } from '../caption-length.ts'
import { checkPostLimits, type PostLimits } from '../post-limits.ts'
import type { PlatformResponse, PublishContext, Publisher } from '../publisher.ts'
import { bearerHeader, jsonPostRequest, uploadDeadlineMs } from '../requests.ts'
import { isSuccess, parseResponse } from '../responses.ts'
import { isUploadGone, pdsFailure, videoServiceFailure, xrpcError } from './errors.ts'
import { type BlobRef, postCollection, postRecord, postReference } from './record.ts'
import { recordKey } from './record-key.ts'
import { blueskyUrls } from './urls.ts'

/** The DID of the account's server: the audience of service tokens for uploads. */
interface Audience {
  audience: string
}
type Uploading = Audience & { step: 'part'; jobId: string; partBytes: number; parts: number; sent: number }
type State =
  | { step: 'begin' }
  | (Audience & { step: 'upload' | 'start' })
  | Uploading
  | (Audience & { step: 'finish'; jobId: string })
  | { step: 'process'; jobId: string }
  | { step: 'post'; blob: BlobRef }
type Outcome = StepOutcome<State>

const limits: PostLimits = {
  name: 'Bluesky',
  caption: { max: 300, lengthOf: graphemeCount },
  // The video service limits the duration.
  video: { bytesMax: 300_000_000 },
}
const captionBytesMax = 3_000

/** Larger videos are uploaded in parts, each of which can be repeated. */
const defaultWholeBytesMax = 32 * 1024 * 1024
const serviceAuthSeconds = 1_800
const pollSeconds = 3

const putRecordResponse = v.object({ uri: v.string() })
const describeServerResponse = v.object({ did: v.string() })
const serviceAuthResponse = v.object({ token: v.string() })
const startUploadResponse = v.object({ jobId: v.string(), partSizeBytes: v.number(), partCount: v.number() })
const finishUploadResponse = v.object({ completedJobId: v.string() })
/** The lexicon nests the job status in a field; the service returns it unnested for some calls. */
const jobResponse = v.union([v.object({ jobStatus: v.object({ jobId: v.string() }) }), v.object({ jobId: v.string() })])
const jobStatusResponse = v.object({
  jobStatus: v.object({
    state: v.string(),
    blob: v.optional(
      v.object({
        $type: v.literal('blob'),
        ref: v.object({ $link: v.string() }),
        mimeType: v.string(),
        size: v.number(),
      }),
    ),
    failureCode: v.optional(v.string()),
    error: v.optional(v.string()),
    message: v.optional(v.string()),
  }),
})

export function blueskyPublisher(urls = blueskyUrls, wholeBytesMax = defaultWholeBytesMax): Publisher<State> {
  const repository = ({ account }: PublishContext, method: string) =>
    `${account.settings.pds ?? urls.pds}/xrpc/com.atproto.${method}`
  const videoService = (method: string) => `${urls.video}/xrpc/app.bsky.video.${method}`

  /**
   * A token with which the video service may write to the repository. Requested by each step, because states hold no
   * secrets.
   */
  async function fetchServiceAuth(
    context: PublishContext,
    audience: string,
  ): Promise<{ token: string } | StepOutcome<never>> {
    const exp = Math.floor(Date.parse(context.now) / 1000) + serviceAuthSeconds
    const query = new URLSearchParams({ aud: audience, lxm: 'com.atproto.repo.uploadBlob', exp: String(exp) })
    const url = `${repository(context, 'server.getServiceAuth')}?${query}`
    const response = await context.http({ method: 'GET', url, headers: bearerHeader(context.token) })
    return isSuccess(response) ? parseResponse(response, serviceAuthResponse) : pdsFailure(response, context.now)
  }

  async function begin(context: PublishContext): Promise<Outcome> {
    const response = await context.http({ method: 'GET', url: repository(context, 'server.describeServer') })
    if (!isSuccess(response)) return pdsFailure(response, context.now)
    const { did: audience } = parseResponse(response, describeServerResponse)
    const step = context.post.film.bytes > wholeBytesMax ? 'start' : 'upload'
    return { kind: 'continue', state: { step, audience } }
  }

  async function upload({ audience }: Audience, context: PublishContext): Promise<Outcome> {
    const auth = await fetchServiceAuth(context, audience)
    if ('kind' in auth) return auth
    const { bytes } = context.post.film
    const query = new URLSearchParams({ did: context.account.externalId, name: fileNameOf(context.post) })
    const response = await context.http({
      method: 'POST',
      url: `${videoService('uploadVideo')}?${query}`,
      headers: { ...bearerHeader(auth.token), 'content-type': 'video/mp4' },
      body: { bytes, read: () => context.readRender(0, bytes) },
      deadlineMs: uploadDeadlineMs,
    })
    // 409: this account has uploaded the same video before; the response names that job.
    if (!isSuccess(response) && response.status !== 409) return videoServiceFailure(response, context.now)
    const job = parseResponse(response, jobResponse)
    const jobId = 'jobStatus' in job ? job.jobStatus.jobId : job.jobId
    return { kind: 'continue', state: { step: 'process', jobId }, waitSeconds: pollSeconds }
  }

  async function start({ audience }: Audience, context: PublishContext): Promise<Outcome> {
    const auth = await fetchServiceAuth(context, audience)
    if ('kind' in auth) return auth
    const { bytes, durationMs, width, height } = context.post.film
    const body = { sizeBytes: bytes, mimeType: 'video/mp4', name: fileNameOf(context.post), durationMs, width, height }
    const response = await context.http(jsonPostRequest(videoService('startUpload'), bearerHeader(auth.token), body))
    if (!isSuccess(response)) return videoServiceFailure(response, context.now)
    const { jobId, partSizeBytes: partBytes, partCount: parts } = parseResponse(response, startUploadResponse)
    return { kind: 'continue', state: { step: 'part', audience, jobId, partBytes, parts, sent: 0 } }
  }

  async function sendPart(state: Uploading, context: PublishContext): Promise<Outcome> {
    const { audience, jobId, partBytes, parts, sent } = state
    const auth = await fetchServiceAuth(context, audience)
    if ('kind' in auth) return auth
    const from = sent * partBytes
    const to = Math.min(from + partBytes, context.post.film.bytes)
    const response = await context.http({
      method: 'POST',
      url: `${videoService('uploadPart')}?${new URLSearchParams({ jobId, partNumber: String(sent + 1) })}`,
      headers: { ...bearerHeader(auth.token), 'content-type': 'application/octet-stream' },
      body: { bytes: to - from, read: () => context.readRender(from, to) },
      deadlineMs: uploadDeadlineMs,
    })
    const isComplete =
      xrpcError(response)?.code === 'UploadAlreadyCompleted' || (isSuccess(response) && sent + 1 === parts)
    if (isComplete) return { kind: 'continue', state: { step: 'finish', audience, jobId } }
    if (isSuccess(response)) return { kind: 'continue', state: { ...state, sent: sent + 1 } }
    return restartUpload(response) ?? videoServiceFailure(response, context.now)
  }

  async function finish({ audience, jobId }: Audience & { jobId: string }, context: PublishContext): Promise<Outcome> {
    const auth = await fetchServiceAuth(context, audience)
    if ('kind' in auth) return auth
    const response = await context.http(
      jsonPostRequest(videoService('finishUpload'), bearerHeader(auth.token), { jobId }),
    )
    if (!isSuccess(response)) return restartUpload(response) ?? videoServiceFailure(response, context.now)
    const { completedJobId } = parseResponse(response, finishUploadResponse)
    return { kind: 'continue', state: { step: 'process', jobId: completedJobId }, waitSeconds: pollSeconds }
  }

  async function process(jobId: string, context: PublishContext): Promise<Outcome> {
    const url = `${videoService('getJobStatus')}?${new URLSearchParams({ jobId })}`
    const response = await context.http({ method: 'GET', url })
    if (!isSuccess(response)) return restartUpload(response) ?? videoServiceFailure(response, context.now)
    const { state, blob, failureCode = '', error, message } = parseResponse(response, jobStatusResponse).jobStatus
    if (blob) return { kind: 'continue', state: { step: 'post', blob } }
    if (state !== 'JOB_STATE_FAILED') {
      return { kind: 'continue', state: { step: 'process', jobId }, waitSeconds: pollSeconds }
    }
    return {
      kind: 'refused',
      code: failureCode || error || 'generic_failure',
      message: `Bluesky could not process the video: ${message ?? error ?? 'no reason'}.`,
    }
  }

  async function post(blob: BlobRef, context: PublishContext): Promise<Outcome> {
    const { externalId: repo } = context.account
    const rkey = recordKey(context.post)
    const body = { repo, collection: postCollection, rkey, record: postRecord(context, blob) }
    const response = await context.http(
      jsonPostRequest(repository(context, 'repo.putRecord'), bearerHeader(context.token), body),
    )
    if (!isSuccess(response)) return pdsFailure(response, context.now, { publishes: true })
    parseResponse(response, putRecordResponse)
    return { kind: 'done', ...postReference(repo, rkey) }
  }

  /** Reads the repository, which is consistent. A late request writes the same record. */
  async function lookUp(state: State, context: PublishContext): Promise<PostLookup<State>> {
    const { externalId: repo } = context.account
    const rkey = recordKey(context.post)
    const query = new URLSearchParams({ repo, collection: postCollection, rkey })
    const response = await context.http({ method: 'GET', url: `${repository(context, 'repo.getRecord')}?${query}` })
    if (isSuccess(response)) return { kind: 'published', ...postReference(repo, rkey) }
    if (xrpcError(response)?.code === 'RecordNotFound') return { kind: 'absent', state, mayBeLate: true }
    return { kind: 'unsure', waitSeconds: 15 }
  }

  return {
    platform: 'bluesky',
    validate: validatePost,
    initialState: () => ({ step: 'begin' }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, context) {
      switch (state.step) {
        case 'begin':
          return begin(context)
        case 'upload':
          return upload(state, context)
        case 'start':
          return start(state, context)
        case 'part':
          return sendPart(state, context)
        case 'finish':
          return finish(state, context)
        case 'process':
          return process(state.jobId, context)
        case 'post':
          return post(state.blob, context)
      }
    },
    async lookUp(state, context) {
      return state.step === 'post' ? lookUp(state, context) : { kind: 'absent', state }
    },
  }
}

function validatePost(post: Post): ReturnType<Publisher['validate']> {
  const bytes = utf8ByteLength(post.caption)
  if (bytes <= captionBytesMax) return checkPostLimits(post, limits)
  return {
    code: 'caption-too-long',
    message: `The caption has ${bytes} bytes of UTF-8; Bluesky allows ${captionBytesMax}.`,
  }
}

const fileNameOf = ({ id }: Post) => `${id}.mp4`

/** Restarts from the beginning if the upload is gone. */
const restartUpload = (response: PlatformResponse): Outcome | undefined =>
  isUploadGone(response) ? { kind: 'continue', state: { step: 'begin' }, waitSeconds: 15 } : undefined
