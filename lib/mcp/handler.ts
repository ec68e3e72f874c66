/**
 * One stateless handler for both revisions of MCP over HTTP, 2026-07-28 and 2025-11-25. It answers JSON without a session; a server that
 * sends messages before its result, as none of the product does, gets a stream for this one request. The caller is authenticated before.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isObject } from './video-jobs.ts'

/** Creates the server of one request. */
export type CreateServer = (isModern: boolean) => Server

/** Responds to a POST whose body was parsed; undefined for a body that is not JSON. */
export async function handleMcp(request: Request, body: unknown, createServer: CreateServer): Promise<Response> {
  // Only the revision of March 2025 had batches. One would count as a single request.
  if (Array.isArray(body)) return errorResponse(400, -32_600, 'Batches are not supported: send one message a request.')
  // A subscription is a stream, which a gateway that buffers responses cannot serve.
  if (isObject(body) && body.method === 'subscriptions/listen')
    return errorResponse(404, -32_601, 'Method not found: subscriptions/listen', body.id)
  if (body === undefined || (await isLegacyRequest(request, body))) return answerLegacy(request, body, createServer)
  // `auto` answers JSON, as no tool of the product sends anything before its result.
  const handler = createMcpHandler(() => createServer(true), { legacy: 'reject', responseMode: 'auto' })
  return withoutContentOfTask(await handler.fetch(request, { parsedBody: body }))
}

async function answerLegacy(request: Request, body: unknown, createServer: CreateServer): Promise<Response> {
  const server = createServer(false)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const stream = streamOf(transport, () => server.close())
  await server.connect(transport)
  const json = transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
  return Promise.race([stream, json.finally(() => server.close())])
}

/** Resolves to a stream with the first message that is sent before the result: the transport would drop it from a JSON response. */
function streamOf(transport: Transport, close: () => Promise<void>): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' }
  const sendJson = transport.send.bind(transport)
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const start = (controller: typeof stream) => {
    stream = controller
  }
  transport.send = async (message, options) => {
    const isResult = !('method' in message)
    if (!stream && !isResult && options?.relatedRequestId !== undefined)
      resolve(new Response(new ReadableStream({ start, cancel: close }), { headers }))
    if (!stream) return sendJson(message, options)
    stream.enqueue(new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`))
    if (!isResult) return
    stream.close()
    await close()
  }
  return promise
}

const errorResponse = (status: number, code: number, message: string, id: unknown = null) =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })

/** The package adds an empty `content` to every result of a tool; a created task has none. */
async function withoutContentOfTask(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response
  const text = await response.text()
  const { status, headers } = response
  if (!text.includes('"resultType":"task"')) return new Response(text, { status, headers })
  const message = JSON.parse(text) as { result?: { resultType?: string; content?: unknown } }
  if (message.result?.resultType === 'task') delete message.result.content
  return new Response(JSON.stringify(message), { status, headers: { 'Content-Type': 'application/json' } })
}
