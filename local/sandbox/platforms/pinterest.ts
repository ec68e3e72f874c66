// Pinterest, after its OpenAPI 5.23.0 (https://github.com/pinterest/api-description), with its upload host.

import * as v from 'valibot'
import type { StoredFile } from '../server/media-store.ts'
import { readMultipartForm } from '../server/multipart-form.ts'
import type { SandboxRequest } from '../server/request.ts'
import { type PlatformFactory, respond } from './platform.ts'

interface Upload {
  id: string
  owner: string
  parameters: Record<string, string>
  sent?: { sha256: string; readyAt: number; isFit: boolean }
}

const processingSeconds = 4
/** Delay until a new pin is in its owner's list. */
const lagSeconds = 20
/** The size limit of the upload host. */
const uploadBytesMax = 2 * 1024 ** 3

const mediaFields = { media_type: v.literal('video') }
const digits = v.pipe(v.string(), v.regex(/^\d+$/))
const pinFields = {
  board_id: digits,
  title: v.optional(v.pipe(v.string(), v.maxLength(100)), ''),
  description: v.optional(v.pipe(v.string(), v.maxLength(800)), ''),
  alt_text: v.optional(v.pipe(v.string(), v.maxLength(500))),
  link: v.optional(v.pipe(v.string(), v.maxLength(2048))),
  media_source: v.strictObject({
    source_type: v.literal('video_id'),
    media_id: digits,
    cover_image_url: v.optional(v.pipe(v.string(), v.url())),
    cover_image_key_frame_time: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
}
const pageFields = { page_size: v.optional(v.pipe(v.string(), v.regex(/^([1-9]\d{0,1}|1\d\d|2[0-4]\d|250)$/)), '25') }

const errorBody = (status: number, code: number, message: string) => respond(status, { code, message })
const invalid = (message: string) => errorBody(400, 1, message)

export const makePinterest: PlatformFactory = ({ clock, publishedPosts: ledger, media, records }) => {
  const uploads = records.collection<Upload>('pinterest-media')
  /** Every user has two boards. */
  const boardsOf = (user: string) => [`${user.replace(/\D/g, '')}001`, `${user.replace(/\D/g, '')}002`]

  function boards(ask: SandboxRequest) {
    const { page_size } = ask.query(pageFields)
    const isBare = ask.fault?.kind === 'fail' && ask.fault.detail === 'no-board'
    const items = boardsOf(ask.user.externalId).map((id) => ({ id, name: `Board ${id}`, privacy: 'PUBLIC' }))
    return respond(200, { items: isBare ? [] : items.slice(0, Number(page_size)), bookmark: null })
  }

  function register(ask: SandboxRequest) {
    const { media_type } = ask.json(mediaFields)
    const number = records.nextNumber()
    const parameters = {
      'x-amz-date': new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, ''),
      'x-amz-signature': `signature-of-${number}`,
      'x-amz-algorithm': 'AWS4-HMAC-SHA256',
      key: `uploads/${number}/video.mp4`,
      policy: Buffer.from(`policy of ${number}`).toString('base64'),
      'Content-Type': 'multipart/form-data',
    }
    const id = String(5_000_000_000 + number)
    uploads.put(id, { id, owner: ask.user.externalId, parameters })
    const upload = { upload_url: `${ask.base}/pinterest/s3/`, upload_parameters: parameters }
    return respond(201, { media_id: id, media_type, ...upload })
  }

  async function receive(ask: SandboxRequest) {
    const { fields, file } = await readMultipartForm(ask)
    const upload = uploads.list().find(({ parameters }) => parameters.key === fields.key)
    if (!upload || ask.headers.authorization) return respond(403, '<Error><Code>AccessDenied</Code></Error>')
    const isEchoed = JSON.stringify(sorted(fields)) === JSON.stringify(sorted(upload.parameters))
    if (!isEchoed || file.field !== 'file') return respond(403, '<Error><Code>AccessDenied</Code></Error>')
    if (file.bytes.byteLength > uploadBytesMax) return respond(400, '<Error><Code>EntityTooLarge</Code></Error>')
    const kept = await media.store(file.bytes)
    const readyAt = clock.now() + clock.scaled(processingSeconds * 1000)
    uploads.put(upload.id, { ...upload, sent: { sha256: kept.sha256, readyAt, isFit: isAcceptedVideo(kept) } })
    return respond(204)
  }

  function status(ask: SandboxRequest) {
    const upload = uploads.get(ask.params.id!)
    if (upload?.owner !== ask.user.externalId) return errorBody(404, 1_000, 'Media not found.')
    if (upload.sent && ask.fault?.kind === 'stuck-processing') upload.sent.readyAt = Number.MAX_SAFE_INTEGER
    if (upload.sent && ask.fault?.kind === 'fail') upload.sent = { ...upload.sent, isFit: false, readyAt: 0 }
    uploads.put(upload.id, upload)
    return respond(200, { media_id: upload.id, media_type: 'video', status: stateOf(upload, clock.now()) })
  }

  async function pin(ask: SandboxRequest) {
    const wish = ask.json(pinFields)
    const { externalId: account } = ask.user
    const { media_id, cover_image_url, cover_image_key_frame_time } = wish.media_source
    const upload = uploads.get(media_id)
    if (!boardsOf(account).includes(wish.board_id)) return errorBody(404, 40, 'Board not found.')
    if (upload?.owner !== account || stateOf(upload, clock.now()) !== 'succeeded') {
      return invalid('The media are not ready.')
    }
    if (cover_image_key_frame_time === undefined) {
      if (!cover_image_url) return invalid('A video pin needs a cover.')
      const cover = await media.fetchFrom(cover_image_url)
      if ('reason' in cover || !cover.facts?.video) return invalid('The cover image cannot be read.')
    }
    const id = String(900_000_000_000_000_000n + BigInt(records.nextNumber()))
    ledger.add({
      platform: 'pinterest',
      account,
      externalId: id,
      knownAs: [],
      url: `https://www.pinterest.com/pin/${id}/`,
      caption: wish.description,
      title: wish.title,
      sha256: upload.sent!.sha256,
      at: clock.now(),
      fields: { board: wish.board_id },
    })
    return respond(201, { id, board_id: wish.board_id, title: wish.title, description: wish.description })
  }

  function pins(ask: SandboxRequest) {
    const { page_size } = ask.query(pageFields)
    const items = ledger
      .listed({ platform: 'pinterest', account: ask.user.externalId }, lagSeconds * 1000)
      .toReversed()
      .slice(0, Number(page_size))
      .map(({ externalId: id, at, title, caption, fields }) => ({
        id,
        created_at: new Date(at).toISOString().slice(0, 19),
        board_id: fields.board,
        title,
        description: caption,
        media: { media_type: 'video' },
      }))
    return respond(200, { items, bookmark: null })
  }

  const v5 = '/pinterest/api/v5'
  return {
    id: 'pinterest',
    urls: (base) => ({ api: `${base}/pinterest/api` }),
    tokenSeconds: 30 * 86_400,
    operations: [
      { op: 'boards', method: 'GET', path: `${v5}/boards`, needsToken: true, handle: boards },
      { op: 'register', method: 'POST', path: `${v5}/media`, needsToken: true, handle: register },
      { op: 'upload', method: 'POST', path: '/pinterest/s3/', needsToken: false, handle: receive },
      { op: 'media', method: 'GET', path: `${v5}/media/{id}`, needsToken: true, handle: status },
      { op: 'pin', method: 'POST', path: `${v5}/pins`, needsToken: true, handle: pin },
      { op: 'pins', method: 'GET', path: `${v5}/pins`, needsToken: true, handle: pins },
    ],
    errors: {
      failure: (status) => errorBody(status, 12, 'Something went wrong on our end.'),
      unauthorised: () => errorBody(401, 2, 'Authentication failed.'),
      rateLimited: (seconds) => ({
        ...errorBody(429, 8, 'You have exceeded your rate limit. Try again later.'),
        headers: { 'retry-after': String(seconds) },
      }),
      malformed: invalid,
    },
  }
}

function stateOf({ sent }: Upload, now: number): string {
  if (!sent) return 'registered'
  if (now < sent.readyAt) return 'processing'
  return sent.isFit ? 'succeeded' : 'failed'
}

function isAcceptedVideo({ facts }: StoredFile): boolean {
  const seconds = (facts?.durationMs ?? 0) / 1000
  return facts?.video !== undefined && seconds >= 4 && seconds <= 900
}

const sorted = (fields: Record<string, string>) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
