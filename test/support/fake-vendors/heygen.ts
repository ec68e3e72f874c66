/** HeyGen v3: https://developers.heygen.com/reference/create-video */
import * as v from 'valibot'
import { detectDemuxer } from '../../../lib/ffmpeg/limits.ts'
import {
  type FakeVendor,
  type RecordedRequest,
  startFakeVendor,
  VendorRefusal,
  type VendorResponse,
} from './fake-vendor.ts'
import { tinyVideo } from './media.ts'

/** It refuses unknown fields. */
const request = v.strictObject({
  type: v.literal('image'),
  image: v.strictObject({ type: v.literal('asset_id'), asset_id: v.string() }),
  audio_asset_id: v.string(),
  aspect_ratio: v.optional(v.picklist(['16:9', '9:16', '4:5', '5:4', '1:1', 'auto'])),
  resolution: v.optional(v.picklist(['4k', '1080p', '720p'])),
  title: v.optional(v.string()),
})

export interface FakeHeyGen extends FakeVendor {
  /** Videos that were begun, each once for its key. */
  orders: () => number
  /** How many polls report that it is in progress. */
  pendingPolls: number
  fails: boolean
  /** What a file gives instead of the clip, one each time. */
  files: VendorResponse[]
}

export const heygenKey = 'heygen-key'
const assetBytesMax = 32 * 1024 * 1024

export async function startFakeHeyGen(): Promise<FakeHeyGen> {
  const assets: string[] = []
  const orders: { key: string | undefined; polls: number }[] = []
  const vendor = await startFakeVendor(async (call) => {
    const { method, path, headers } = call
    if (path.startsWith('/files/'))
      return heygen.files.shift() ?? { headers: { 'content-type': 'video/mp4' }, body: await tinyVideo() }
    if (headers['x-api-key'] !== heygenKey) throw refusal(401, 'unauthorized', 'Unauthorized')
    if (method === 'POST' && path === '/v3/assets') {
      assets.push(await typeOf(call))
      return { body: { data: { asset_id: `ast_${assets.length}`, mime_type: assets.at(-1) } } }
    }
    if (method === 'POST' && path === '/v3/videos') {
      const key = headers['idempotency-key']?.toString()
      const known = key ? orders.findIndex((order) => order.key === key) + 1 : 0
      if (known === 0) check(call, assets)
      const number = known || orders.push({ key, polls: 0 })
      return { body: { data: { video_id: `vid_${number}`, status: 'waiting', output_format: 'mp4' } } }
    }
    const order = orders[Number(/^\/v3\/videos\/vid_(\d+)$/.exec(path)?.[1]) - 1]
    if (method !== 'GET' || !order) throw refusal(404, 'not_found', 'Video not found')
    if (order.polls++ < heygen.pendingPolls) return { body: { data: { id: 'vid', status: 'processing' } } }
    if (heygen.fails)
      return { body: { data: { status: 'failed', failure_code: 'no_face', failure_message: 'No face was found.' } } }
    return { body: { data: { status: 'completed', video_url: `http://${headers.host}/files/${order.polls}.mp4` } } }
  })
  const heygen: FakeHeyGen = Object.assign(vendor, {
    orders: () => orders.length,
    pendingPolls: 2,
    fails: false,
    files: [],
  })
  return heygen
}

const refusal = (status: number, code: string, message: string) =>
  new VendorRefusal(status, { error: { code, message } })

/** It detects the type from the bytes, and ignores the declared one. */
async function typeOf({ headers, body }: RecordedRequest): Promise<string> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': `${headers['content-type']}` } })
    .formData()
    .catch(() => undefined)
  const file = form?.get('file')
  if (!(file instanceof Blob)) throw refusal(400, 'invalid_parameter', 'file is required')
  if (file.size > assetBytesMax) throw refusal(413, 'too_large', 'At most 32 MB')
  const demuxer = detectDemuxer(new Uint8Array(await file.arrayBuffer()))
  const types: Record<string, string> = { png_pipe: 'image/png', jpeg_pipe: 'image/jpeg', wav: 'audio/wav' }
  const type = types[demuxer ?? '']
  if (!type) throw refusal(400, 'invalid_parameter', 'Unsupported file type')
  return type
}

function check({ headers, body }: RecordedRequest, assets: readonly string[]): void {
  if (headers['content-type'] !== 'application/json') throw refusal(415, 'invalid_parameter', 'Send JSON.')
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body.toString('utf8'))
  if (!given.success) throw refusal(400, 'invalid_parameter', `${v.getDotPath(given.issues[0])}: Extra or wrong input`)
  const assetType = (id: string) => assets[Number(id.replace('ast_', '')) - 1]
  const { image, audio_asset_id } = given.output
  if (!assetType(image.asset_id)?.startsWith('image/') || !assetType(audio_asset_id)?.startsWith('audio/'))
    throw refusal(404, 'not_found', 'Asset not found')
}
