/**
 * The server of the product with the tools, resources and prompts of the conformance suite in place of the product's tools. For tests
 * only: no function loads this file.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  ResourceNotFoundError,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import { createServer } from '../../../lib/mcp/server.ts'
import { askFor, fieldOf, fixtureTools, form, image } from './fixture-tools.ts'

const cached = { ttlMs: 60_000, cacheScope: 'public' as const }
const json = { mimeType: 'application/json' }
const plain = { mimeType: 'text/plain' }

const resources = [
  { uri: 'test://static-text', name: 'static-text', ...plain },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', ...plain },
]

function read(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined)
    return { uri, ...json, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
  if (uri === 'test://static-text') return { uri, ...plain, text: 'This is the content of the static text resource.' }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: image }
  if (uri === 'test://watched-resource') return { uri, ...plain, text: 'Watched resource content' }
  throw new ResourceNotFoundError(uri)
}

const user = (content: object) => ({ role: 'user', content })
const said = (text: string) => user({ type: 'text', text })

const prompts: Record<string, { arguments: string[]; messages: (args: Record<string, string>) => object[] }> = {
  test_simple_prompt: { arguments: [], messages: () => [said('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    messages: ({ resourceUri: uri }) => [
      user({ type: 'resource', resource: { uri, ...plain, text: 'Embedded resource content for testing.' } }),
      said('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    arguments: [],
    messages: () => [
      user({ type: 'image', data: image, mimeType: 'image/png' }),
      said('Please analyze the image above.'),
    ],
  },
}
const promptWithInput = 'test_input_required_result_prompt'

type Receive = NonNullable<Transport['onmessage']>

/** The servers that wait for an answer of their client, by the id of their request. */
const waiting = new Map<RequestId, Receive>()

/** A client of 2025 answers a server with a request of its own, and thus with another server: passes the answer to the one that waits. */
function shareAnswers(server: Server): void {
  const connect = server.connect.bind(server)
  server.connect = async (transport) => {
    await connect(transport)
    const send = transport.send.bind(transport)
    const receive: Receive = transport.onmessage!
    transport.send = (message, options) => {
      if ('method' in message && 'id' in message) waiting.set(message.id, receive)
      return send(message, options)
    }
    transport.onmessage = (message, extra) => {
      const waits = 'method' in message ? undefined : waiting.get(message.id!)
      ;(waits ?? receive)(message, extra)
    }
  }
}

export const createFixtureServer: typeof createServer = (_product, description, isModern) => {
  const server = createServer(fixtureTools, description, isModern)
  server.registerCapabilities({
    resources: isModern ? {} : { subscribe: true },
    prompts: {},
    completions: {},
    logging: {},
  })
  server.setRequestHandler('resources/list', () => ({ resources, ...cached }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', ...json }],
    ...cached,
  }))
  server.setRequestHandler('resources/read', ({ params }) => ({ contents: [read(params.uri)], ...cached }))
  server.setRequestHandler('prompts/list', () => ({
    prompts: [
      ...Object.entries(prompts).map(([name, { arguments: names }]) => ({
        name,
        description: `The fixture ${name}`,
        arguments: names.map((argument) => ({ name: argument, required: true })),
      })),
      { name: promptWithInput, description: 'Asks for a context' },
    ],
    ...cached,
  }))
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    if (params.name === promptWithInput) {
      const context = fieldOf(mcpReq.inputResponses?.user_context, 'context')
      if (context !== undefined) return { messages: [said(`Prompt with context: ${context}`)] } as never
      return askFor({ user_context: form('What context should the prompt use?', 'context') }) as never
    }
    const prompt = prompts[params.name]
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`)
    return { messages: prompt.messages(params.arguments ?? {}) } as never
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
  if (!isModern) {
    shareAnswers(server)
    server.setRequestHandler('resources/subscribe', () => ({}))
    server.setRequestHandler('resources/unsubscribe', () => ({}))
    server.setRequestHandler('logging/setLevel', () => ({}))
  }
  return server
}
