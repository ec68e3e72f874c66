// Serves the studio: its page at `/` and every address that a browser navigates to, its files below `/assets`. The files are built at the
// first request, in memory; a path is looked up in them and never in the file system.

import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import {
  immutableCacheControl,
  immutableFolder,
  pageCacheControl,
  studioHeaders,
  studioPolicy,
} from '../lib/infra/studio-headers.ts'
import { withLoopbackGuard } from './loopback-guard.ts'

type Files = ReadonlyMap<string, Uint8Array>

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/**
 * Handles a request for the studio; false where it is not one. `storageUrl`: where media are read and uploaded.
 * `assets`: paths of further files by their path below the root.
 */
export function studioServer(
  load: () => Promise<Files>,
  storageUrl: string,
  assets: () => Promise<ReadonlyMap<string, string>> = async () => new Map(),
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let files: Promise<Files> | undefined
  let known: Promise<ReadonlyMap<string, string>> | undefined
  const headers = { ...studioHeaders, 'content-security-policy': studioPolicy([new URL(storageUrl).origin]) }
  const answer = withLoopbackGuard(async (request, response) => {
    files ??= load()
    const loaded = await files.catch((error: Error) => error)
    const end = (status: number, text: string) =>
      response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(text)
    if (loaded instanceof Error) return end(500, `The studio could not be built: ${loaded.message}\n`)
    const path = pathOf(request).slice(1)
    const isFile = path.startsWith(immutableFolder)
    if (isFile && !loaded.has(path)) known ??= assets()
    const asset = isFile ? (await known)?.get(path) : undefined
    const content = asset ? readFileSync(asset) : loaded.get(isFile ? path : 'index.html')
    if (content === undefined) return end(404, 'No such file. / is the first page.\n')
    response.writeHead(200, {
      ...headers,
      'content-type': types[extname(isFile ? path : 'index.html')] ?? 'application/octet-stream',
      'cache-control': isFile ? immutableCacheControl : pageCacheControl,
    })
    response.end(request.method === 'HEAD' ? undefined : content)
  })
  return (request, response) => {
    if (!isFileRequest(request) && !isNavigation(request)) return false
    answer(request, response)
    return true
  }
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?')[0]!

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

const isFileRequest = (request: IncomingMessage) => isRead(request) && pathOf(request).startsWith(`/${immutableFolder}`)

/** Browsers ask for HTML when they open an address; clients of the API do not, and get its JSON errors. */
const isNavigation = (request: IncomingMessage) =>
  isRead(request) && !/^\/v1(\/|$)/.test(pathOf(request)) && /\btext\/html\b/.test(request.headers.accept ?? '')
