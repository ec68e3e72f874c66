// YouTube's resumable upload and the parts of the Data API v3 that publishing uses.
// https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol, read in 2026-11.

import * as v from 'valibot'
import type { StoredFile } from '../server/media-store.ts'
import type { SandboxRequest } from '../server/request.ts'
import { type PlatformFactory, respond, type SandboxPlatform, type SandboxResponse } from './platform.ts'

interface Session {
  id: string
  user: { externalId: string; username: string }
  title: string
  description: string
  privacy: string
  bytes: number
  begunAt: number
  /** Set once the upload is complete. */
  videoId?: string
}

interface Video {
  id: string
  processedAt: number
  isStuck: boolean
  /** The reason for a rejection by YouTube. */
  rejection: string
}

const unit = 256 * 1024
const sessionDays = 7
const insertsPerDay = 100
const processingMs = 30_000
const aDayMs = 86_400_000

const apiError = (status: number, reason: string, message: string): SandboxResponse =>
  respond(status, { error: { code: status, message, errors: [{ message, domain: 'youtube.video', reason }] } })

const resource = {
  snippet: v.strictObject({
    title: v.string(),
    description: v.optional(v.string(), ''),
    categoryId: v.string(),
    tags: v.optional(v.array(v.string())),
    defaultLanguage: v.optional(v.string()),
    defaultAudioLanguage: v.optional(v.string()),
  }),
  status: v.strictObject({
    privacyStatus: v.picklist(['public', 'unlisted', 'private']),
    publishAt: v.optional(v.string()),
    license: v.optional(v.picklist(['youtube', 'creativeCommon'])),
    embeddable: v.optional(v.boolean()),
    selfDeclaredMadeForKids: v.optional(v.boolean()),
    containsSyntheticMedia: v.optional(v.boolean()),
  }),
}

export const makeYouTube: PlatformFactory = (ground) => {
  const sessions = ground.records.collection<Session>('youtube-session')
  const videos = ground.records.collection<Video>('youtube-video')

  function begin(ask: SandboxRequest): SandboxResponse {
    ask.query({ uploadType: v.literal('resumable'), part: v.literal('snippet,status') })
    const { snippet, status } = ask.json(resource)
    const bytes = Number(ask.headers['x-upload-content-length'])
    if (!(bytes > 0)) return apiError(400, 'badRequest', 'X-Upload-Content-Length is missing.')
    if (!/^video\//.test(ask.headers['x-upload-content-type'] ?? '')) {
      return apiError(400, 'badRequest', 'X-Upload-Content-Type is missing.')
    }
    if (!snippet.title || snippet.title.length > 100 || /[<>]/.test(snippet.title)) {
      return apiError(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.')
    }
    if (Buffer.byteLength(snippet.description) > 5000 || /[<>]/.test(snippet.description)) {
      return apiError(400, 'invalidDescription', 'The request metadata specifies an invalid video description.')
    }
    const now = ground.clock.now()
    const today = sessions.list().filter(({ begunAt }) => begunAt > now - aDayMs).length
    if (today >= insertsPerDay || ask.fault?.kind === 'quota-full') {
      return apiError(403, 'quotaExceeded', 'The request cannot be completed because you have exceeded your quota.')
    }
    const id = `s${ground.records.nextNumber()}`
    const { title, description } = snippet
    sessions.put(id, { id, user: ask.user, title, description, privacy: status.privacyStatus, bytes, begunAt: now })
    const location = `${ask.base}/google/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}`
    return respond(200, undefined, { location })
  }

  async function receive(ask: SandboxRequest): Promise<SandboxResponse> {
    const { upload_id } = ask.query({ uploadType: v.literal('resumable'), upload_id: v.string() })
    const session = sessions.get(upload_id)
    const isOver = !session || ground.clock.now() > session.begunAt + sessionDays * aDayMs
    if (isOver || ask.fault?.kind === 'session-lost') return respond(404)
    if (session.videoId) return respond(200, { kind: 'youtube#video', id: session.videoId })
    const there = await ground.media.size(session.id)
    // The last part arrived right before a kill.
    if (there === session.bytes) return finish(session, await ground.media.finish(session.id), ask)
    const range = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(ask.headers['content-range'] ?? '')
    if (!range || Number(range[3]) !== session.bytes)
      return apiError(400, 'badRequest', 'The Content-Range does not fit.')
    // A status query, or a part at the wrong offset: both get the received range.
    if (range[1] === undefined || Number(range[1]) !== there) return resumeAt(there)
    const end = Number(range[2]) + 1
    const isLast = end === session.bytes
    if (ask.body.byteLength !== end - there)
      return apiError(400, 'badRequest', 'The length does not fit the Content-Range.')
    if (!isLast && ask.body.byteLength % unit !== 0) {
      return apiError(400, 'badRequest', 'Parts are multiples of 256 KB.')
    }
    // The server may store less than was sent.
    const kept = ask.fault?.kind === 'short' ? Math.floor(ask.body.byteLength / 2 / unit) * unit : ask.body.byteLength
    await ground.media.write(session.id, there, ask.body.subarray(0, kept))
    if (there + kept < session.bytes) return resumeAt(there + kept)
    return finish(session, await ground.media.finish(session.id), ask)
  }

  function finish(session: Session, file: StoredFile, { fault }: SandboxRequest): SandboxResponse {
    const id = `yt${String(ground.records.nextNumber()).padStart(9, '0')}`
    const rejection = file.facts?.video ? rejectionBy(fault) : 'conversion'
    const at = ground.clock.now()
    const processedAt = at + ground.clock.scaled(processingMs)
    videos.put(id, { id, processedAt, isStuck: fault?.kind === 'stuck-processing', rejection })
    sessions.put(session.id, { ...session, videoId: id })
    if (!rejection) {
      ground.publishedPosts.add({
        platform: 'youtube',
        account: session.user.externalId,
        externalId: id,
        knownAs: [],
        url: `https://www.youtube.com/watch?v=${id}`,
        caption: session.description,
        title: session.title,
        sha256: file.sha256,
        at,
        fields: { privacy: session.privacy },
      })
    }
    return respond(200, { kind: 'youtube#video', id, status: { uploadStatus: 'uploaded' } })
  }

  function list(ask: SandboxRequest): SandboxResponse {
    const { id } = ask.query({ part: v.literal('status'), id: v.string() })
    const video = videos.get(id)
    return respond(200, { kind: 'youtube#videoListResponse', items: video ? [{ id, status: statusOf(video) }] : [] })
  }

  function statusOf({ processedAt, isStuck, rejection }: Video) {
    if (isStuck || ground.clock.now() < processedAt) return { uploadStatus: 'uploaded' }
    if (rejection === 'conversion') return { uploadStatus: 'failed', failureReason: rejection }
    return rejection ? { uploadStatus: 'rejected', rejectionReason: rejection } : { uploadStatus: 'processed' }
  }

  return {
    id: 'youtube',
    urls: (base) => ({ api: `${base}/google` }),
    tokenSeconds: 3600,
    operations: [
      { op: 'begin', method: 'POST', path: '/google/upload/youtube/v3/videos', needsToken: true, handle: begin },
      { op: 'upload', method: 'PUT', path: '/google/upload/youtube/v3/videos', needsToken: true, handle: receive },
      { op: 'list', method: 'GET', path: '/google/youtube/v3/videos', needsToken: true, handle: list },
    ],
    errors: platformErrors,
  }
}

const resumeAt = (there: number): SandboxResponse =>
  respond(308, undefined, there > 0 ? { range: `bytes=0-${there - 1}` } : {})

function rejectionBy(fault: SandboxRequest['fault']): string {
  if (fault?.kind === 'duplicate') return 'duplicate'
  return fault?.kind === 'fail' ? fault.detail : ''
}

const platformErrors: SandboxPlatform['errors'] = {
  failure: (status) => apiError(status, 'backendError', 'Backend Error'),
  unauthorised: () => apiError(401, 'authError', 'Invalid Credentials'),
  rateLimited: () => apiError(403, 'rateLimitExceeded', 'Too many requests have been sent within a given time span.'),
  malformed: (message) => apiError(400, 'badRequest', message),
}
