/**
 * The fixture server with sessions and streams, for the scenarios of 2025-11-25 in which a server sends messages before its result: they
 * test the official transport, since the product answers such clients in JSON. For tests only.
 */
import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { ToolProvider } from '../../../lib/mcp/server.ts'
import { listen, type RunningServer } from '../../../local/listen.ts'
import { createFixtureServer } from './fixture-server.ts'

const description = { version: '1.0.0', instructions: '', onFault: console.error }
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

async function newSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await createFixtureServer({} as ToolProvider, description, false).connect(transport)
  return transport
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', url, headers } = incoming
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(method === 'POST' && { body: await text(incoming) }),
  })
  const id = request.headers.get('mcp-session-id')
  const serve = async () => ((id && sessions.get(id)) || (await newSession())).handleRequest(request)
  const response = hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? (await serve())
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) await pipeline(Readable.fromWeb(response.body as never), outgoing)
  else outgoing.end()
}

export const startSessionServer = (): Promise<RunningServer> =>
  listen(
    createHttpServer((incoming, outgoing) => void respond(incoming, outgoing).catch(() => outgoing.destroy())),
    0,
  )
