/** The only caller of vendors' HTTP APIs: a deadline, a size limit, and provider failures instead of status codes. */
import * as v from 'valibot'
import { AccountExpired, OutcomeUnknown, ProviderBusy, ProviderRejected } from '../domain/core/failures.ts'
import { formatBytes, truncate } from '../domain/core/text.ts'
import type { EgressPolicy } from '../egress/address-policy.ts'
import { AddressRefused, EgressFailed, errorCodeOf } from '../egress/failures.ts'
import { type EgressResponse, sendRequest } from '../egress/request.ts'

export interface Vendor {
  /** As clients may read it, for example `Pexels`. */
  name: string
  /** Base URL without a trailing slash. Plain http is for a fake on this machine only. */
  url: string
  /** Sent with every API request: the credentials. */
  headers: Record<string, string>
  /** Which addresses may be requested; default: public ones over https, or a fake on this machine. */
  policy?: EgressPolicy
  /** The reason in an error body, where it may be shown to the client. */
  reasonOf?: (body: unknown) => string | undefined
  /** Whether an error is for the operator, beyond 401, 402 and 403: a spent quota, an unknown model. */
  isAccountError?: (status: number, body: unknown) => boolean
}

/** A source that needs no key but a User-Agent that names its caller. */
export interface KeylessSource {
  url: string
  userAgent: string
}

/** The vendor's status says that this request can never succeed. */
export class VendorRejected extends ProviderRejected {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

interface VendorRequest {
  /** After the base URL, query included. */
  path: string
  /** Sent as JSON with POST. Without `body` and `file` the request is a GET. */
  body?: object
  /** Sent with POST as the field `file` of a form (RFC 7578), after `fields`. */
  file?: { name: string; type: string; bytes: Uint8Array }
  fields?: readonly (readonly [name: string, value: string])[]
  headers?: Record<string, string>
  deadlineMs?: number
  /** Left out where an abort would leave open whether the vendor has acted. */
  signal?: AbortSignal
  /** A longer response is not read to its end. */
  bytesMax?: number
}

const deadlineMsDefault = 20_000
const bytesMaxDefault = 4 * 1024 * 1024
const redirectsMax = 3

const isFake = (url: string) => url.startsWith('http://127.0.0.1:')
const policyOf = ({ url, policy }: Vendor): EgressPolicy =>
  policy ?? { allowHttp: isFake(url), allowLoopback: isFake(url) }

/**
 * Sends a request and parses the JSON response. Throws `ProviderBusy`, `ProviderRejected` or `AccountExpired`;
 * `OutcomeUnknown`, a `ProviderBusy`, where the vendor may have acted on the request.
 */
export async function callVendor<Schema extends v.GenericSchema>(
  vendor: Vendor,
  request: VendorRequest,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const { body } = await requestVendor(vendor, {
    ...request,
    headers: { accept: 'application/json', ...request.headers },
  })
  const parsed = v.safeParse(schema, jsonIn(body))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new OutcomeUnknown(
    `${vendor.name} returned an unexpected response: ${v.getDotPath(issue) ?? 'the whole body'}.`,
  )
}

/** Sends a request and returns its complete successful response. Throws as `callVendor`. */
export async function requestVendor(
  vendor: Vendor,
  {
    path,
    body,
    file,
    fields,
    headers,
    deadlineMs = deadlineMsDefault,
    signal,
    bytesMax = bytesMaxDefault,
  }: VendorRequest,
): Promise<EgressResponse> {
  const url = vendor.url + path
  const sent = file ? await formWith(file, fields) : body && asJson(body)
  const response = await sendMapped(vendor.name, () =>
    sendRequest(
      {
        url,
        method: sent ? 'POST' : 'GET',
        headers: { ...(sent && { 'content-type': sent.type }), ...vendor.headers, ...headers },
        ...(sent && { body: sent.bytes }),
        deadlineMs,
        ...(signal && { signal }),
        bytesMax,
      },
      policyOf(vendor),
    ),
  )
  if (response.status < 200 || response.status > 299) throw failureOf(vendor, response)
  if (response.truncated)
    throw new OutcomeUnknown(`The response of ${vendor.name} is larger than ${formatBytes(bytesMax)}.`)
  return response
}

const asJson = (body: object) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })

async function formWith(
  { name, type, bytes }: NonNullable<VendorRequest['file']>,
  fields: VendorRequest['fields'] = [],
) {
  const form = new FormData()
  for (const [field, value] of fields) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const encoded = new Response(form)
  return { type: encoded.headers.get('content-type')!, bytes: new Uint8Array(await encoded.arrayBuffer()) }
}

/** Downloads a file of a vendor, without credentials. Its address is untrusted, as a client's is. */
export async function downloadFromVendor(
  vendor: Vendor,
  address: string,
  { deadlineMs, bytesMax, signal }: { deadlineMs: number; bytesMax: number; signal?: AbortSignal },
): Promise<Uint8Array> {
  let url = address
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const options = {
      url,
      method: 'GET',
      headers: { 'user-agent': vendor.headers['user-agent'] ?? 'Reelsmith' },
      deadlineMs,
      bytesMax,
    } as const
    const request = { ...options, ...(signal && { signal }) }
    const response = await sendMapped(vendor.name, () => sendRequest(request, policyOf(vendor)))
    const next =
      response.status >= 300 && response.status < 400 ? URL.parse(response.headers.location ?? '', url) : null
    if (!next) return fileIn(vendor, response, bytesMax)
    url = next.href
  }
  throw new ProviderRejected(`A file of ${vendor.name} redirects more than ${redirectsMax} times.`)
}

function fileIn(vendor: Vendor, response: EgressResponse, bytesMax: number): Uint8Array {
  if (response.status !== 200)
    throw isTransient(response.status) ? failureOf(vendor, response) : fileUnavailable(vendor, response.status)
  if (response.truncated)
    throw new ProviderRejected(`A file of ${vendor.name} is larger than ${formatBytes(bytesMax)}.`)
  return response.body
}

/** Maps egress failures to provider failures. */
async function sendMapped(name: string, send: () => Promise<EgressResponse>): Promise<EgressResponse> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof AddressRefused) throw new ProviderRejected(`${name} returned an address that is not public.`)
    if (!(error instanceof EgressFailed)) throw error
    const Busy = wasNotSent(error) ? ProviderBusy : OutcomeUnknown
    throw new Busy(`${name} cannot be reached: ${error.message}`, { cause: error })
  }
}

/** Whether the vendor cannot have read the request. */
const wasNotSent = ({ reason, isLocal: failedHere, cause }: EgressFailed) =>
  failedHere || reason === 'unresolvable' || reason === 'tls' || errorCodeOf(cause) === 'ECONNREFUSED'

/** 409: an idempotent request is still being processed. */
const isTransient = (status: number) => [408, 409, 425, 429].includes(status) || status >= 500

/**
 * Files are requested without a key, so a 401 or 403 says nothing about the account: mostly the address has expired.
 */
const fileUnavailable = ({ name }: Vendor, status: number) =>
  new ProviderRejected(`A file of ${name} is not available (status ${status}).`)

/** By the meaning of the status (RFC 9110, section 15): retry, do not retry, or have the operator check the account. */
function failureOf({ name, reasonOf, isAccountError }: Vendor, { status, body }: EgressResponse): Error {
  // A vendor that responds with 503 or below 500 has not acted.
  const Busy = status < 500 || status === 503 ? ProviderBusy : OutcomeUnknown
  const isRefusedAccount = [401, 402, 403].includes(status)
  const isForOperator = isRefusedAccount || isAccountError?.(status, jsonIn(body))
  const message = reasonOf?.(jsonIn(body))
  const reason = message && truncate(message).replace(/\.$/, '')
  const cause = new Error(`Status ${status}: ${reason ?? 'no reason given'}`)
  if (isTransient(status) && !isForOperator) return new Busy(`${name} is busy (status ${status}).`, { cause })
  // Key and quota are for the operator: only in the log.
  if (isForOperator)
    return new AccountExpired(
      isRefusedAccount
        ? `${name} does not accept this deployment's account.`
        : `${name} cannot be used as this deployment has configured it: check its quota and the name of the model.`,
      { cause },
    )
  return new VendorRejected(`${name} rejected this${reason ? `: ${reason}` : ` (status ${status})`}.`, status)
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}
