// X, after its OpenAPI 2.167 (https://api.x.com/2/openapi.json) and its pages on media, limits and errors (https://docs.x.com).

import * as v from 'valibot'
import { weightedLength } from '../../../lib/platforms/caption-length.ts'
import type { StoredFile } from '../server/media-store.ts'
import { readMultipartForm } from '../server/multipart-form.ts'
import { MalformedRequest, type SandboxRequest } from '../server/request.ts'
import { ErrorResponse, type PlatformFactory, respond } from './platform.ts'

interface Upload {
  id: string
  owner: string
  totalBytes: number
  /** By index; each starts at the end of the previous one. */
  segments: number[]
  expiresAt: number
  finalized?: { sha256: string; readyAt: number; isFit: boolean }
}

const uploadSeconds = 86_400
const processingSeconds = 2
/** Delay until a new post is in its author's list. */
const lagSeconds = 20
const segmentBytesMax = 5 * 1024 * 1024

const initializeFields = {
  media_type: v.literal('video/mp4'),
  total_bytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(512 * 1024 * 1024)),
  media_category: v.literal('tweet_video'),
}
const statusFields = { command: v.literal('STATUS'), media_id: v.string() }
const postFields = {
  text: v.optional(v.string(), ''),
  media: v.strictObject({ media_ids: v.tuple([v.string()]) }),
  made_with_ai: v.optional(v.boolean(), false),
}
const timelineFields = {
  start_time: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  max_results: v.optional(v.pipe(v.string(), v.regex(/^([5-9]|[1-9]\d|100)$/)), '10'),
  'post.fields': v.optional(v.string(), ''),
  expansions: v.optional(v.literal('attachments.media_keys')),
}

const problem = (status: number, title: string, detail: string, type = 'about:blank') =>
  respond(status, { type, title, status, detail })
const invalid = (detail: string) =>
  problem(400, 'Invalid Request', detail, 'https://api.x.com/2/problems/invalid-request')
const forbidden = (detail: string) => problem(403, 'Forbidden', detail)

export const makeTwitter: PlatformFactory = ({ clock, publishedPosts: ledger, media, records }) => {
  const uploads = records.collection<Upload>('twitter-upload')
  const nextId = () => String(1_880_000_000_000_000_000n + BigInt(records.nextNumber()))
  const keyOf = ({ id }: Upload) => `7_${id}`

  function uploadOf(ask: SandboxRequest, id: string): Upload {
    const upload = uploads.get(id)
    if (upload?.owner !== ask.user.externalId || upload.expiresAt <= clock.now()) {
      throw new ErrorResponse(invalid('The media id is invalid or has expired.'))
    }
    return upload
  }

  function initialize(ask: SandboxRequest) {
    const { total_bytes } = ask.json(initializeFields)
    const expiresAt = clock.now() + uploadSeconds * 1000
    const upload: Upload = {
      id: nextId(),
      owner: ask.user.externalId,
      totalBytes: total_bytes,
      segments: [],
      expiresAt,
    }
    uploads.put(upload.id, upload)
    return respond(200, { data: { id: upload.id, media_key: keyOf(upload), expires_after_secs: uploadSeconds } })
  }

  async function append(ask: SandboxRequest) {
    const upload = uploadOf(ask, ask.params.id!)
    const { fields, file } = await readMultipartForm(ask)
    const index = Number(fields.segment_index)
    if (Object.keys(fields).join() !== 'segment_index' || file.field !== 'media')
      throw new MalformedRequest('Unknown fields.')
    if (upload.finalized) return invalid('The media are finalized.')
    if (!Number.isInteger(index) || index < 0 || index > 999) return invalid('segment_index must be from 0 to 999.')
    if (index > upload.segments.length) return invalid(`Segment ${upload.segments.length} is missing.`)
    const { byteLength } = file.bytes
    if (byteLength > segmentBytesMax || byteLength === 0) return invalid('A segment has 1 byte to 5 MB.')
    if ((upload.segments[index] ?? byteLength) !== byteLength) return invalid('The segment was another one before.')
    await media.write(upload.id, sum(upload.segments.slice(0, index)), file.bytes)
    const segments = [...upload.segments.slice(0, index), byteLength, ...upload.segments.slice(index + 1)]
    uploads.put(upload.id, { ...upload, segments })
    return respond(200, { data: { expires_at: Math.floor(upload.expiresAt / 1000) } })
  }

  async function finalize(ask: SandboxRequest) {
    if (ask.body.byteLength > 0) throw new MalformedRequest('Finalizing takes no body.')
    const upload = uploadOf(ask, ask.params.id!)
    if (upload.finalized) return invalid('The media are finalized.')
    if (sum(upload.segments) !== upload.totalBytes) return invalid('There are not as many bytes as were announced.')
    const file = await media.finish(upload.id)
    const isFit = isAcceptedVideo(file) && ask.fault?.kind !== 'fail'
    const finalized = { sha256: file.sha256, readyAt: clock.now() + clock.scaled(processingSeconds * 1000), isFit }
    uploads.put(upload.id, { ...upload, finalized })
    return stateOf({ ...upload, finalized })
  }

  function status(ask: SandboxRequest) {
    const upload = uploadOf(ask, ask.query(statusFields).media_id)
    if (ask.fault?.kind === 'stuck-processing' && upload.finalized) {
      uploads.put(upload.id, { ...upload, finalized: { ...upload.finalized, readyAt: Number.MAX_SAFE_INTEGER } })
    }
    if (ask.fault?.kind === 'fail' && upload.finalized) {
      uploads.put(upload.id, { ...upload, finalized: { ...upload.finalized, isFit: false } })
    }
    return stateOf(uploads.get(upload.id)!)
  }

  function stateOf(upload: Upload) {
    const state = processingOf(upload, clock.now())
    const isWaiting = state === 'pending' || state === 'in_progress'
    const info = { state, ...(isWaiting && { check_after_secs: processingSeconds }) }
    return respond(200, {
      data: { id: upload.id, media_key: keyOf(upload), size: sum(upload.segments), processing_info: info },
    })
  }

  function post(ask: SandboxRequest) {
    const { text, media: attached } = ask.json(postFields)
    const upload = uploadOf(ask, attached.media_ids[0])
    const { externalId: account } = ask.user
    const before = ledger.list({ platform: 'twitter', account }).filter(({ at }) => clock.now() - at < 86_400_000)
    if (!upload.finalized || processingOf(upload, clock.now()) !== 'succeeded') {
      return invalid('Your media IDs are invalid.')
    }
    if (weightedLength(text) > 280) return forbidden('Your post text is too long.')
    if (ask.fault?.kind === 'duplicate' || (text && before.some(({ caption }) => caption === text))) {
      return forbidden('You are not allowed to create a Tweet with duplicate content.')
    }
    if (ask.fault?.kind === 'quota-full') {
      const type = 'https://api.x.com/2/problems/usage-capped'
      return problem(429, 'UsageCapExceeded', 'Usage cap exceeded: Monthly product cap', type)
    }
    const id = nextId()
    ledger.add({
      platform: 'twitter',
      account,
      externalId: id,
      knownAs: [],
      url: `https://x.com/i/status/${id}`,
      caption: text,
      title: null,
      sha256: upload.finalized.sha256,
      at: clock.now(),
      fields: { mediaKey: keyOf(upload) },
    })
    return respond(201, { data: { id, text } })
  }

  function timeline(ask: SandboxRequest) {
    const { start_time: since = '1970-01-01T00:00:00Z', max_results, 'post.fields': fields } = ask.query(timelineFields)
    if (ask.params.id !== ask.user.externalId) return forbidden('This is another user.')
    const shown = ledger
      .listed({ platform: 'twitter', account: ask.user.externalId }, lagSeconds * 1000)
      .filter(({ at }) => at >= Date.parse(since))
      .toReversed()
      .slice(0, Number(max_results))
      .map((one) => ({
        id: one.externalId,
        text: one.caption,
        ...(fields.split(',').includes('attachments') && { attachments: { media_keys: [one.fields.mediaKey] } }),
      }))
    return respond(200, { ...(shown.length > 0 && { data: shown }), meta: { result_count: shown.length } })
  }

  const upload = '/x/2/media/upload'
  return {
    id: 'twitter',
    urls: (base) => ({ api: `${base}/x` }),
    tokenSeconds: 7_200,
    operations: [
      { op: 'initialize', method: 'POST', path: `${upload}/initialize`, needsToken: true, handle: initialize },
      { op: 'append', method: 'POST', path: `${upload}/{id}/append`, needsToken: true, handle: append },
      { op: 'finalize', method: 'POST', path: `${upload}/{id}/finalize`, needsToken: true, handle: finalize },
      { op: 'status', method: 'GET', path: upload, needsToken: true, handle: status },
      { op: 'post', method: 'POST', path: '/x/2/tweets', needsToken: true, handle: post },
      { op: 'timeline', method: 'GET', path: '/x/2/users/{id}/tweets', needsToken: true, handle: timeline },
    ],
    errors: {
      failure: (status) => problem(status, 'Service Unavailable', 'Service Unavailable'),
      unauthorised: () => problem(401, 'Unauthorized', 'Unauthorized'),
      rateLimited: (seconds) => ({
        ...problem(429, 'Too Many Requests', 'Too Many Requests'),
        headers: { 'x-rate-limit-reset': String(Math.ceil(clock.now() / 1000) + seconds) },
      }),
      malformed: invalid,
    },
  }
}

function processingOf({ finalized }: Upload, now: number): string {
  if (!finalized) return 'pending'
  if (now < finalized.readyAt) return 'in_progress'
  return finalized.isFit ? 'succeeded' : 'failed'
}

/** https://docs.x.com/x-api/media/quickstart/best-practices */
function isAcceptedVideo({ facts }: StoredFile): boolean {
  if (!facts?.video || facts.durationMs === undefined) return false
  const { width, height, codec } = facts.video
  const seconds = facts.durationMs / 1000
  return codec === 'h264' && seconds >= 0.5 && seconds <= 140.5 && width / height >= 1 / 3 && width / height <= 3
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
