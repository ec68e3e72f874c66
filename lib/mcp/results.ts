/**
 * Tool results: the response body of the route as `structuredContent`, and a text that suffices alone, since some clients read only
 * one of them. A refusal is a result with `isError`, which says what to do next.
 */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { ErrorBody } from '../contract/errors.ts'
import type { RouteResponse } from './route-request.ts'
import { pollIntervalMs } from './tasks.ts'
import { isBusy, isObject, videoIn } from './video-jobs.ts'

/** `idempotencyKey` repeats the key of the call, for a retry. */
export function resultOf({ status, headers, body }: RouteResponse, idempotencyKey?: string): CallToolResult {
  if (status >= 400) return refusalResult(body as unknown as ErrorBody, Number(headers['retry-after']) || undefined)
  if (JSON.stringify(body).length > charactersMax) return refusalResult(tooLong)
  const video = videoIn(body.data)
  const structuredContent = {
    ...body,
    ...(video && isBusy(video) && { nextPollMs: pollIntervalMs }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(headers['idempotency-mismatch'] && { note: mismatchNote }),
  }
  // In other records null has a meaning, such as no limit.
  const isLong = video !== undefined || Array.isArray(body.data)
  const text = JSON.stringify(isLong ? withoutEmpty(structuredContent) : structuredContent)
  return { content: [{ type: 'text', text }, ...linksIn(body.data)], structuredContent }
}

/** A result holds the body twice, and a response of Lambda 6 MB. A model reads far less. */
const charactersMax = 500_000

const tooLong: RefusalBody = {
  error: {
    status: 413,
    code: 'payload-too-large',
    message: 'The result is too long: request fewer records, or include fewer timelines.',
  },
}

const mismatchNote =
  'This idempotency key was used before with other arguments: this is the result of that first call. Use a new key for another one.'

/** A result that the tool composed. */
export const composedResult = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

/** The films in a response: the render of a video, or a download link. */
function linksIn(data: unknown): ContentBlock[] {
  const film = (uri: string, title: string, size: number | null | undefined): ContentBlock => ({
    type: 'resource_link',
    uri,
    name: `${
      title
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .slice(0, 80)
        .trim() || 'video'
    }.mp4`,
    mimeType: 'video/mp4',
    ...(size ? { size } : {}),
  })
  const video = videoIn(data)
  if (video?.media?.renderUrl) return [film(video.media.renderUrl, video.title ?? video.id, video.media.bytes)]
  if (isObject(data) && typeof data.url === 'string' && data.contentType === 'video/mp4')
    return [film(data.url, 'video', Number(data.bytes))]
  return []
}

/** Evidence of how a job ran. */
const forMachines = new Set(['quality', 'reuse', 'inputsHash', 'sha256'])

/** Without nulls, empty texts, lists and objects, and evidence: what a model need not read. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const)
  return Object.fromEntries(
    entries.filter(([name, inner]) => name === 'data' || !(isEmpty(inner) || forMachines.has(name))),
  )
}

const isEmpty = (value: unknown) =>
  value === null || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** What a model can do about an action that an error names. */
const adviceOfAction: Record<string, string> = {
  credits: 'Ask the user to buy credits.',
  upgrade: 'Ask the user to upgrade the plan.',
  connect: 'Ask the user to connect the social account again.',
}

const adviceOfCode: Record<string, string> = {
  'invalid-request': 'Correct the named arguments and call again.',
  'not-found': 'Check the id with a list tool.',
  'job-in-progress': 'Wait for the running job with wait_for_video, then call again.',
  'idempotency-in-progress': 'Call again with the same idempotencyKey in a few seconds.',
  'warning-source-not-ready': 'Generate or render the video first, and wait for it.',
  'warning-publish-not-configured': 'Render the video, or set profile and platforms, then call again.',
  'warning-publish-no-accounts': 'See list_profiles for the connected platforms.',
  'warning-publish-duplicate': 'Change the caption, or leave it: it was posted within 24 hours.',
  'wrong-video-type': 'Use a tool for this type of video.',
  'quote-expired': 'Request a new quote with quote_price.',
  'internal-error': 'Call again later; report the request id if it happens again.',
}

/** The body of an error response; a refusal that no route made has no request id. */
type RefusalBody = { error: Omit<ErrorBody['error'], 'requestId'> }

export function refusalResult({ error }: RefusalBody, retryAfterSeconds?: number): CallToolResult {
  const advice =
    adviceOfAction[error.action ?? ''] ??
    (retryAfterSeconds ? `Call again in ${retryAfterSeconds} seconds.` : adviceOfCode[error.code])
  const parts = (error.details ?? []).map(({ path, message }) => `${path} ${message}`)
  const blockers = (error.blockers ?? []).map(({ label }) => label)
  const text = [`${error.code}: ${error.message}`, ...parts.slice(0, 10), ...blockers, ...(advice ? [advice] : [])]
  return {
    isError: true,
    content: [{ type: 'text', text: [...new Set(text)].join('\n') }],
    structuredContent: {
      error: { ...error, ...(advice && { advice }), ...(retryAfterSeconds && { retryAfterSeconds }) },
    },
  }
}

/** The result of work that failed after its request was accepted. */
export const failedResult = (result: CallToolResult, message: string): CallToolResult => ({
  ...result,
  isError: true,
  content: [{ type: 'text', text: message }, ...result.content],
})
