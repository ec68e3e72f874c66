/**
 * fal.ai, queue API: https://docs.fal.ai/model-apis/model-endpoints/queue (read November 2026). Endpoints: `POST
 * /{model}`, `GET {response_url}/status`, `GET {response_url}`. Submits are not idempotent: after a lost response an
 * order may be running.
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

interface FalQueue {
  /** Returns the path of the request in the queue. */
  submit(model: string, input: object): Promise<string>
  /** The address of the video, or undefined while it is processed. */
  poll(request: string, context: { signal: AbortSignal }): Promise<string | undefined>
  collect(address: string, signal: AbortSignal): Promise<Uint8Array>
}

/** Pictures and sounds are sent inline, so that the model needs no access to our storage. */
export const dataUri = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

const submitDeadlineMs = 60_000
const videoBytesMax = 200 * 1024 * 1024
const downloadDeadlineMs = 120_000

const submittedSchema = v.object({ request_id: v.string(), response_url: v.string() })
const statusSchema = v.object({
  status: v.picklist(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']),
  /** Of a request that has completed without a result. */
  error: v.nullish(v.string()),
})
const resultSchema = v.object({ video: v.object({ url: v.string() }) })
/** https://docs.fal.ai/errors */
const errorSchema = v.object({
  detail: v.union([v.string(), v.tupleWithRest([v.object({ msg: v.string() })], v.unknown())]),
})

export function falQueue({ url, key }: FalAccount): FalQueue {
  const vendor: Vendor = { name: 'fal.ai', url, headers: { authorization: `Key ${key}` }, reasonOf }
  return {
    async submit(model, input) {
      const request = { path: `/${model}`, body: input, deadlineMs: submitDeadlineMs }
      const { response_url } = await callVendor(vendor, request, submittedSchema)
      // The key must only be sent to fal.ai.
      if (!response_url.startsWith(`${url}/`)) throw new OutcomeUnknown('fal.ai returned a status URL outside its API.')
      return response_url.slice(url.length)
    },
    async poll(request, { signal }) {
      const { status, error } = await callVendor(vendor, { path: `${request}/status`, signal }, statusSchema)
      if (status !== 'COMPLETED') return undefined
      if (error) throw new OrderFailed(`fal.ai could not generate this: ${truncate(error)}`)
      return (await callVendor(vendor, { path: request, signal }, resultSchema).catch(asOrderFailure)).video.url
    },
    collect: (address, signal) =>
      downloadFromVendor(vendor, address, { deadlineMs: downloadDeadlineMs, bytesMax: videoBytesMax, signal }),
  }
}

/** A completed request has its error in place of the result. */
function asOrderFailure(error: unknown): never {
  throw error instanceof ProviderRejected ? new OrderFailed(error.message, { cause: error }) : error
}

function reasonOf(body: unknown): string | undefined {
  const parsed = v.safeParse(errorSchema, body)
  if (!parsed.success) return undefined
  const { detail } = parsed.output
  return typeof detail === 'string' ? detail : detail[0].msg
}
