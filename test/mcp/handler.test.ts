/** The handler with the tools of the conformance suite: the form of its responses to clients of 2025-11-25. */
import { expect, it } from 'vitest'
import { handleMcp } from '../../lib/mcp/handler.ts'
import type { ToolProvider } from '../../lib/mcp/server.ts'
import { createFixtureServer } from './conformance/fixture-server.ts'

const description = { version: '1.0.0', instructions: '', onFault: console.error }
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

const send = (body: object) =>
  handleMcp(new Request('http://localhost/mcp', { method: 'POST', headers }), { jsonrpc: '2.0', ...body }, (isModern) =>
    createFixtureServer({} as ToolProvider, description, isModern),
  )

const callTool = (name: string, more: object = {}) =>
  send({ id: 7, method: 'tools/call', params: { name, arguments: {}, ...more } })

const messagesOf = (stream: string) =>
  Array.from(stream.matchAll(/^event: message\ndata: (.+)\n\n/gm), ([, data]) => JSON.parse(data!))

it('the response is JSON where nothing is sent before the result', async () => {
  const response = await callTool('test_simple_text')
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } })
})

it('the response is a stream from the first message that is sent before the result', async () => {
  const response = await callTool('test_tool_with_progress', { _meta: { progressToken: 'p' } })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const messages = messagesOf(await response.text())
  expect(messages.slice(0, 3).map(({ params }) => params.progress)).toEqual([0, 50, 100])
  expect(messages.slice(3)).toMatchObject([{ id: 7, result: { content: [{ type: 'text' }] } }])
})

it('a client can answer the server before the result', async () => {
  const { body } = await callTool('test_sampling', { arguments: { prompt: 'Hello' } })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  const [asked] = messagesOf((await reader.read()).value!)
  expect(asked).toMatchObject({ method: 'sampling/createMessage' })
  const result = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } }
  expect((await send({ id: asked.id, result })).status).toBe(202)
  const [ended] = messagesOf((await reader.read()).value!)
  expect(ended).toMatchObject({ id: 7, result: { content: [{ text: 'LLM response: Hi' }] } })
  expect((await reader.read()).done).toBe(true)
})
