// Serves the site of the documents below `/docs`, and its skills below `/.well-known`. The site is made at the first request, in memory; a path
// is looked up in it and never in the file system.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { withLoopbackGuard } from './loopback-guard.ts'

type Files = ReadonlyMap<string, string | Buffer>

const prefix = '/docs/'
const skillPrefix = '/.well-known/agent-skills/'
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.jpg': 'image/jpeg',
}
const headers = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

/** Handles a request for a document; false where the path is not one of the site. */
export function documentServer(
  load: () => Promise<Files>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let files: Promise<Files> | undefined
  const answer = withLoopbackGuard(async (request, response) => {
    const end = (status: number, text: string, more: Record<string, string> = {}) =>
      response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8', ...more }).end(text)
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, 'Only GET.\n', { allow: 'GET, HEAD' })
    const path = pathOf(request)
    if (path === '/docs') return end(308, '', { location: prefix })
    files ??= load()
    const loaded = await files.catch((error: Error) => error)
    if (loaded instanceof Error) return end(500, `The documents could not be made: ${loaded.message}\n`)
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path.slice(1)
    const key = name === '' || name.endsWith('/') ? `${name}index.html` : name
    const content = loaded.get(key)
    if (content === undefined) return end(404, 'No such document. /docs/ is the first page.\n')
    response.writeHead(200, { ...headers, 'content-type': types[extname(key)] ?? 'application/octet-stream' })
    response.end(request.method === 'HEAD' ? undefined : content)
  })
  return (request, response) => {
    const path = pathOf(request)
    if (path !== '/docs' && !path.startsWith(prefix) && !path.startsWith(skillPrefix)) return false
    answer(request, response)
    return true
  }
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?')[0]!
