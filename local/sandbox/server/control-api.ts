// The control API of the sandbox: published posts, request log, fault plan, clock, and the pages of the feed and of each post with their media.

import { createReadStream, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import * as v from 'valibot'
import { platforms } from '../../../lib/domain/core/platform.ts'
import { faultSchema } from './fault-plan.ts'
import { feedPage, postPage } from './feed-page.ts'
import type { Sandbox } from './sandbox.ts'

const clockWish = v.strictObject({ advanceSeconds: v.pipe(v.number(), v.minValue(0)) })
const accountWish = v.strictObject({
  platform: v.picklist(platforms.map(({ id }) => id)),
  externalId: v.string(),
  username: v.string(),
})

type Control = (sandbox: Sandbox, request: IncomingMessage, url: URL) => object | Promise<object>

const controls: Record<string, Control> = {
  'GET /__sandbox/posts': ({ publishedPosts }, _request, { searchParams }) => ({
    posts: publishedPosts.list({
      account: searchParams.get('account') ?? '',
      platform: searchParams.get('platform') ?? '',
    }),
  }),
  'GET /__sandbox/journal': ({ requestLog }) => ({ entries: requestLog.list() }),
  'POST /__sandbox/faults': async ({ faults }, request) => {
    const fault = v.parse(faultSchema, await json(request))
    faults.plan(fault)
    return fault
  },
  'POST /__sandbox/clock': async ({ clock }, request) => {
    clock.advance(v.parse(clockWish, await json(request)).advanceSeconds * 1000)
    return { now: new Date(clock.now()).toISOString() }
  },
  'POST /__sandbox/accounts': async (sandbox, request) => {
    const { platform, ...user } = v.parse(accountWish, await json(request))
    return sandbox.connect(platform, user)
  },
}

/** Whether the path belongs to the control API. */
export async function handleControl(sandbox: Sandbox, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (request.method === 'GET' && url.pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(feedPage(sandbox))
    return true
  }
  const [, platform, id] = /^\/posts\/([a-z]+)\/([^/]+)$/.exec(url.pathname) ?? []
  const page = request.method === 'GET' && platform && id && postPage(sandbox, platform, decoded(id))
  if (page) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    return true
  }
  const [, sha256, kind] = /^\/__sandbox\/media\/([0-9a-f]{64})\.(mp4|jpg)$/.exec(url.pathname) ?? []
  if (sha256 && kind === 'mp4') return sendFilm(sandbox.media.pathOf(sha256), request, response)
  if (sha256) return sendPoster(await sandbox.media.posterOf(sha256), response)
  const control = controls[`${request.method} ${url.pathname}`]
  if (!control) return false
  const [status, body] = await answerOf(control, sandbox, request, url)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  return true
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

async function answerOf(
  control: Control,
  sandbox: Sandbox,
  request: IncomingMessage,
  url: URL,
): Promise<[number, object]> {
  try {
    return [200, await control(sandbox, request, url)]
  } catch (error) {
    if (error instanceof v.ValiError || error instanceof SyntaxError) return [400, { message: error.message }]
    throw error
  }
}

function sendPoster(path: string | undefined, response: ServerResponse): boolean {
  if (!path) return false
  response.writeHead(200, { 'content-type': 'image/jpeg', 'cache-control': 'max-age=31536000, immutable' })
  createReadStream(path).pipe(response)
  return true
}

/** Supports ranges (RFC 9110, section 14), which browsers require to play video. */
function sendFilm(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return false
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const from = Number(range?.[1] ?? 0)
  const to = Math.min(size - 1, Number(range?.[2] || size - 1))
  const headers = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes', 'content-length': to - from + 1 }
  if (range) response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${to}/${size}` })
  else response.writeHead(200, headers)
  createReadStream(path, { start: from, end: to }).pipe(response)
  return true
}
