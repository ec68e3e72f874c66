/** The npm client in a real Chromium: it calls the service through the origin of its page, and verifies a delivery. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { mintWebhookSecret, signedHeaders } from '../../lib/domain/webhooks/signature.ts'
import { newWorld } from '../support/world.ts'
import { browser, openPage, serve, skipped } from './chromium.ts'

const folder = join(import.meta.dirname, '../../packages/client')

test.skipIf(!browser)(`the client runs in a page and in a worker${skipped}`, async () => {
  const { apiKey } = await newWorld()
  const secret = mintWebhookSecret()
  const event = { event: 'video.created', workspaceId: 'wsp_1', createdAt: new Date().toISOString(), data: {} }
  const body = JSON.stringify(event)
  const ids = { deliveryId: 'dlv_1', messageId: 'dlv_1' }
  const headers = signedHeaders({ secret, body, event: event.event, at: event.createdAt, ...ids })
  const program = `
    import { createClient } from '/client/index.js'
    import { verifyWebhook } from '/client/webhooks.js'
    const client = createClient({ baseUrl: location.origin + '/v1', apiKey: ${JSON.stringify(apiKey)} })
    const { id } = await client.videos.create({ prompt: 'A page' })
    const listed = []
    for await (const video of client.videos.list({ limit: 1 })) listed.push(video.id)
    const refused = await client.videos.get('vid_unknown').catch(({ code }) => code)
    const { event } = await verifyWebhook(${JSON.stringify(body)}, ${JSON.stringify(headers)}, ${JSON.stringify(secret)})
    await fetch('/report', { method: 'POST', body: JSON.stringify({ id, listed, refused, event }) })`
  const reports: { id: string; listed: string[] }[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const port = await serve(async (request, response) => {
    const path = request.url!
    const script = (code: string) => response.setHeader('content-type', 'text/javascript').end(code)
    if (path === '/report') {
      reports.push((await json(request)) as (typeof reports)[0])
      if (reports.length === 2) resolve()
      return response.end()
    }
    if (path === '/program.js') return script(program)
    // The page and the worker create one video each, one after the other.
    if (path === '/page.js') return script("await import('/program.js'); new Worker('/program.js', { type: 'module' })")
    if (path.startsWith('/client/')) return script(readFileSync(join(folder, path.slice('/client/'.length)), 'utf8'))
    if (!path.startsWith('/v1'))
      return response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><script type="module" src="/page.js"></script>')
    const { authorization = '', 'idempotency-key': key = '' } = request.headers
    const answer = await fetch(inject('baseUrl') + path.slice('/v1'.length), {
      method: request.method!,
      headers: { authorization, ...(key && { 'idempotency-key': String(key) }) },
      ...(request.method === 'POST' && { body: await text(request) }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await Promise.race([promise, openPage(`http://127.0.0.1:${port}/`)])
  const expected = { refused: 'not-found', event: 'video.created' }
  expect(reports).toMatchObject([expected, expected])
  const [first, second] = reports.map(({ id }) => id)
  expect(reports.map(({ listed }) => listed)).toEqual([[first], [second, first]])
})
