/**
 * fal.ai: models behind one queue. It knows no request again, so an answer that is lost is an order that may be running.
 * https://docs.fal.ai/model-apis/model-endpoints/queue
 */
import * as v from 'valibot'
import { OutcomeUnknown, ProviderRejected } from '../domain/core/failures.ts'
import { truncate } from '../domain/core/text.ts'
import { callVendor, downloadFromVendor, type Vendor } from './vendor.ts'
import { OrderFailed } from './vendor-orders.ts'

export interface FalAccount {
  url: string
  key: string
}

export interface FalQueue {
  /** Places an order; the answer is the path of the request in the queue. */
  submit(model: string, input: object): Promise<string>
  /** The address of the video that was made, or undefined while it is not. */
  poll(request: string, place: { signal: AbortSignal }): Promise<string | undefined>
  collect(address: string, signal: AbortSignal): Promise<Uint8Array>
}

/** Pictures and sounds go along as data: URIs, so the model needs nothing of our storage. */
export const dataUri = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

const submitDeadlineMs = 60_000
const videoBytesMax = 200 * 1024 * 1024
const downloadDeadlineMs = 120_000

const submittedSchema = v.object({ request_id: v.string(), response_url: v.string() })
const state = v.object({
  status: v.picklist(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']),
  /** Of a request that is complete and came to nothing. */
  error: v.nullish(v.string()),
})
const made = v.object({ video: v.object({ url: v.string() }) })
/** Errors of models: https://docs.fal.ai/errors */
const refused = v.object({
  detail: v.union([v.string(), v.tupleWithRest([v.object({ msg: v.string() })], v.unknown())]),
})

export function falQueue({ url, key }: FalAccount): FalQueue {
  const vendor: Vendor = { name: 'fal.ai', url, headers: { authorization: `Key ${key}` }, reasonOf }
  return {
    async submit(model, input) {
      const request = { path: `/${model}`, body: input, deadlineMs: submitDeadlineMs }
      const { response_url } = await callVendor(vendor, request, submittedSchema)
      // The queue says where it is to be asked, and the key goes there: to nobody else.
      if (!response_url.startsWith(`${url}/`)) throw new OutcomeUnknown('fal.ai names a place that is none of its own.')
      return response_url.slice(url.length)
    },
    async poll(request, { signal }) {
      const { status, error } = await callVendor(vendor, { path: `${request}/status`, signal }, state)
      if (status !== 'COMPLETED') return undefined
      if (error) throw new OrderFailed(`fal.ai could not make this: ${truncate(error)}`)
      return (await callVendor(vendor, { path: request, signal }, made).catch(asOrderFailure)).video.url
    },
    collect: (address, signal) =>
      downloadFromVendor(vendor, address, { deadlineMs: downloadDeadlineMs, bytesMax: videoBytesMax, signal }),
  }
}

/** A request that is complete gives its error in the place of the result. */
function asOrderFailure(error: unknown): never {
  throw error instanceof ProviderRejected ? new OrderFailed(error.message, { cause: error }) : error
}

function reasonOf(body: unknown): string | undefined {
  const given = v.safeParse(refused, body)
  if (!given.success) return undefined
  const { detail } = given.output
  return typeof detail === 'string' ? detail : detail[0].msg
}
