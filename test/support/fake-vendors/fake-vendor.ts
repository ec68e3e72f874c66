/**
 * The frame of every stand-in for a vendor: a real server on loopback that records its requests and fails as the test
 * plans. Each stand-in implements and validates what its vendor documents.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../../local/listen.ts'

/** One line of the ledger. */
export interface RecordedRequest {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface VendorResponse {
  /** 200 unless it is said. */
  status?: number
  headers?: Record<string, string>
  /** Bytes as they are; anything else as JSON. */
  body?: object | string
}

/**
 * Instead of the usual response: another one, one derived from it, none although the work was done, none until the
 * client disconnects, or one that stops after its first byte.
 */
export type VendorFault = VendorResponse | ((usual: VendorResponse) => VendorResponse) | 'lost' | 'silent' | 'stalled'

/** Thrown by a stand-in that rejects a request. */
export class VendorRefusal extends Error {
  readonly answer: VendorResponse

  constructor(status: number, body: object | string) {
    super(`${status}: ${JSON.stringify(body)}`)
    this.answer = { status, body }
  }
}

export interface FakeVendor {
  url: string
  /** Every request, in order. */
  calls: RecordedRequest[]
  /** The faults of the next calls, one each; after the last of them calls succeed. */
  faults: (VendorFault | null)[]
  /** The fault of every call for which `faults` has none. */
  fault: VendorFault | null
  stop: () => Promise<void>
}

/** `answer` is the vendor: it checks the call as documented, and throws a `VendorRefusal` where it is wrong. */
export async function startFakeVendor(
  answer: (call: RecordedRequest) => VendorResponse | Promise<VendorResponse>,
): Promise<FakeVendor> {
  const server = createServer(async (request, response) => {
    const call = await callOf(request).catch(() => null)
    if (!call) return
    vendor.calls.push(call)
    const fault = vendor.faults.shift() ?? vendor.fault
    if (fault === 'silent') return
    if (fault === 'stalled') return void response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    if (typeof fault === 'object' && fault !== null) return give(response, fault)
    const usual = await Promise.resolve(call).then(answer).catch(errorResponseOf)
    if (fault === 'lost') return void response.destroy()
    give(response, fault ? fault(usual) : usual)
  })
  const { url, stop } = await listen(server, 0)
  const vendor: FakeVendor = { url, calls: [], faults: [], fault: null, stop }
  return vendor
}

async function callOf(request: IncomingMessage): Promise<RecordedRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
  const { method = 'GET', headers } = request
  return { method, path: pathname, query: searchParams, headers, body: await buffer(request) }
}

/** A fault of the stand-in is sent to the client as well, so that the test shows it. */
const errorResponseOf = (error: unknown): VendorResponse =>
  error instanceof VendorRefusal ? error.answer : { status: 500, body: `The stand-in failed: ${error}` }

function give(response: ServerResponse, { status = 200, headers = {}, body = '' }: VendorResponse): void {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes)
}
