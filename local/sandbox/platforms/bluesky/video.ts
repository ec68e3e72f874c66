// Bluesky's video service, after its lexicons (https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/video): a video is
// uploaded whole or in parts, processed, and stored in the repository of the account.

import * as v from 'valibot'
import { bearerToken } from '../../server/dispatch.ts'
import type { StoredFile } from '../../server/media-store.ts'
import { MalformedRequest, type SandboxRequest } from '../../server/request.ts'
import { ErrorResponse, type Operation, respond, type SandboxDeps } from '../platform.ts'
import { cidOf, type ServiceAuthToken, type StoredBlob, serverDid, xrpcError } from './repository.ts'

interface Upload {
  jobId: string
  did: string
  size: number
  partSizeBytes: number
  /** Part numbers from 1. */
  received: number[]
  completedJobId?: string
}

interface Job {
  jobId: string
  did: string
  sha256: string
  size: number
  readyAt: number
  isFit: boolean
}

const processingSeconds = 5
const uploadSeconds = 86_400
const bytesMax = 300_000_000
/** The service chooses the part size; it is small, so that even a small video is uploaded in parts. */
const parts = 3

const wholeFields = { did: v.string(), name: v.string() }
const natural = v.pipe(v.number(), v.integer(), v.minValue(1))
const startFields = {
  sizeBytes: natural,
  mimeType: v.pipe(v.string(), v.minLength(3), v.maxLength(255)),
  name: v.optional(v.pipe(v.string(), v.maxLength(256))),
  durationMs: v.optional(natural),
  width: v.optional(natural),
  height: v.optional(natural),
}
const partFields = { jobId: v.string(), partNumber: v.pipe(v.string(), v.digits()) }

export function videoOperations({ clock, media, records }: SandboxDeps): Operation[] {
  const permissions = records.collection<ServiceAuthToken>('bluesky-permission')
  const blobs = records.collection<StoredBlob>('bluesky-blob')
  const uploads = records.collection<Upload>('bluesky-upload')
  const jobs = records.collection<Job>('bluesky-job')
  const nextJobId = () => `job${records.nextNumber()}`

  /** The account of the service auth token. */
  function didOf(ask: SandboxRequest): string {
    const permission = permissions.get(bearerToken(ask) ?? '')
    const isRight = permission?.aud === serverDid && permission.lxm === 'com.atproto.repo.uploadBlob'
    if (!isRight || permission.endsAt <= clock.now()) {
      throw new ErrorResponse(xrpcError(401, 'AuthenticationRequired', 'The token is not for this.'))
    }
    return permission.did
  }

  /** Starts processing a video, or returns the job of the same video. */
  function jobFor(did: string, file: StoredFile): { job: Job; isOld: boolean } {
    const old = jobs.list().find((one) => one.did === did && one.sha256 === file.sha256 && one.isFit)
    if (old) return { job: old, isOld: true }
    const readyAt = clock.now() + clock.scaled(processingSeconds * 1000)
    const isFit = file.facts?.video !== undefined
    const job = { jobId: nextJobId(), did, sha256: file.sha256, size: file.bytes, readyAt, isFit }
    jobs.put(job.jobId, job)
    return { job, isOld: false }
  }

  async function whole(ask: SandboxRequest) {
    const did = didOf(ask)
    const wish = ask.query(wholeFields)
    if (wish.did !== did) return xrpcError(400, 'InvalidRequest', 'This is another account.')
    if (ask.headers['content-type'] !== 'video/mp4') return xrpcError(400, 'UnsupportedContentType', 'Not video/mp4.')
    if (ask.body.byteLength > bytesMax) return xrpcError(400, 'VideoTooLarge', 'The film is too large.')
    if (ask.fault?.kind === 'quota-full') return xrpcError(400, 'DailyLimitExceeded', 'No more films today.')
    const { job, isOld } = jobFor(did, await media.store(ask.body))
    if (isOld) return respond(409, { ...stateOf(job), error: 'already_exists', message: 'Video already processed' })
    return respond(200, { jobStatus: stateOf(job) })
  }

  function start(ask: SandboxRequest) {
    const did = didOf(ask)
    const { sizeBytes: size, mimeType } = ask.json(startFields)
    if (mimeType !== 'video/mp4') return xrpcError(400, 'UnsupportedContentType', 'Not video/mp4.')
    if (size > bytesMax) return xrpcError(400, 'VideoTooLarge', 'The film is too large.')
    if (ask.fault?.kind === 'quota-full') return xrpcError(400, 'DailyLimitExceeded', 'No more films today.')
    const upload: Upload = { jobId: nextJobId(), did, size, partSizeBytes: Math.ceil(size / parts), received: [] }
    uploads.put(upload.jobId, upload)
    const { jobId, partSizeBytes } = upload
    const expiresAt = new Date(clock.now() + uploadSeconds * 1000).toISOString()
    return respond(200, { jobId, partSizeBytes, partCount: Math.ceil(size / partSizeBytes), expiresAt })
  }

  function uploadOf(ask: SandboxRequest, jobId: string): Upload {
    const upload = uploads.get(jobId)
    const isLost = ask.fault?.kind === 'fail' && ask.fault.detail === 'expired'
    if (upload?.did !== didOf(ask))
      throw new ErrorResponse(xrpcError(400, 'UploadNotFound', 'There is no such upload.'))
    if (isLost) throw new ErrorResponse(xrpcError(400, 'UploadExpired', 'The upload has expired.'))
    return upload
  }

  async function part(ask: SandboxRequest) {
    const { jobId, partNumber } = ask.query(partFields)
    const upload = uploadOf(ask, jobId)
    const number = Number(partNumber)
    const from = (number - 1) * upload.partSizeBytes
    const size = Math.min(upload.partSizeBytes, upload.size - from)
    if (ask.headers['content-type'] !== 'application/octet-stream')
      throw new MalformedRequest('Not application/octet-stream.')
    if (upload.completedJobId) return xrpcError(400, 'UploadAlreadyCompleted', 'The upload is complete.')
    if (number < 1 || size <= 0) return xrpcError(400, 'InvalidPartNumber', 'There is no such part.')
    if (ask.body.byteLength !== size) return xrpcError(400, 'PartSizeMismatch', `The part has ${size} bytes.`)
    await media.write(jobId, from, ask.body)
    uploads.put(jobId, { ...upload, received: [...new Set([...upload.received, number])] })
    return respond(200, { partNumber: number, sizeBytes: size })
  }

  async function finish(ask: SandboxRequest) {
    const { jobId } = ask.json({ jobId: v.string() })
    const upload = uploadOf(ask, jobId)
    if (upload.received.length < Math.ceil(upload.size / upload.partSizeBytes)) {
      return xrpcError(400, 'MissingParts', 'Not all parts are there.')
    }
    const completedJobId = upload.completedJobId ?? jobFor(upload.did, await media.finish(jobId)).job.jobId
    uploads.put(jobId, { ...upload, completedJobId })
    return respond(200, { completedJobId, jobStatus: stateOf(jobs.get(completedJobId)!) })
  }

  function status(ask: SandboxRequest) {
    const job = jobs.get(ask.query({ jobId: v.string() }).jobId)
    if (!job) return xrpcError(400, 'InvalidRequest', 'There is no such job.')
    const { kind = '', detail = '' } = ask.fault ?? {}
    if (kind === 'stuck-processing') job.readyAt = Number.MAX_SAFE_INTEGER
    if (kind === 'fail') Object.assign(job, { isFit: false, readyAt: 0 })
    jobs.put(job.jobId, job)
    return respond(200, { jobStatus: stateOf(job, detail || 'encoding_failure') })
  }

  function stateOf(job: Job, failureCode = 'validation_failure') {
    const { jobId, did, sha256, size } = job
    if (clock.now() < job.readyAt) return { jobId, did, state: 'JOB_STATE_ENCODING', progress: 40 }
    if (!job.isFit) {
      return { jobId, did, state: 'JOB_STATE_FAILED', failureCode, error: failureCode, message: 'Not a film' }
    }
    const cid = cidOf(0x55, Buffer.from(sha256, 'hex'))
    blobs.put(`${did}/${cid}`, { did, cid, size, sha256 })
    const blob = { $type: 'blob', ref: { $link: cid }, mimeType: 'video/mp4', size }
    return { jobId, did, state: 'JOB_STATE_COMPLETED', blob }
  }

  const at = (method: string) => `/bluesky/video/xrpc/app.bsky.video.${method}`
  return [
    { op: 'upload', method: 'POST', path: at('uploadVideo'), needsToken: false, handle: whole },
    { op: 'start', method: 'POST', path: at('startUpload'), needsToken: false, handle: start },
    { op: 'part', method: 'POST', path: at('uploadPart'), needsToken: false, handle: part },
    { op: 'finish', method: 'POST', path: at('finishUpload'), needsToken: false, handle: finish },
    { op: 'status', method: 'GET', path: at('getJobStatus'), needsToken: false, handle: status },
  ]
}
