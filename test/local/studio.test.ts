/** How the local run serves the studio: pages, files, headers, and what stays an answer of the API. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { startHttpApi } from '../../local/emulators/api-gateway/http-api.ts'
import { studioServer } from '../../local/studio.ts'
import { buildStudio } from '../../scripts/studio.ts'
import { memoryLog, stopAfterTest } from './support/fixtures.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
let files: Map<string, Uint8Array>
beforeAll(async () => {
  files = await buildStudio()
})

const start = (load = async () => files) =>
  stopAfterTest(
    startHttpApi({
      ...{ port: 0, basePath: '/v1', routes: [], log: memoryLog().log },
      fallback: async () => ({ statusCode: 404, body: 'of the gateway' }),
      pages: studioServer(load, 'http://127.0.0.1:9000/media'),
    }),
  )

async function get(url: string, path: string, headers: Record<string, string> = browser, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: Record<string, unknown>
    body: string
  }>()
  const { hostname, port } = new URL(url)
  request({ hostname, port, path, headers, method }, async (response) =>
    resolve({ status: response.statusCode!, headers: response.headers, body: await text(response) }),
  )
    .on('error', reject)
    .end()
  return promise
}

test.each(['/', '/videos/vid_1?x=/v1', '/webhooks', '/v10'])('200: %s is the page, never cached', async (path) => {
  const { url } = await start()
  const { status, headers, body } = await get(url, path)
  expect({ status, body }).toEqual({ status: 200, body: Buffer.from(files.get('index.html')!).toString() })
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
})

test('200: every file that the page names, cached for good', async () => {
  const { url } = await start()
  const names = [
    ...Buffer.from(files.get('index.html')!)
      .toString()
      .matchAll(/(?:src|href)="(\/[^"]+)"/g),
  ]
  expect(names.length).toBeGreaterThan(1)
  for (const [, name] of names) {
    const { status, headers } = await get(url, name!, {})
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

test('the policy allows files of the origin and media, and no inline code, frame or other origin', async () => {
  const { url } = await start()
  const { headers } = await get(url, '/')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:9000;")
  expect(policy).not.toContain('unsafe-inline')
})

test.each([
  ['/v1/nope', browser],
  ['/v1', browser],
  ['/videos', { accept: '*/*' }],
  ['/', {}],
])('%s of a client is answered by the API', async (path, headers) => {
  const { url } = await start()
  expect(await get(url, path, headers)).toMatchObject({ status: 404, body: 'of the gateway' })
})

test.each(['/assets/../package.json', '/assets/%2e%2e/index.html', '/assets/__proto__', '/assets/'])(
  '404: %s names no file of the studio',
  async (path) => {
    const { url } = await start()
    expect(await get(url, path)).toMatchObject({ status: 404 })
  },
)

test('403: a page of another site reads nothing', async () => {
  const { url } = await start()
  const { status } = await get(url, '/', { ...browser, origin: 'http://evil.example' })
  expect(status).toBe(403)
})

test('500: a build that fails names its reason', async () => {
  const { url } = await start(() => Promise.reject(new Error('no such module')))
  expect(await get(url, '/')).toMatchObject({ status: 500, body: 'The studio could not be built: no such module\n' })
})
