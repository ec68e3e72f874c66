/**
 * The shipped handler with the fixture's tools behind an HTTP server that does not buffer responses, as API Gateway and the endpoint do: for
 * the scenarios of 2025-11-25 in which a client answers a server before the result. For tests only.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { hostHeaderValidationResponse, localhostAllowedHostnames } from '@modelcontextprotocol/server'
import { handleMcp } from '../../../lib/mcp/handler.ts'
import type { ToolProvider } from '../../../lib/mcp/server.ts'
import { listen, type RunningServer } from '../../../local/listen.ts'
import { createFixtureServer } from './fixture-server.ts'

const description = { version: '1.0.0', instructions: '', onFault: console.error }

async function responseTo(incoming: IncomingMessage): Promise<Response> {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string])
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, { method: 'POST', headers })
  const refused = hostHeaderValidationResponse(request, localhostAllowedHostnames())
  if (refused) return refused
  if (incoming.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } })
  const body = await json(incoming)
  return handleMcp(request, body, (isModern) => createFixtureServer({} as ToolProvider, description, isModern))
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const response = await responseTo(incoming)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) await pipeline(Readable.fromWeb(response.body as never), outgoing)
  else outgoing.end()
}

export const startStreamingServer = (): Promise<RunningServer> =>
  listen(
    createHttpServer((incoming, outgoing) => void respond(incoming, outgoing).catch(() => outgoing.destroy())),
    0,
  )
