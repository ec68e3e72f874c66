/**
 * The client of the Reelsmith API: one function per row of the generated table, with retries, idempotency keys and paging.
 * Runs in Node, browsers and workers; imports nothing but the table. Types: `index.d.ts`.
 */
import { operations } from './table.js'

/** @import { ClientOptions, ApiErrorBody } from './index.d.ts' */
/** @typedef {{ id: import('./index.d.ts').OperationId, method: string, path: string, input?: string, idempotent?: boolean, paged?: true | 'cursor' }} Row */
/** @typedef {{ headers?: Record<string, string>, signal?: AbortSignal, idempotencyKey?: string, ifMatch?: string, quote?: string, waitSeconds?: number }} Options */
/** @typedef {{ data: any, paging?: { total: number, nextAfter: number, lastSequence: number }, warnings?: { path: string, message: string }[] }} Body */
/** @typedef {{ body: Body, status: number, headers: Headers }} Answer */
/** @typedef {(row: Row, values: any[]) => Promise<Answer>} Send */

/** Above the 30 s of the API's gateway. */
const attemptMsMax = 35_000
const backoffMsMax = 8_000
/** A longer `Retry-After` is reported to the caller instead of waited for. */
const retryAfterMsMax = 60_000

/** Every failure of a call: a refusal, a response that is not from the API, no response, or the end of `waitFor`. */
export class ReelsmithError extends Error {
  /** @override */
  name = 'ReelsmithError'

  /** @param {ApiErrorBody} problem @param {{ retryAfterMs?: number | undefined, cause?: unknown, video?: unknown }} [more] */
  constructor({ message, ...problem }, { cause, ...more } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, problem, more)
  }
}

/** @param {ClientOptions} [options] */
export function createClient(options = {}) {
  const env = /** @type {any} */ (globalThis).process?.env ?? {}
  const { baseUrl = env.REELSMITH_BASE_URL, apiKey = env.REELSMITH_API_KEY, sleep = pause } = options
  if (!baseUrl || !apiKey)
    throw new TypeError('createClient needs baseUrl and apiKey, or REELSMITH_BASE_URL and REELSMITH_API_KEY.')
  const send = createSender({ ...options, baseUrl, apiKey, sleep })
  /** @type {Record<string, any>} */
  const client = {}
  for (const [group, rows] of Object.entries(operations)) {
    /** @type {Record<string, unknown>} */
    const methods = {}
    for (const [verb, row] of Object.entries(/** @type {Record<string, Row>} */ (rows)))
      methods[verb] = (/** @type {any[]} */ ...values) => call(send, row, values)
    client[group] = methods
  }
  client.waitFor = createWaitFor(client, sleep)
  return client
}

/** The promise of the result, with the ways to get more than that. @param {Send} send @param {Row} row @param {any[]} values */
function call(send, row, values) {
  const answer = send(row, values)
  const result = answer.then(({ body }) => (row.paged ? body : body.data))
  return Object.assign(result, {
    async withResponse() {
      // The failure is thrown here: it is not unhandled.
      result.catch(() => {})
      const { body, status, headers } = await answer
      return {
        data: row.paged ? body : body.data,
        warnings: body.warnings ?? [],
        status,
        requestId: headers.get('x-request-id') ?? '',
        isReplayed: headers.get('idempotent-replayed') === 'true',
        etag: headers.get('etag'),
        headers,
      }
    },
    ...(row.paged && { [Symbol.asyncIterator]: () => itemsOf(send, row, values, result) }),
  })
}

/**
 * A list may grow while it is read: records that move to a later page are yielded once.
 * @param {Send} send @param {Row} row @param {any[]} values @param {Promise<Body>} first
 */
async function* itemsOf(send, row, values, first) {
  const position = parameterNames(row).length
  const query = values[position] ?? {}
  const seen = new Set()
  let offset = Number(query.offset ?? 0)
  for (let page = await first; ; ) {
    for (const item of page.data) {
      if (seen.has(item.id)) continue
      seen.add(item.id)
      yield item
    }
    const { total = 0, nextAfter = 0, lastSequence = 0 } = page.paging ?? {}
    offset += page.data.length
    const isLog = row.paged === 'cursor'
    if (isLog ? nextAfter >= lastSequence : page.data.length === 0 || offset >= total) return
    const next = isLog ? { after: nextAfter } : { offset }
    page = (await send(row, values.toSpliced(position, 1, { ...query, ...next }))).body
  }
}

/** @param {Row} row */
const parameterNames = ({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

/** @param {Record<string, any>} client @param {NonNullable<ClientOptions['sleep']>} sleep */
function createWaitFor(client, sleep) {
  return async (
    /** @type {string | { id: string }} */ video,
    /** @type {Record<string, any>} */ { until = 'ready', timeoutMs = 600_000, signal, ...bounds } = {},
  ) => {
    const id = typeof video === 'string' ? video : video.id
    const { minIntervalMs = 500, maxIntervalMs = 10_000 } = bounds
    const deadline = Date.now() + timeoutMs
    for (let intervalMs = minIntervalMs; ; intervalMs = Math.min(intervalMs * 1.5, maxIntervalMs)) {
      const video = await client.videos.get(id, {}, { signal })
      if (typeof until === 'function' ? until(video) : video.status === until) return video
      const problem = { status: 0, requestId: '' }
      const reason = (video.process?.error ?? video.render?.error)?.message
      if (video.status === 'failed')
        throw new ReelsmithError(
          { ...problem, code: 'video-failed', message: `Video ${id} failed: ${reason}` },
          { video },
        )
      const remainingMs = deadline - Date.now()
      const message = `Video ${id} did not reach the wanted state in ${timeoutMs} ms.`
      if (remainingMs <= 0) throw new ReelsmithError({ ...problem, code: 'timeout', message }, { video })
      await sleep(Math.min(intervalMs, remainingMs), signal)
    }
  }
}

/**
 * Sends a call; retries transient failures with one idempotency key.
 * @param {ClientOptions & { baseUrl: string, sleep: NonNullable<ClientOptions['sleep']> }} options
 * @returns {Send}
 */
function createSender({ baseUrl, apiKey, workspaceId, attemptsMax = 5, sleep, onWarning, ...options }) {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const fetchResponse = options.fetch ?? ((/** @type {Parameters<typeof fetch>} */ ...request) => fetch(...request))
  return async (row, values) => {
    const names = parameterNames(row)
    const [input, { signal, ...given }] = /** @type {[any, Options]} */ (
      row.input ? [values[names.length], values[names.length + 1] ?? {}] : [undefined, values[names.length] ?? {}]
    )
    const url = base + fillPath(row.path, names, values) + (row.input === 'query' ? queryString(input) : '')
    const body = row.input === 'body' && input !== undefined ? JSON.stringify(input) : undefined
    const key = row.idempotent ? (given.idempotencyKey ?? crypto.randomUUID()) : undefined
    const request = {
      method: row.method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(workspaceId && { 'X-Service-Workspace': workspaceId }),
        ...(key && { 'Idempotency-Key': key }),
        ...(given.ifMatch !== undefined && { 'If-Match': given.ifMatch }),
        ...(given.quote && { Quote: given.quote }),
        ...(given.waitSeconds !== undefined && { Prefer: `wait=${given.waitSeconds}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...given.headers,
      },
      ...(body !== undefined && { body }),
    }
    const isIdempotent = row.method === 'GET' || key !== undefined
    for (let attempt = 1; ; attempt++) {
      const signals = [AbortSignal.timeout(attemptMsMax), ...(signal ? [signal] : [])]
      try {
        const answer = await parseResponse(await fetchResponse(url, { ...request, signal: AbortSignal.any(signals) }))
        for (const warning of answer.body.warnings ?? []) onWarning?.(warning, row.id)
        return answer
      } catch (failure) {
        signal?.throwIfAborted()
        const error = failure instanceof ReelsmithError ? failure : networkError(failure, base)
        const pauseMs = attempt < attemptsMax ? retryDelay(error, attempt, isIdempotent) : undefined
        if (pauseMs === undefined) throw error
        await sleep(pauseMs, signal)
      }
    }
  }
}

/** Milliseconds until the next attempt; undefined where the failure is permanent. @param {any} error @param {number} attempt @param {boolean} isIdempotent */
function retryDelay({ status, code, retryAfterMs }, attempt, isIdempotent) {
  // Full jitter: clients that failed together do not return together.
  const backoffMs = Math.random() * Math.min(250 * 2 ** attempt, backoffMsMax)
  if (retryAfterMs > retryAfterMsMax) return undefined
  const isRetryRequested = status === 429 || code === 'idempotency-in-progress' || (status === 503 && retryAfterMs)
  // Without a response, or with a 5xx, the request may have had its effect: only an idempotent one is retried.
  const isTransient = isIdempotent && (code === 'network-error' || [500, 502, 503, 504].includes(status))
  return isRetryRequested || isTransient ? Math.max(retryAfterMs ?? 0, backoffMs) : undefined
}

/** @param {unknown} cause @param {string} base */
function networkError(cause, base) {
  const message = `${base} did not respond: ${/** @type {Error} */ (cause)?.message}`
  return new ReelsmithError({ status: 0, code: 'network-error', message, requestId: '' }, { cause })
}

/** @param {Response} response @returns {Promise<Answer>} */
async function parseResponse(response) {
  const body = parseJson(await response.text())
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? ''
  if (headers.get('idempotency-mismatch') === 'true') {
    const message = 'This idempotency key was used before with another body. Use a new key for another request.'
    throw new ReelsmithError({ status, code: 'idempotency-mismatch', message, requestId })
  }
  if (response.ok && body?.data !== undefined) return { body, status, headers }
  const message = `The response with status ${status} is not from the Reelsmith API.`
  const retryAfterMs = 1_000 * Number.parseInt(headers.get('retry-after') ?? '', 10)
  throw new ReelsmithError(body?.error?.code ? body.error : { status, code: 'unreadable-answer', message, requestId }, {
    retryAfterMs: retryAfterMs || undefined,
  })
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fills the parameters of a path. An empty id, `.` or `..` would change the path. @param {string} path @param {(string | undefined)[]} names @param {any[]} values */
function fillPath(path, names, values) {
  return names.reduce((/** @type {string} */ filled, name, index) => {
    const value = values[index]
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${JSON.stringify(value)} is not a valid ${name} for ${path}.`)
    return filled.replace(`{${name}}`, () => encodeURIComponent(value))
  }, path)
}

/** Flags that are false are left out. @param {Record<string, unknown>} [query] */
function queryString(query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== false)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length > 0 ? `?${text}` : ''
}

/** @type {NonNullable<ClientOptions['sleep']>} */
const pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal?.addEventListener('abort', finish)
  })
