import { request as httpRequest } from 'node:http'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { expect, test } from 'vitest'
import { startHttpApi } from '../../local/emulators/api-gateway/http-api.ts'
import { memoryLog, stopAfterTest } from './support/fixtures.ts'

type Handler = (event: APIGatewayProxyEventV2, context: Context) => unknown

const echo: Handler = async (event) => event

const start = async (routes: Record<string, Handler>, timeoutMs = 30_000) => {
  const { lines, log } = memoryLog()
  const api = await stopAfterTest(
    startHttpApi({
      port: 0,
      basePath: '/v1',
      routes: Object.entries(routes).map(([signature, handler]) => ({ signature, handler })),
      fallback: async (event: APIGatewayProxyEventV2) => ({ statusCode: 404, body: `no ${event.rawPath}` }),
      timeoutMs,
      log,
    }),
  )
  return { url: api.url, lines, stop: api.stop }
}

const eventOf = async (response: Response) => (await response.json()) as APIGatewayProxyEventV2

test('the event has the shape of payload format 2.0', async () => {
  const { url } = await start({ 'POST /videos/{id}': echo })
  const response = await fetch(`${url}/v1/videos/vid%20%C3%BC?tag=a&tag=b%20c&empty=`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: 'one=1; two=2', 'X-Trace': 'T' },
    body: '{"a":"ü"}',
  })
  const event = await eventOf(response)
  expect(event).toMatchObject({
    version: '2.0',
    routeKey: 'POST /v1/videos/{id}',
    rawPath: '/v1/videos/vid%20%C3%BC',
    rawQueryString: 'tag=a&tag=b%20c&empty=',
    cookies: ['one=1', 'two=2'],
    queryStringParameters: { tag: 'a,b c', empty: '' },
    pathParameters: { id: 'vid ü' },
    requestContext: { http: { method: 'POST', path: '/v1/videos/vid%20%C3%BC', sourceIp: '127.0.0.1' } },
    body: '{"a":"ü"}',
    isBase64Encoded: false,
  })
  expect(event.headers).toMatchObject({ 'content-type': 'application/json', 'x-trace': 'T' })
  expect(event.headers.cookie).toBeUndefined()
  expect(event.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/)
  expect(response.headers.get('apigw-requestid')).toBe(event.requestContext.requestId)
})

test('an event without body, query, parameters or cookies omits them', async () => {
  const { url } = await start({ 'GET /videos': echo })
  const event = await eventOf(await fetch(`${url}/v1/videos`))
  for (const absent of ['body', 'queryStringParameters', 'pathParameters', 'cookies'])
    expect(event).not.toHaveProperty(absent)
})

test('repeated headers are joined by a comma, binary bodies travel as base64', async () => {
  const { url } = await start({ 'PUT /upload': echo })
  const { promise, resolve } = Promise.withResolvers<string>()
  const request = httpRequest(`${url}/v1/upload`, { method: 'PUT' }, async (response) => {
    resolve(Buffer.concat(await Array.fromAsync(response)).toString())
  })
  request.setHeader('x-tag', ['a', 'b'])
  request.setHeader('content-type', 'image/png')
  request.end(Buffer.from([0x89, 0xff]))
  expect(JSON.parse(await promise)).toMatchObject({ headers: { 'x-tag': 'a,b' }, body: 'if8=', isBase64Encoded: true })
})

test('the most specific route handles a request, and the fallback handles all others', async () => {
  const named = (name: string) => async () => ({ statusCode: 200, body: name })
  const { url } = await start({
    'GET /videos/{id}': named('one'),
    'GET /files/{rest+}': named('rest'),
    'GET /videos/platforms': named('platforms'),
    'ANY /videos/{id}/convert': named('convert'),
  })
  const bodies = async (...paths: string[]) => Promise.all(paths.map(async (path) => (await fetch(url + path)).text()))
  expect(await bodies('/v1/videos/platforms', '/v1/videos/x', '/v1/files/a/b', '/v1/videos/x/convert')).toEqual([
    'platforms',
    'one',
    'rest',
    'convert',
  ])
  expect(await bodies('/v1/videos/', '/videos/x', '/')).toEqual(['no /v1/videos/', 'no /videos/x', 'no /'])
  expect((await fetch(`${url}/v1/videos/x`, { method: 'DELETE' })).status).toBe(404)
})

test('the result of a function becomes the response: status, headers, cookies, base64', async () => {
  const { url } = await start({
    'GET /file': async () => ({
      statusCode: 201,
      headers: { 'Content-Type': 'video/mp4', 'x-count': 3 },
      cookies: ['a=1', 'b=2'],
      body: 'AAH/',
      isBase64Encoded: true,
    }),
    'GET /plain': async () => ({ hello: 'world' }),
    'GET /none': async () => ({ statusCode: 204 }),
  })
  const file = await fetch(`${url}/v1/file`)
  expect([file.status, file.headers.get('content-type'), file.headers.get('x-count')]).toEqual([201, 'video/mp4', '3'])
  expect(file.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect([...(await file.bytes())]).toEqual([0, 1, 255])
  expect(await (await fetch(`${url}/v1/plain`)).json()).toEqual({ hello: 'world' })
  expect((await fetch(`${url}/v1/none`)).status).toBe(204)
})

test('HEAD is a method like any other, and its response has no body', async () => {
  const { url } = await start({ 'GET /videos': echo, 'HEAD /file': async () => ({ statusCode: 200, body: 'unsent' }) })
  const file = await fetch(`${url}/v1/file`, { method: 'HEAD' })
  expect([file.status, await file.text()]).toEqual([200, ''])
  expect((await fetch(`${url}/v1/videos`, { method: 'HEAD' })).status).toBe(404)
})

test('a function that throws, or returns an invalid result, is a 500 without a stack', async () => {
  const { url, lines } = await start({
    'GET /throws': () => {
      throw new Error('secret detail')
    },
    'GET /status': async () => ({ statusCode: 99 }),
    'GET /header': async () => ({ statusCode: 200, headers: { 'x-bad': 'a\nb' } }),
    'GET /large': async () => ({ statusCode: 200, body: 'x'.repeat(7 * 1024 * 1024) }),
  })
  for (const path of ['throws', 'status', 'header', 'large']) {
    const response = await fetch(`${url}/v1/${path}`)
    expect([path, response.status, await response.text()]).toEqual([path, 500, '{"message":"Internal Server Error"}'])
  }
  expect(lines).toHaveLength(4)
})

test('a function that times out is a 503, and its late result is dropped', async () => {
  const late = Promise.withResolvers<unknown>()
  const { url, lines } = await start({ 'GET /slow': () => late.promise }, 30)
  const response = await fetch(`${url}/v1/slow`)
  late.resolve({ statusCode: 200, body: 'late' })
  expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }])
  expect(lines).toEqual([expect.stringMatching(/^GET \/v1\/slow failed \(request /)])
})

test('a path that is not valid percent-encoding names no route: the fallback authenticates it like any path', async () => {
  const { url } = await start({ 'GET /videos/{id}': echo })
  const response = await fetch(`${url}/v1/videos/%E0%A4%A`)
  expect([response.status, await response.text()]).toEqual([404, 'no /v1/videos/%E0%A4%A'])
})

test('a body above 10 MB is a 413 and the server keeps running', async () => {
  const { url } = await start({ 'POST /videos': echo })
  const post = (body: string) =>
    fetch(`${url}/v1/videos`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body })
  expect((await post('x'.repeat(10 * 1024 * 1024 + 1))).status).toBe(413)
  expect((await post('small')).status).toBe(200)
})

test('connections are kept alive, and stopping lets the request in flight finish', async () => {
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<unknown>()
  const { url, stop } = await start({
    'GET /slow': () => {
      begun.resolve()
      return finish.promise
    },
    'GET /quick': async () => 'ok',
  })
  expect((await fetch(`${url}/v1/quick`)).headers.get('connection')).toBe('keep-alive')
  const response = fetch(`${url}/v1/slow`)
  await begun.promise
  const stopping = stop()
  finish.resolve({ statusCode: 200, body: 'done' })
  expect(await (await response).text()).toBe('done')
  await stopping
  await expect(fetch(`${url}/v1/quick`)).rejects.toThrow()
})

test('a query string, which may hold a key, is in no line of the log, whatever fails', async () => {
  const { url, lines } = await start(
    {
      'POST /mcp': () => {
        throw new Error('secret detail')
      },
      'GET /slow': () => new Promise(() => {}),
    },
    30,
  )
  const query = '?key=canary&workspaceId=canary'
  await fetch(`${url}/v1/mcp${query}`, { method: 'POST' })
  await fetch(`${url}/v1/slow${query}`)
  const aborted = httpRequest(`${url}/v1/mcp${query}`, { method: 'POST', headers: { 'content-length': 10 } })
  aborted.on('error', () => {})
  aborted.write('half', () => aborted.destroy())
  await expect.poll(() => lines).toHaveLength(3)
  expect(lines.join()).toContain('POST /v1/mcp was aborted by the client')
  expect(lines.join()).not.toContain('canary')
})

test('a request of a client that has too many waiting gets 429, and its body is not processed', async () => {
  const { lines, log } = memoryLog()
  const refusal = Object.assign(new Error('Too many calls.'), { name: 'TooManyCalls' })
  const { url } = await stopAfterTest(
    startHttpApi({
      port: 0,
      basePath: '/v1',
      routes: [{ signature: 'POST /videos', handler: echo }],
      fallback: echo,
      schedule: async () => Promise.reject(refusal),
      log,
    }),
  )
  const response = await fetch(`${url}/v1/videos`, { method: 'POST', body: 'x'.repeat(1_000_000) })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await response.json()).toEqual({ message: 'Too Many Requests' })
  expect(lines).toEqual([])
})
