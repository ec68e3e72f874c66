/** The site of the documents in a real Chromium without a network: every page in a narrow and in a wide frame, then the search. */
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { siteFiles } from '../../scripts/site/files.ts'
import { browser, openPage, serve, skipped } from './chromium.ts'

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript', jpg: 'image/jpeg' }
const noNetwork = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

interface Report {
  /** The URL of everything that a page loaded. */
  loaded: string[]
  /** Pages wider than the window, with its width. */
  overflowing: string[]
  /** The links that the search found. */
  found: string[]
}

/** Opens each page in a frame of the same origin, and reports what it loaded and whether it fits. */
const program = (pages: string[]) => `<!doctype html><link rel="icon" href="data:,"><script type="module">
  const frame = document.createElement('iframe')
  frame.style.height = '900px'
  document.body.append(frame)
  const open = (path) => new Promise((done) => { frame.onload = done; frame.src = '/' + path })
  const loaded = new Set(), overflowing = []
  for (const path of ${JSON.stringify(pages)}) {
    frame.style.width = '360px'
    await open(path)
    const { contentWindow: page, contentDocument: document } = frame
    for (const width of [360, 768, 1440]) {
      frame.style.width = width + 'px'
      if (document.documentElement.scrollWidth > page.innerWidth) overflowing.push(path + ' at ' + width)
    }
    for (const { name } of page.performance.getEntriesByType('resource')) loaded.add(name)
  }
  await open('guides/requests.html')
  const input = frame.contentDocument.querySelector('search input')
  input.value = 'idempotency repeats'
  input.dispatchEvent(new Event('input'))
  const results = () => [...frame.contentDocument.querySelectorAll('.results a')]
  while (results().length === 0) await new Promise((done) => setTimeout(done, 20))
  const found = results().map(({ href }) => href)
  await fetch('/report', { method: 'POST', body: JSON.stringify({ loaded: [...loaded], overflowing, found }) })
</script>`

test.skipIf(!browser)(
  `every page loads only files of the site and fits its window; the search finds${skipped}`,
  async () => {
    const files = siteFiles()
    const pages = [...files.keys()].filter((path) => path.endsWith('.html'))
    const { promise, resolve } = Promise.withResolvers<Report>()
    const missing: string[] = []
    const port = await serve(async (request, response) => {
      const path = request.url!.slice(1)
      if (path === 'report') {
        resolve((await json(request)) as Report)
        return response.end()
      }
      const content = path === '' ? program(pages) : files.get(path)
      if (content === undefined) missing.push(path)
      const type = types[(path.split('.').at(-1) || 'html') as keyof typeof types]
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(content)
    })
    const origin = `http://127.0.0.1:${port}/`
    const { loaded, overflowing, found } = await Promise.race([promise, openPage(origin, [noNetwork])])
    expect(missing).toEqual([])
    expect(loaded.filter((url) => !url.startsWith(origin))).toEqual([])
    expect(loaded).toEqual(expect.arrayContaining([`${origin}site.css`, `${origin}site.js`]))
    expect(overflowing).toEqual([])
    expect(found).toContain(`${origin}guides/requests.html#repeats-idempotency-key`)
  },
)
