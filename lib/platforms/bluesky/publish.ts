/**
 * Bluesky: a film is uploaded to the video service, which processes it and puts it into the account's repository; the post is a record
 * there under a key of our own. So whoever writes it twice writes it once.
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

/** The DID of the account's server: uploads are permitted in its name. */
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
  // How long a film may be is decided by the video service.
  film: { bytesMax: 300_000_000 },
}
const captionBytesMax = 3_000

/** Larger films go in parts, which can be sent again one by one. */
const wholeBytesMaxUsual = 32 * 1024 * 1024
const permissionSeconds = 1_800
const pollSeconds = 3

const written = v.object({ uri: v.string() })
const described = v.object({ did: v.string() })
const permitted = v.object({ token: v.string() })
const started = v.object({ jobId: v.string(), partSizeBytes: v.number(), partCount: v.number() })
const finished = v.object({ completedJobId: v.string() })
/** The service answers some calls with the state itself, the lexicon says that it is a field. */
const jobResponse = v.union([v.object({ jobStatus: v.object({ jobId: v.string() }) }), v.object({ jobId: v.string() })])
const jobState = v.object({
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

export function blueskyPublisher(urls = blueskyUrls, wholeBytesMax = wholeBytesMaxUsual): Publisher<State> {
  const repository = ({ account }: PublishContext, method: string) =>
    `${account.settings.pds ?? urls.pds}/xrpc/com.atproto.${method}`
  const service = (method: string) => `${urls.video}/xrpc/app.bsky.video.${method}`

  async function begin(place: PublishContext): Promise<Outcome> {
    const answer = await place.http({ method: 'GET', url: repository(place, 'server.describeServer') })
    if (!isSuccess(answer)) return pdsFailure(answer, place.now)
    const { did: audience } = parseResponse(answer, described)
    const step = place.post.film.bytes > wholeBytesMax ? 'start' : 'upload'
    return { kind: 'continue', state: { step, audience } }
  }

  /** To put a file into the repository, for the video service: asked for by each step that needs it, since no state holds one. */
  async function fetchServiceAuth(
    place: PublishContext,
    audience: string,
  ): Promise<{ token: string } | StepOutcome<never>> {
    const exp = Math.floor(Date.parse(place.now) / 1000) + permissionSeconds
    const query = new URLSearchParams({ aud: audience, lxm: 'com.atproto.repo.uploadBlob', exp: String(exp) })
    const url = `${repository(place, 'server.getServiceAuth')}?${query}`
    const answer = await place.http({ method: 'GET', url, headers: bearerHeader(place.token) })
    return isSuccess(answer) ? parseResponse(answer, permitted) : pdsFailure(answer, place.now)
  }

  async function upload(place: PublishContext, { audience }: Audience): Promise<Outcome> {
    const permit = await fetchServiceAuth(place, audience)
    if ('kind' in permit) return permit
    const { bytes } = place.post.film
    const query = new URLSearchParams({ did: place.account.externalId, name: fileNameOf(place.post) })
    const answer = await place.http({
      method: 'POST',
      url: `${service('uploadVideo')}?${query}`,
      headers: { ...bearerHeader(permit.token), 'content-type': 'video/mp4' },
      body: { bytes, read: () => place.readRender(0, bytes) },
      deadlineMs: uploadDeadlineMs,
    })
    // 409: this account has sent the same film before, and its job is named.
    if (!isSuccess(answer) && answer.status !== 409) return videoServiceFailure(answer, place.now)
    const given = parseResponse(answer, jobResponse)
    const jobId = 'jobStatus' in given ? given.jobStatus.jobId : given.jobId
    return { kind: 'continue', state: { step: 'process', jobId }, waitSeconds: pollSeconds }
  }

  async function start(place: PublishContext, { audience }: Audience): Promise<Outcome> {
    const permit = await fetchServiceAuth(place, audience)
    if ('kind' in permit) return permit
    const { bytes, durationMs, width, height } = place.post.film
    const wish = { sizeBytes: bytes, mimeType: 'video/mp4', name: fileNameOf(place.post), durationMs, width, height }
    const answer = await place.http(jsonPostRequest(service('startUpload'), bearerHeader(permit.token), wish))
    if (!isSuccess(answer)) return videoServiceFailure(answer, place.now)
    const { jobId, partSizeBytes: partBytes, partCount: parts } = parseResponse(answer, started)
    return { kind: 'continue', state: { step: 'part', audience, jobId, partBytes, parts, sent: 0 } }
  }

  async function sendPart(place: PublishContext, state: Uploading): Promise<Outcome> {
    const { audience, jobId, partBytes, parts, sent } = state
    const permit = await fetchServiceAuth(place, audience)
    if ('kind' in permit) return permit
    const from = sent * partBytes
    const to = Math.min(from + partBytes, place.post.film.bytes)
    const answer = await place.http({
      method: 'POST',
      url: `${service('uploadPart')}?${new URLSearchParams({ jobId, partNumber: String(sent + 1) })}`,
      headers: { ...bearerHeader(permit.token), 'content-type': 'application/octet-stream' },
      body: { bytes: to - from, read: () => place.readRender(from, to) },
      deadlineMs: uploadDeadlineMs,
    })
    const isWhole = xrpcError(answer)?.code === 'UploadAlreadyCompleted' || (isSuccess(answer) && sent + 1 === parts)
    if (isWhole) return { kind: 'continue', state: { step: 'finish', audience, jobId } }
    if (isSuccess(answer)) return { kind: 'continue', state: { ...state, sent: sent + 1 } }
    return restartUpload(answer) ?? videoServiceFailure(answer, place.now)
  }

  async function finish(place: PublishContext, { audience, jobId }: Audience & { jobId: string }): Promise<Outcome> {
    const permit = await fetchServiceAuth(place, audience)
    if ('kind' in permit) return permit
    const answer = await place.http(jsonPostRequest(service('finishUpload'), bearerHeader(permit.token), { jobId }))
    if (!isSuccess(answer)) return restartUpload(answer) ?? videoServiceFailure(answer, place.now)
    const { completedJobId } = parseResponse(answer, finished)
    return { kind: 'continue', state: { step: 'process', jobId: completedJobId }, waitSeconds: pollSeconds }
  }

  async function process(place: PublishContext, jobId: string): Promise<Outcome> {
    const url = `${service('getJobStatus')}?${new URLSearchParams({ jobId })}`
    const answer = await place.http({ method: 'GET', url })
    if (!isSuccess(answer)) return restartUpload(answer) ?? videoServiceFailure(answer, place.now)
    const { state, blob, failureCode = '', error, message } = parseResponse(answer, jobState).jobStatus
    if (blob) return { kind: 'continue', state: { step: 'post', blob } }
    if (state !== 'JOB_STATE_FAILED') {
      return { kind: 'continue', state: { step: 'process', jobId }, waitSeconds: pollSeconds }
    }
    return {
      kind: 'refused',
      code: failureCode || error || 'generic_failure',
      message: `Bluesky could not process the film: ${message ?? error ?? 'no reason'}.`,
    }
  }

  async function post(place: PublishContext, blob: BlobRef): Promise<Outcome> {
    const { externalId: repo } = place.account
    const rkey = recordKey(place.post)
    const wish = { repo, collection: postCollection, rkey, record: postRecord(place, blob) }
    const answer = await place.http(
      jsonPostRequest(repository(place, 'repo.putRecord'), bearerHeader(place.token), wish),
    )
    if (!isSuccess(answer)) return pdsFailure(answer, place.now, { publishes: true })
    parseResponse(answer, written)
    return { kind: 'done', ...postReference(repo, rkey) }
  }

  /** The repository itself is read, which has what was written to it. A request that arrives late writes the same record. */
  async function reconcile(place: PublishContext, state: State): Promise<PostLookup<State>> {
    const { externalId: repo } = place.account
    const rkey = recordKey(place.post)
    const query = new URLSearchParams({ repo, collection: postCollection, rkey })
    const answer = await place.http({ method: 'GET', url: `${repository(place, 'repo.getRecord')}?${query}` })
    if (isSuccess(answer)) return { kind: 'published', ...postReference(repo, rkey) }
    if (xrpcError(answer)?.code === 'RecordNotFound') return { kind: 'absent', state, mayBeLate: true }
    return { kind: 'unsure', waitSeconds: 15 }
  }

  return {
    platform: 'bluesky',
    validate: validatePost,
    initialState: () => ({ step: 'begin' }),
    mayPublish: ({ step }) => step === 'post',
    async step(state, place) {
      switch (state.step) {
        case 'begin':
          return begin(place)
        case 'upload':
          return upload(place, state)
        case 'start':
          return start(place, state)
        case 'part':
          return sendPart(place, state)
        case 'finish':
          return finish(place, state)
        case 'process':
          return process(place, state.jobId)
        case 'post':
          return post(place, state.blob)
      }
    },
    async reconcile(state, place) {
      return state.step === 'post' ? reconcile(place, state) : { kind: 'absent', state }
    },
  }
}

function validatePost(post: Post): ReturnType<Publisher['validate']> {
  const bytes = utf8ByteLength(post.caption)
  if (bytes <= captionBytesMax) return checkPostLimits(post, limits)
  return { code: 'caption-too-long', message: `The caption has ${bytes} bytes, Bluesky takes ${captionBytesMax}.` }
}

const fileNameOf = ({ id }: Post) => `${id}.mp4`

/** From the beginning, where the upload has come to nothing. */
const restartUpload = (answer: PlatformResponse): Outcome | undefined =>
  isUploadGone(answer) ? { kind: 'continue', state: { step: 'begin' }, waitSeconds: 15 } : undefined
