/** Runs a tool: asks for confirmation where it must, makes the requests of its routes, and composes the result. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { toErrorResponse } from '../contract/errors.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { openState, sealState } from './request-state.ts'
import { composedResult, refusalResult, resultOf } from './results.ts'
import { type CallRoute, checkArguments, type RouteResponse, routeRequestOf } from './route-request.ts'
import type { ProviderCall, ProviderResult } from './server.ts'
import { pollIntervalMs, taskFields, taskNameOf } from './tasks.ts'
import type { Tool } from './tool.ts'
import { isBusy, isObject, videoIn, workState } from './video-jobs.ts'

export interface ToolDeps {
  callRoute: CallRoute
  /** Signs confirmations. */
  loadSecret: () => Promise<string>
  /** Limits the requests of a workspace that wait at once: `work` waits only where it acquires a permit. */
  withWaitPermit: <Result>(work: (tryAcquire: () => Promise<boolean>) => Promise<Result>) => Promise<Result>
  /** How long the deployment lets a request wait for a job. */
  waitSecondsMax: number
  /** Workspace and key of the caller. */
  caller: string
  requestId: string
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  mintKey: () => string
  /** All tools, by name: a quote is for another one. */
  tools: ReadonlyMap<string, Tool>
}

export type ToolCall = Omit<ProviderCall, 'name' | 'context'> & { tool: Tool }

/** The state that came with a confirmation is not one of this call. */
export class InvalidState extends Error {}

export async function callTool(call: ToolCall, deps: ToolDeps): Promise<ProviderResult> {
  try {
    const composed = composedTools[call.tool.listed.name]
    return composed ? await composed(call.args, call, deps) : await runRoute(call, deps)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refusalResult(toErrorResponse(error, deps.requestId).body)
  }
}

/** Lists default to 50 records, which no model wants to read. */
const listLimit = 10

async function runRoute(call: ToolCall, deps: ToolDeps): Promise<ProviderResult> {
  const { tool, args } = call
  const request = routeRequestOf(tool, args)
  if (tool.request.query.includes('limit')) request.query.limit ??= String(listLimit)
  const confirmation = call.canElicit && needsConfirmation(tool, args) ? await confirm(call, deps) : undefined
  if (confirmation && 'outcome' in confirmation) return confirmation.outcome
  if (tool.request.isIdempotent) request.headers['idempotency-key'] ??= confirmation?.key ?? deps.mintKey()
  if (confirmation?.quote) request.headers.quote ??= confirmation.quote
  const response = await deps.callRoute(request)
  const video = videoIn(response.body.data)
  const jobs = args.render === true && tool.jobs[0] === 'process' ? (['process', 'render'] as const) : tool.jobs
  if (call.canTask && video && jobs.length > 0 && response.status < 400 && workState(video, jobs).status === 'working')
    return { resultType: 'task', ...taskFields(taskNameOf(video, jobs), video) }
  return resultOf(response, request.headers['idempotency-key'])
}

const needsConfirmation = ({ isConfirmed, confirmedWith }: Tool, args: Record<string, unknown>) =>
  isConfirmed || Object.entries(confirmedWith).some(([name, value]) => args[name] === value)

const question = 'confirm'

/** The confirmed call, or the outcome without one: the question to the user, or that nothing was done. */
async function confirm(
  { tool, args, requestState, inputResponses }: ToolCall,
  deps: ToolDeps,
): Promise<{ key: string; quote?: string | undefined } | { outcome: ProviderResult }> {
  const scope = { secret: await deps.loadSecret(), caller: deps.caller, tool: tool.listed.name, args }
  const answer = inputResponses?.[question]
  if (requestState !== undefined) {
    const confirmed = openState(requestState, scope, deps.now())
    if (!confirmed) throw new InvalidState('Invalid or expired requestState')
    if (isConsent(answer)) return confirmed
    if (isObject(answer) && typeof answer.action === 'string') return { outcome: notConfirmed }
  }
  const quote = tool.isCharged ? await quoteOf(tool, args, deps) : undefined
  if (quote && quote.status >= 400) return { outcome: resultOf(quote) }
  const price = isObject(quote?.body.data) ? quote.body.data : undefined
  const key = typeof args.idempotencyKey === 'string' ? args.idempotencyKey : deps.mintKey()
  const quoteId = typeof price?.id === 'string' ? price.id : undefined
  if (price?.credits === 0) return { key, quote: quoteId }
  return {
    outcome: {
      resultType: 'input_required',
      inputRequests: {
        [question]: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: messageOf(tool, args, price),
            requestedSchema: {
              type: 'object',
              properties: { [question]: { type: 'boolean', title: tool.listed.title, default: true } },
              required: [question],
            },
          },
        },
      },
      requestState: sealState({ key, quote: quoteId }, scope, deps.now()),
    },
  }
}

const isConsent = (answer: unknown) =>
  isObject(answer) && answer.action === 'accept' && isObject(answer.content) && answer.content[question] === true

const notConfirmed: CallToolResult = {
  isError: true,
  content: [{ type: 'text', text: 'not-confirmed: The user declined. Nothing was done or charged.' }],
  structuredContent: { error: { code: 'not-confirmed', message: 'The user declined. Nothing was done or charged.' } },
}

function messageOf(
  { listed: { title }, isCharged, warning }: Tool,
  args: Record<string, unknown>,
  price: Record<string, unknown> | undefined,
) {
  const id = args.videoId ?? args.automationId
  // Only names: the arguments may be written to mislead the user.
  const given: unknown[] = Array.isArray(args.platforms) ? args.platforms : []
  const platforms = given.filter((name) => /^[a-z]{1,20}$/.test(String(name)))
  const place = platforms.length > 0 ? ` to ${platforms.join(', ')}` : ''
  const subject = `${id === undefined ? '' : ` ${String(id)}`}${place}`
  const cost = price ? `It costs ${Number(price.credits)} credits.` : isCharged ? 'It costs credits.' : ''
  return [`${title}${subject}?`, cost, warning].filter((part) => part !== '').join(' ')
}

/** The price of a call, for tools that can be quoted. A quote that the caller brings stays the one that counts. */
async function quoteOf(tool: Tool, args: Record<string, unknown>, deps: ToolDeps): Promise<RouteResponse | undefined> {
  const quotes = deps.tools.get('quote_price')
  if (!quotes || !('quote' in tool.listed.inputSchema.properties) || args.quote !== undefined) return undefined
  const { params, body } = routeRequestOf(tool, args)
  const { handler, method, path } = quotes.request
  const action = { action: tool.request.operation, ...params, ...(body !== undefined && { body }) }
  return deps.callRoute({ handler, method, path, params: {}, query: {}, headers: {}, body: action })
}

type ComposedTool = (args: Record<string, unknown>, call: ToolCall, deps: ToolDeps) => Promise<CallToolResult>

/** Tools that are more than one request of their route. */
const composedTools: Record<string, ComposedTool> = {
  quote_price: async (args, { tool }, deps) => {
    checkArguments(tool.listed.inputSchema, args)
    const quoted = typeof args.tool === 'string' ? deps.tools.get(args.tool) : undefined
    const { quote: _, ...given } = isObject(args.arguments) ? args.arguments : {}
    const response = quoted && (await quoteOf(quoted, given, deps))
    if (!response) throw new Refusal('invalid-request', 'arguments.tool must be a tool that has the argument `quote`.')
    return resultOf(response)
  },

  wait_for_video: ({ waitSeconds = waitSecondsMax, ...args }, { tool }, deps) => {
    const request = routeRequestOf(tool, args)
    const seconds = Math.min(Number(waitSeconds) || 0, waitSecondsMax, deps.waitSecondsMax)
    const deadline = deps.now() + seconds * 1_000
    return deps.withWaitPermit(async (tryAcquire) => {
      for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 1.5, pollIntervalMs)) {
        const response = await deps.callRoute(request)
        const video = videoIn(response.body.data)
        const leftMs = deadline - deps.now()
        if (!video || !isBusy(video) || leftMs <= 0 || !(await tryAcquire())) return resultOf(response)
        await deps.sleep(Math.min(pauseMs, leftMs))
      }
    })
  },

  edit_captions: async ({ edits, ...args }, { tool }, deps) => {
    checkArguments(tool.listed.inputSchema, { edits, ...args })
    const video = deps.tools.get('get_video')!
    const read = await deps.callRoute(routeRequestOf(video, { ...args, include: 'captions' }))
    if (read.status >= 400) return resultOf(read)
    const captions = (read.body.data as { captions: CaptionWord[] }).captions
    const changed = editWords(captions, edits)
    const { handler, method, path } = tool.request
    const params = { id: String(args.videoId) }
    const body = { captions: changed.words }
    const written = await deps.callRoute({ handler, method, path, params, query: {}, headers: {}, body })
    if (written.status >= 400) return resultOf(written)
    const stored = (written.body.data as { captions: CaptionWord[] }).captions
    return composedResult({
      data: {
        words: stored.length,
        removed: captions.length - stored.length,
        edited: stored.filter(({ id }) => changed.ids.has(id)),
      },
      ...(written.body.warnings !== undefined && { warnings: written.body.warnings }),
    })
  },
}

/** Below the time limit of the gateway. */
const waitSecondsMax = 20

interface CaptionWord {
  id: string
  startMs: number
  endMs: number
  text: string
  punctuated_word?: string
}

/** @throws Refusal `invalid-request` for an edit of a word that the video does not have. */
function editWords(words: readonly CaptionWord[], edits: unknown): { words: CaptionWord[]; ids: Set<string> } {
  const list = Array.isArray(edits) ? edits.filter(isObject) : []
  if (list.length === 0 || (Array.isArray(edits) && list.length !== edits.length))
    throw new Refusal('invalid-request', 'arguments.edits must be a list of at least one object with the id of a word.')
  const byId = new Map(list.map((edit) => [String(edit.id), edit]))
  const known = new Set(words.map(({ id }) => id))
  const unknown = [...byId.keys()].find((id) => !known.has(id))
  if (unknown !== undefined)
    throw new Refusal('invalid-request', `arguments.edits: the video has no caption word ${unknown.slice(0, 64)}.`)
  const edited = words.flatMap((word): CaptionWord[] => {
    const { id: _, remove, text, ...times } = byId.get(word.id) ?? {}
    if (remove === true) return []
    return [{ ...word, ...(text !== undefined && { text: text as string, punctuated_word: text as string }), ...times }]
  })
  return { words: edited, ids: new Set(byId.keys()) }
}
