/** A headless Chromium with a page that holds the preview of the studio, and the files that it downloads. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { assetFiles } from '../../studio/preview/asset-files.ts'
import { chromiumMissing, chromiumPath } from '../support/chromium-path.ts'

export { chromiumPath }

/** The end of the title of a test: why it is skipped. */
export const skipped = chromiumPath ? '' : ` (${chromiumMissing})`

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.wav': 'audio/wav',
}

export const launchChromium = (...switches: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath!,
    // Chromium refuses its own sandbox to root.
    args: [...switches, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

export interface PreviewPage {
  page: Page
  /** URL of a file of `media`. */
  mediaUrl(name: string): string
  close(): Promise<void>
}

/** `media`: paths by name. */
export async function openPreviewPage(media: ReadonlyMap<string, string>): Promise<PreviewPage> {
  const root = join(import.meta.dirname, '../..')
  const { outputFiles } = await build({
    entryPoints: {
      page: join(root, 'test/studio/preview-page.ts'),
      worker: join(root, 'studio/preview/worker.ts'),
      sound: join(root, 'studio/preview/sound-worker.ts'),
    },
    ...{ bundle: true, format: 'esm', platform: 'browser', write: false, outdir: '/', logLevel: 'silent' },
  })
  const assets = assetFiles()
  const contentOf = (path: string): Uint8Array | string | undefined => {
    const [, folder, ...rest] = path.split('/')
    const name = rest.join('/')
    if (path === '/') return '<!doctype html><script type="module" src="/program/page.js"></script><canvas></canvas>'
    if (folder === 'program') return outputFiles.find((file) => file.path === `/${name}`)?.contents
    const file = folder === 'assets' ? assets.get(name) : media.get(name)
    return file && readFileSync(file)
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname
    const content = contentOf(path)
    response.setHeader('content-type', types[extname(path)] ?? 'text/html')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (content === undefined) response.writeHead(404).end()
    else if (from === undefined) response.end(content)
    else if (Number(from) >= content.length) response.writeHead(416).end()
    else response.writeHead(206).end(content.slice(Number(from), Number(to) + 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await launchChromium('--autoplay-policy=no-user-gesture-required')
  const page = await browser.newPage()
  await page.goto(origin)
  await page.waitForFunction('"drawFrames" in globalThis')
  return {
    page,
    mediaUrl: (name) => `${origin}/media/${name}`,
    close: async () => {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
