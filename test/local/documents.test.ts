/** The documents that the local run serves below `/docs`. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { documentServer } from '../../local/documents.ts'
import { startHttpApi } from '../../local/emulators/api-gateway/http-api.ts'
import { memoryLog, stopAfterTest } from './support/fixtures.ts'

const site = new Map([
  ['index.html', 'first'],
  ['guides/a.md', '# A'],
  ['.well-known/agent-skills/index.json', '{}'],
])

const start = (load = async () => site) =>
  stopAfterTest(
    startHttpApi({
      ...{ port: 0, basePath: '/v1', routes: [], log: memoryLog().log },
      fallback: async () => ({ statusCode: 404, body: 'of the gateway' }),
      pages: documentServer(load),
    }),
  )

/** `fetch` resolves dots in a path, and allows no Host. */
async function get(url: string, path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; type?: string; body: string }>()
  const { hostname, port } = new URL(url)
  request({ hostname, port, path, ...options }, async (response) => {
    const type = response.headers['content-type']
    resolve({ status: response.statusCode!, ...(type && { type }), body: await text(response) })
  })
    .on('error', reject)
    .end()
  return promise
}

test('200: pages of the site, made once', async () => {
  let count = 0
  const { url } = await start(async () => {
    count++
    return site
  })
  expect(await get(url, '/docs/')).toEqual({ status: 200, type: 'text/html; charset=utf-8', body: 'first' })
  expect(await get(url, '/docs/guides/a.md?x')).toMatchObject({ type: 'text/markdown; charset=utf-8', body: '# A' })
  expect(await get(url, '/.well-known/agent-skills/index.json')).toMatchObject({ status: 200, body: '{}' })
  expect(await get(url, '/docs/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  expect(await get(url, '/docs')).toMatchObject({ status: 308 })
  expect(count).toBe(1)
})

test.each([
  '/docs/../package.json',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/package.json',
  '/docs//etc/passwd',
  '/docs/..\\package.json',
  '/docs/__proto__',
  '/.well-known/agent-skills/../../package.json',
  '/docs/guides',
])('404: %s names no file of the site', async (path) => {
  const { url } = await start()
  expect(await get(url, path)).toMatchObject({ status: 404, body: expect.not.stringContaining('gateway') })
})

test('other paths are of the gateway', async () => {
  const { url } = await start()
  for (const path of ['/docsx', '/v1/docs', '/.well-known/other', '/'])
    expect(await get(url, path)).toMatchObject({ status: 404, body: 'of the gateway' })
})

test('405: the documents are read only', async () => {
  const { url } = await start()
  expect((await get(url, '/docs/', { method: 'POST' })).status).toBe(405)
})

test('403: pages of other origins get nothing, like from every service of the local run', async () => {
  const { url } = await start()
  const strangers: Record<string, string>[] = [
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ]
  for (const headers of strangers) expect((await get(url, '/docs/', { headers })).status).toBe(403)
})

test('500: a site that cannot be made does not stop the service', async () => {
  const { url } = await start(() => Promise.reject(new Error('no package')))
  expect(await get(url, '/docs/')).toMatchObject({ status: 500, body: expect.stringContaining('no package') })
})

test('the service has them', async () => {
  const page = await fetch(new URL('/docs/', inject('baseUrl')))
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(await page.text()).toContain('<h1 id="reelsmith">')
})
