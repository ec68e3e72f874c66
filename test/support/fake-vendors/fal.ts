/** The queue of fal.ai with two of its models: https://docs.fal.ai/model-apis/model-endpoints/queue */
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

/** A file inside a request, which has to be what it says. */
const file = (...types: string[]) =>
  v.pipe(
    v.string(),
    v.check((uri) => {
      const [, type = '', data = ''] = /^data:([^;]+);base64,(.+)$/.exec(uri) ?? []
      const demuxers: Record<string, string> = {
        'image/jpeg': 'jpeg_pipe',
        'image/png': 'png_pipe',
        'audio/wav': 'wav',
      }
      return types.includes(type) && detectDemuxer(Buffer.from(data, 'base64')) === demuxers[type]
    }, 'is no such file'),
  )

/** https://fal.ai/models/bytedance/seedance-2.0/image-to-video/api and https://fal.ai/models/veed/fabric-1.0/api */
const models: Record<string, v.GenericSchema> = {
  'bytedance/seedance-2.0/image-to-video': v.strictObject({
    prompt: v.pipe(v.string(), v.minLength(1)),
    image_url: file('image/jpeg', 'image/png'),
    end_image_url: v.optional(v.string()),
    resolution: v.optional(v.picklist(['480p', '720p', '1080p'])),
    duration: v.optional(v.picklist(['auto', ...Array.from({ length: 12 }, (_, index) => String(index + 4))])),
    aspect_ratio: v.optional(v.picklist(['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'])),
    generate_audio: v.optional(v.boolean()),
    seed: v.optional(v.pipe(v.number(), v.integer())),
  }),
  'veed/fabric-1.0': v.strictObject({
    image_url: file('image/jpeg', 'image/png'),
    audio_url: file('audio/wav'),
    resolution: v.picklist(['720p', '480p']),
  }),
}

export interface FakeFal extends FakeVendor {
  /** The accepted requests. */
  orders: () => number
  /** How many polls report that it is in progress. */
  pendingPolls: number
  /** What a request that is complete gives instead of its video. */
  result: VendorResponse | null
  /** What a file gives instead of the clip, one each time. */
  files: VendorResponse[]
}

export const falKey = 'key-id:key-secret'

export async function startFakeFal(): Promise<FakeFal> {
  const orders: { polls: number; place: string }[] = []
  const vendor = await startFakeVendor(async (call) => {
    const origin = `http://${call.headers.host}`
    if (call.path.startsWith('/files/')) return fileFor(call, fal)
    if (call.headers.authorization !== `Key ${falKey}`) throw new VendorRefusal(401, { detail: 'Cannot access.' })
    if (call.method === 'POST') {
      const model = checked(call)
      // Requests live under the owner and the app alone.
      const place = `/${model.split('/').slice(0, 2).join('/')}/requests/req-${orders.length + 1}`
      orders.push({ polls: 0, place })
      const address = `${origin}${place}`
      const addresses = { response_url: address, status_url: `${address}/status`, cancel_url: `${address}/cancel` }
      return { body: { status: 'IN_QUEUE', request_id: place.split('/').at(-1), queue_position: 0, ...addresses } }
    }
    const order = orders.find(({ place }) => call.path === place || call.path === `${place}/status`)
    if (!order) throw new VendorRefusal(404, { detail: 'Request not found' })
    if (call.path.endsWith('/status')) {
      const pending = order.polls++ < fal.pendingPolls
      if (pending) return { status: 202, body: { status: order.polls === 1 ? 'IN_QUEUE' : 'IN_PROGRESS' } }
      return { body: { status: 'COMPLETED' } }
    }
    return fal.result ?? { body: { video: { url: `${origin}/files/clip.mp4`, content_type: 'video/mp4' } } }
  })
  const fal: FakeFal = Object.assign(vendor, {
    orders: () => orders.length,
    pendingPolls: 2,
    result: null,
    files: [],
  })
  return fal
}

function checked({ path, headers, body }: RecordedRequest): string {
  const model = path.slice(1)
  const schema = models[model]
  if (!schema) throw new VendorRefusal(404, { detail: 'Application not found' })
  if (headers['content-type'] !== 'application/json') throw new VendorRefusal(415, { detail: 'Send JSON.' })
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString('utf8'))
  if (!given.success) {
    const [{ message }] = given.issues
    throw new VendorRefusal(422, { detail: [{ loc: ['body', v.getDotPath(given.issues[0])], msg: message }] })
  }
  return model
}

/** Files are on another host, where the API key must not be sent. */
async function fileFor({ headers }: RecordedRequest, { files }: FakeFal): Promise<VendorResponse> {
  if (headers.authorization) throw new VendorRefusal(400, 'The key was sent to where the files are.')
  return files.shift() ?? { headers: { 'content-type': 'video/mp4' }, body: await tinyVideo() }
}
