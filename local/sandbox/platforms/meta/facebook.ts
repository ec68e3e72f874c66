// Reels of Facebook Pages. https://developers.facebook.com/docs/video-api/guides/reels-publishing, read in 2026-11.

import * as v from 'valibot'
import type { StoredFile } from '../../server/media-store.ts'
import type { SandboxRequest } from '../../server/request.ts'
import { ErrorResponse, type PlatformFactory, respond, type SandboxResponse } from '../platform.ts'
import { graphErrors, graphRefusal, readGraphToken } from './graph-api.ts'

interface Reel {
  id: string
  page: string
  begunAt: number
  /** Of the whole file; known from its first part on. */
  bytes?: number
  /** Set once the upload is complete. */
  sha256?: string
  unfit: number | null
  /** Set once publication was requested. */
  finishedAt?: number
  isStuck: boolean
}

const processingMs = 25_000
const aDayMs = 86_400_000
const reelsPerDay = 30
const graph = '/facebook/graph/v26.0'

const start = { upload_phase: v.literal('start'), access_token: v.string() }
const finish = {
  upload_phase: v.literal('finish'),
  video_id: v.string(),
  video_state: v.picklist(['DRAFT', 'PUBLISHED', 'SCHEDULED']),
  description: v.optional(v.string(), ''),
  title: v.optional(v.string(), ''),
  scheduled_publish_time: v.optional(v.string()),
  access_token: v.string(),
}

export const makeFacebook: PlatformFactory = (ground) => {
  const reels = ground.records.collection<Reel>('facebook-reel')

  function reelOf(id: string, { user }: SandboxRequest): Reel {
    const reel = reels.get(id)
    if (reel?.page !== user.externalId) throw graphRefusal(100, 'Unsupported request: there is no such video.', 33)
    return reel
  }

  function phase(ask: SandboxRequest): SandboxResponse {
    if (ask.params.page !== ask.user.externalId)
      throw graphRefusal(200, 'This needs the CREATE_CONTENT task on the Page.')
    return new URLSearchParams(ask.body.toString()).get('upload_phase') === 'start' ? begin(ask) : publish(ask)
  }

  function begin(ask: SandboxRequest): SandboxResponse {
    ask.form(start)
    const id = String(ground.records.nextNumber() + 900_000_000)
    reels.put(id, { id, page: ask.user.externalId, begunAt: ground.clock.now(), unfit: null, isStuck: false })
    return respond(200, { video_id: id, upload_url: `${ask.base}/facebook/rupload/video-upload/${id}` })
  }

  async function receive(ask: SandboxRequest): Promise<SandboxResponse> {
    const { id, sha256 } = reelOf(ask.params.id ?? '', ask)
    const [offset, size] = [Number(ask.headers.offset), Number(ask.headers.file_size)]
    const there = await ground.media.size(id)
    if (!/^OAuth /.test(ask.headers.authorization ?? '')) throw notUploaded(false, 'AuthorizationError')
    if (sha256) return respond(200, { success: true })
    if (offset !== there) throw notUploaded(true, 'OffsetInvalidError')
    const end = there + ask.body.byteLength
    if (!(end <= size)) throw notUploaded(false, 'FileSizeError')
    // An aborted connection keeps the bytes received so far.
    const kept = ask.fault?.kind === 'short' ? ask.body.subarray(0, ask.body.byteLength / 2) : ask.body
    reels.put(id, { ...reelOf(id, ask), bytes: size })
    await ground.media.write(id, there, kept)
    if (there + kept.byteLength < size) throw notUploaded(true, 'PartialRequestError')
    await complete(reelOf(id, ask))
    return respond(200, { success: true })
  }

  async function complete(reel: Reel): Promise<Reel> {
    const file = await ground.media.finish(reel.id)
    const completed = { ...reel, sha256: file.sha256, unfit: rejectionOf(file) }
    reels.put(reel.id, completed)
    return completed
  }

  /** Completes an upload whose last part arrived right before a kill. */
  async function resumed(reel: Reel): Promise<Reel> {
    const isCut = !reel.sha256 && reels.isEarlier(reel.id)
    return isCut && (await ground.media.size(reel.id)) === reel.bytes ? complete(reel) : reel
  }

  function publish(ask: SandboxRequest): SandboxResponse {
    const { video_id, video_state, description, title } = ask.form(finish)
    const reel = reelOf(video_id, ask)
    if (video_state !== 'PUBLISHED') throw graphRefusal(100, 'The sandbox publishes at once.')
    if (!reel.sha256) throw graphRefusal(100, 'The video has not been uploaded.', 1363037)
    if (reel.finishedAt !== undefined) throw graphRefusal(100, 'The video has been published.')
    const now = ground.clock.now()
    const today = reels.list().filter(({ page, finishedAt = 0 }) => page === reel.page && finishedAt > now - aDayMs)
    if (today.length >= reelsPerDay || ask.fault?.kind === 'quota-full') {
      throw graphRefusal(368, 'The action attempted has been deemed abusive or is otherwise disallowed.')
    }
    const failure = ask.fault?.kind === 'fail' ? Number(ask.fault.detail) : reel.unfit
    const isStuck = ask.fault?.kind === 'stuck-processing'
    reels.put(reel.id, { ...reel, finishedAt: now, unfit: failure, isStuck })
    if (!isStuck && failure === null) {
      ground.publishedPosts.add({
        platform: 'facebook',
        account: reel.page,
        externalId: reel.id,
        knownAs: [],
        url: `https://www.facebook.com/reel/${reel.id}`,
        caption: description,
        title,
        sha256: reel.sha256,
        at: now + ground.clock.scaled(processingMs),
        fields: {},
      })
    }
    return respond(200, { success: true })
  }

  async function read(ask: SandboxRequest): Promise<SandboxResponse> {
    ask.query({ fields: v.literal('status'), access_token: v.string() })
    const reel = await resumed(reelOf(ask.params.id ?? '', ask))
    return respond(200, { id: reel.id, status: statusOf(reel, await ground.media.size(reel.id)) })
  }

  function statusOf({ sha256, finishedAt, unfit, isStuck }: Reel, bytes: number) {
    const none = { status: 'not_started' }
    if (!sha256) {
      const uploading = { status: bytes > 0 ? 'in_progress' : 'not_started', bytes_transferred: bytes }
      return { video_status: 'processing', uploading_phase: uploading, processing_phase: none, publishing_phase: none }
    }
    const done = { status: 'complete' }
    const { now, scaled: takes } = ground.clock
    const isOver = finishedAt !== undefined && !isStuck && now() >= finishedAt + takes(processingMs)
    const working = finishedAt === undefined ? none : { status: 'in_progress' }
    if (!isOver)
      return { video_status: 'processing', uploading_phase: done, processing_phase: working, publishing_phase: none }
    if (unfit === null)
      return { video_status: 'ready', uploading_phase: done, processing_phase: done, publishing_phase: done }
    const errors = [{ code: unfit, message: 'The video does not meet the requirements of reels.' }]
    const broken = { status: 'error', errors }
    return { video_status: 'error', uploading_phase: done, processing_phase: broken, publishing_phase: none }
  }

  return {
    id: 'facebook',
    urls: (base) => ({ graph: `${base}${graph}` }),
    // A Page token does not expire.
    tokenSeconds: null,
    readToken: readGraphToken,
    errors: graphErrors,
    operations: [
      { op: 'phase', method: 'POST', path: `${graph}/{page}/video_reels`, needsToken: true, handle: phase },
      { op: 'upload', method: 'POST', path: '/facebook/rupload/video-upload/{id}', needsToken: true, handle: receive },
      { op: 'read', method: 'GET', path: `${graph}/{id}`, needsToken: true, handle: read },
    ],
  }
}

const notUploaded = (retriable: boolean, type: string) =>
  new ErrorResponse(respond(400, { debug_info: { retriable, type, message: `The upload failed: ${type}.` } }))

function rejectionOf({ facts }: StoredFile): number | null {
  const { durationMs = 0, video } = facts ?? {}
  if (!video) return 1363024
  const { width, height, fps = 30 } = video
  if (Math.abs(width / height - 9 / 16) > 0.02) return 1363040
  if (width < 540 || height < 960) return 1363127
  if (durationMs < 2_990 || durationMs > 90_500) return 1363128
  return fps < 23.9 || fps > 60 ? 1363129 : null
}
