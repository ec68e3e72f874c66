// API Gateway (HTTP API) in front of the Lambda handlers: receives requests in their turn and writes the replies of `gateway.ts`.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, type RunningServer } from '../../listen.ts'
import { knownClients } from './clients.ts'
import { createGateway, type Gateway, type GatewayOptions, type GatewayReply, refusal, tooLarge } from './gateway.ts'
import { type ReceivedRequest, requestTarget } from './http-event.ts'

interface HttpApiOptions extends GatewayOptions {
  readonly port: number
  /** Handles requests that are not of the gateway, and returns whether it does. */
  readonly pages?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Runs a request when its client may run one; its body is read after that. Default: at once. Rejects with `TooManyCalls` to refuse it. */
  readonly schedule?: <Result>(client: string, run: () => Promise<Result>) => Promise<Result>
  /** Handles requests with bodies of more than 256 KB. Default: this thread. */
  readonly largeBodies?: Gateway
}

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const REQUEST_BYTES_MAX = 10 * 1024 * 1024
const LARGE_BODY_BYTES = 256 * 1024

// Longer than the idle timeout of common clients, so that the server never closes a connection that a client is about to reuse.
const KEEP_ALIVE_MS = 75_000
const STOP_GRACE_MS = 2_000

/** Serves the routes on 127.0.0.1. On stop, requests in flight have 2 seconds to finish. */
export function startHttpApi(options: HttpApiOptions): Promise<RunningServer> {
  const gateway = createGateway(options)
  const clients = knownClients()
  const { largeBodies = gateway, schedule = (_client, run) => run() } = options

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = receivedFrom(request)
    const body = await readBody(request)
    if (body === undefined) return write(response, tooLarge({ connection: 'close' }))
    const handle = body.length > LARGE_BODY_BYTES ? largeBodies : gateway
    const reply = await handle(received, body)
    clients.learn(request, reply)
    write(response, reply)
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (options.pages?.(request, response)) return
    schedule(clients.of(request), () => respond(request, response)).catch((error) => {
      // As the gateway does above its rate limits.
      if (error instanceof Error && error.name === 'TooManyCalls') {
        request.resume()
        return write(response, refusal(429, 'Too Many Requests', { 'retry-after': '1' }))
      }
      // Only a client that disconnects during its request gets here. A query may hold a key.
      options.log(`${request.method} ${requestTarget(request).rawPath} was aborted by the client`, error)
      response.destroy()
    })
  })
  return listen(server, options.port, STOP_GRACE_MS)
}

const receivedFrom = (request: IncomingMessage): ReceivedRequest => ({
  method: request.method ?? 'GET',
  url: request.url ?? '/',
  httpVersion: request.httpVersion,
  rawHeaders: request.rawHeaders,
  remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
})

/** The body, or undefined if it exceeds the limit of the gateway; the rest is then read and discarded. */
async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= REQUEST_BYTES_MAX) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes <= REQUEST_BYTES_MAX ? Buffer.concat(chunks) : undefined
}

function write(response: ServerResponse, { status, headers, body }: GatewayReply): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.statusCode = status
  response.end(body)
}
