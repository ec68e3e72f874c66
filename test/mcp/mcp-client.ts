/** Clients of the MCP server: the official one, for both revisions, and single messages as they are on the wire. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { inject } from 'vitest'
import { tasksExtension } from '../../lib/mcp/tasks.ts'

export const revisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof revisions)[number]

export interface Connection {
  key?: string | undefined
  /** In the URL, as clients that cannot send headers do. */
  byUrl?: boolean
  workspaceId?: string | undefined
  /** Further parameters of the URL. */
  query?: Record<string, string>
  headers?: Record<string, string>
  baseUrl?: string
}

export function mcpRequest({ key, byUrl, workspaceId, query, headers, baseUrl = inject('baseUrl') }: Connection) {
  const url = new URL(`${baseUrl}/mcp`)
  const inUrl = {
    ...(byUrl && key !== undefined && { key }),
    ...(byUrl && workspaceId !== undefined && { workspaceId }),
  }
  for (const [name, value] of Object.entries({ ...inUrl, ...query })) url.searchParams.set(name, value)
  const identity = {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(workspaceId !== undefined && { 'X-Service-Workspace': workspaceId }),
  }
  return { url, headers: { ...(!byUrl && identity), ...headers } as Record<string, string> }
}

/** `confirm` answers the questions of tools. Without it, the client cannot be asked. */
export async function connectMcp(
  connection: Connection,
  revision: Revision,
  confirm?: (message: string) => boolean,
): Promise<Client> {
  const { url, headers } = mcpRequest(connection)
  const options: ClientOptions = {
    ...(revision === '2026-07-28' && { versionNegotiation: { mode: { pin: revision } } }),
    ...(confirm && { capabilities: { elicitation: {} } }),
  }
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  if (confirm)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { confirm: confirm(params.message) },
    }))
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

/** The data of a tool's result, of any type: the test states what it expects. @throws Error with the text of a refusal. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ReturnType<typeof JSON.parse>> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  if (isError) throw new Error(`${name}: ${(content as { text?: string }[])[0]?.text}`)
  return (structuredContent as { data: unknown }).data
}

export interface Sent {
  status: number
  headers: Headers
  /** The message, of any type; the text where it is no JSON. */
  body: ReturnType<typeof JSON.parse>
}

/** Sends a body as it is. */
export async function post(connection: Connection, body: string): Promise<Sent> {
  const { url, headers } = mcpRequest(connection)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const meta = 'io.modelcontextprotocol'

/** One message of 2026-07-28, from a client that knows tasks. */
export function send(connection: Connection, method: string, params: Record<string, unknown> = {}): Promise<Sent> {
  const _meta = {
    [`${meta}/protocolVersion`]: '2026-07-28',
    [`${meta}/clientInfo`]: { name: 'test', version: '1.0.0' },
    [`${meta}/clientCapabilities`]: { extensions: { [tasksExtension]: {} } },
  }
  const name = params.name ?? params.taskId
  const headers = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof name === 'string' && { 'Mcp-Name': name }),
    ...connection.headers,
  }
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
  return post({ ...connection, headers }, JSON.stringify(message))
}

/** One message of 2025-11-25, without a handshake: the server keeps no sessions. */
export const sendOld = (connection: Connection, method: string, params: Record<string, unknown> = {}): Promise<Sent> =>
  post(
    { ...connection, headers: { 'MCP-Protocol-Version': '2025-11-25', ...connection.headers } },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  )
