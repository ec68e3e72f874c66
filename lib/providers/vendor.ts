/** The one door to the HTTP APIs of vendors: one deadline, one bounded answer, and three named failures instead of status codes. */
import * as v from 'valibot'
import { AccountExpired, OutcomeUnknown, ProviderBusy, ProviderRejected } from '../domain/core/failures.ts'
import { truncate } from '../domain/core/text.ts'
import { AddressRefused, EgressFailed, errorCodeOf } from '../egress/failures.ts'
import { type EgressResponse, sendRequest } from '../egress/request.ts'

export interface Vendor {
  /** As clients may read it, for example `Pexels`. */
  name: string
  /** Where its API begins, without a slash at the end. Plain http is for a stand-in on this machine alone. */
  url: string
  /** Sent with every request: whoever may ask. */
  headers: Record<string, string>
  /** What the vendor says in a refusal, where that is worth showing to the client. */
  reasonOf?: (body: unknown) => string | undefined
}

export interface VendorRequest {
  /** Behind the vendor's address, query included. */
  path: string
  /** Sent as JSON with POST; without it and without a file the request is a GET. */
  body?: object
  /** Sent with POST as the one field `file` of a form (RFC 7578). */
  file?: { name: string; type: string; bytes: Uint8Array }
  headers?: Record<string, string>
  deadlineMs?: number
  /** Ends it sooner. Left out where the vendor might have done what was asked, and it matters. */
  signal?: AbortSignal
  /** An answer that is longer is not read to its end. */
  bytesMax?: number
}

const deadlineMsUsual = 20_000
const bytesMaxUsual = 4 * 1024 * 1024
/** An address of a file often leads to where it really lies. */
const redirectsMax = 3

const isLocal = (url: string) => url.startsWith('http://127.0.0.1:')
const policyFor = (url: string) => ({ allowHttp: isLocal(url), allowLoopback: isLocal(url) })

/**
 * Asks and reads JSON of one shape. Throws `ProviderBusy`, `ProviderRejected` or `AccountExpired`; of the busy ones `AnswerLost`
 * where the vendor may have done what was asked.
 */
export async function callVendor<Schema extends v.GenericSchema>(
  vendor: Vendor,
  { path, body, file, headers = {}, deadlineMs = deadlineMsUsual, signal, bytesMax = bytesMaxUsual }: VendorRequest,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const url = vendor.url + path
  const sent = file ? await formWith(file) : body && asJson(body)
  const answer = await sendMapped(vendor.name, () =>
    sendRequest(
      {
        url,
        method: sent ? 'POST' : 'GET',
        headers: {
          accept: 'application/json',
          ...(sent && { 'content-type': sent.type }),
          ...vendor.headers,
          ...headers,
        },
        ...(sent && { body: sent.bytes }),
        deadlineMs,
        ...(signal && { signal }),
        bytesMax,
      },
      policyFor(vendor.url),
    ),
  )
  if (answer.status < 200 || answer.status > 299) throw refusalOf(vendor, answer)
  if (answer.truncated) throw new OutcomeUnknown(`${vendor.name} answers with more than ${bytesMax} bytes.`)
  const given = v.safeParse(schema, jsonIn(answer.body))
  if (given.success) return given.output
  const [issue] = given.issues
  throw new OutcomeUnknown(`${vendor.name} answers otherwise than documented: ${v.getDotPath(issue) ?? 'the whole'}.`)
}

const asJson = (body: object) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })

async function formWith({ name, type, bytes }: NonNullable<VendorRequest['file']>) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const written = new Response(form)
  return { type: written.headers.get('content-type')!, bytes: new Uint8Array(await written.arrayBuffer()) }
}

/** The file that a vendor made: its address is the vendor's word, so no more is believed of it than of a client's. */
export async function downloadFromVendor(
  vendor: Vendor,
  address: string,
  { deadlineMs, bytesMax, signal }: { deadlineMs: number; bytesMax: number; signal?: AbortSignal },
): Promise<Uint8Array> {
  let url = address
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const asked = { url, method: 'GET', headers: { 'user-agent': 'Reelsmith' }, deadlineMs, bytesMax } as const
    const request = { ...asked, ...(signal && { signal }) }
    const answer = await sendMapped(vendor.name, () => sendRequest(request, policyFor(vendor.url)))
    const next = answer.status >= 300 && answer.status < 400 ? URL.parse(answer.headers.location ?? '', url) : null
    if (!next) return fileIn(vendor, answer, bytesMax)
    url = next.href
  }
  throw new ProviderRejected(`A file of ${vendor.name} leads on more than ${redirectsMax} times.`)
}

function fileIn(vendor: Vendor, answer: EgressResponse, bytesMax: number): Uint8Array {
  if (answer.status !== 200)
    throw isTransient(answer.status) ? refusalOf(vendor, answer) : fileUnavailable(vendor, answer.status)
  if (answer.truncated) throw new ProviderRejected(`A file of ${vendor.name} is larger than ${bytesMax} bytes.`)
  return answer.body
}

async function sendMapped(name: string, ask: () => Promise<EgressResponse>): Promise<EgressResponse> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AddressRefused) throw new ProviderRejected(`${name} names an address that is none of its own.`)
    if (!(error instanceof EgressFailed)) throw error
    const Busy = wasNotSent(error) ? ProviderBusy : OutcomeUnknown
    throw new Busy(`${name} cannot be reached: ${error.message}`, { cause: error })
  }
}

/** Whether a request broke off before the other side can have read it. */
const wasNotSent = ({ reason, isLocal: isOurs, cause }: EgressFailed) =>
  isOurs || reason === 'unresolvable' || reason === 'tls' || errorCodeOf(cause) === 'ECONNREFUSED'

/** 409 where a vendor knows a request again that it has not answered yet. */
const isTransient = (status: number) => [408, 409, 425, 429].includes(status) || status >= 500

/** A file is asked for without a key: whatever is said of it says nothing of the account. Its address has mostly expired. */
const fileUnavailable = ({ name }: Vendor, status: number) =>
  new ProviderRejected(`A file of ${name} is not to be had (status ${status}).`)

/** What a status means (RFC 9110, section 15): ask again, ask never again, or have the operator look after the account. */
function refusalOf({ name, reasonOf }: Vendor, { status, body }: EgressResponse): Error {
  // With 503 and the ones below 500 nothing was done.
  const Busy = status < 500 || status === 503 ? ProviderBusy : OutcomeUnknown
  if (isTransient(status)) return new Busy(`${name} is busy (status ${status}).`)
  const given = reasonOf?.(jsonIn(body))
  const reason = given && truncate(given).replace(/\.$/, '')
  // Which key, what quota: for the operator, in the log.
  if ([401, 402, 403].includes(status))
    return new AccountExpired(`${name} does not accept this deployment's account.`, {
      cause: new Error(`Status ${status}: ${reason ?? 'it gives no reason'}`),
    })
  return new ProviderRejected(`${name} refuses this${reason ? `: ${reason}` : ` (status ${status})`}.`)
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}
