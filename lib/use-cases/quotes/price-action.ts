/** Prices a paid action: makes its decision and commits nothing. */
import { parseRequest } from '../../contract/parse-request.ts'
import type { QuotedAction as ActionName } from '../../contract/requests/quotes.ts'
import { type BodyOf, pathParameterNames } from '../../contract/route.ts'
import type { createQuote } from '../../contract/routes/quotes.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import type { QuotedRequest } from '../../domain/workspaces/quote.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import type { ActionPrice, QuotedAction } from './quoted-action.ts'

const generations = () => import('./generations.ts')
const syncJobs = () => import('./sync-jobs.ts')

/** Loaded when they are quoted: a cold start needs the code of one action. */
const actions: Record<ActionName, () => Promise<QuotedAction>> = {
  createVideo: async () => (await generations()).createVideoQuote,
  createAutomation: async () => (await generations()).createAutomationQuote,
  createClip: async () => (await generations()).createClipQuote,
  processVideo: async () => (await generations()).processVideoQuote,
  writeScript: async () => (await generations()).writeScriptQuote,
  describeVideo: async () => (await syncJobs()).describeVideoQuote,
  drawSceneImage: async () => (await syncJobs()).drawSceneImageQuote,
  makePresenter: async () => (await syncJobs()).makePresenterQuote,
  recutPresentation: async () => (await syncJobs()).recutPresentationQuote,
}

/** Throws the refusals of the action, and of its body. `request` is what the quote is for. */
export async function priceAction(
  { action, body = {}, ...given }: BodyOf<typeof createQuote>,
  workspace: Workspace,
  now: string,
): Promise<ActionPrice & { request: QuotedRequest }> {
  const { row, price, loadBodySchema } = await actions[action]()
  const ids = pathParameterNames(row).map((name) => [name, given[name as keyof typeof given]] as const)
  refuseMissing(
    action,
    ids.flatMap(([name, id]) => (id === undefined ? [name] : [])),
  )
  const schema = await loadBodySchema?.()
  const parsed = parseRequest(schema ? { ...row, body: schema } : row, {
    params: Object.fromEntries(ids),
    query: {},
    body: JSON.stringify(body),
  })
  const params = parsed.params as Record<'id' | 'sceneId' | 'brollId', string>
  const priced = await price({ workspace, params, body: parsed.body as undefined, now })
  return { ...priced, request: [row.signature, parsed.params, parsed.body] }
}

function refuseMissing(action: ActionName, names: readonly string[]): void {
  if (names.length === 0) return
  throw new Refusal('invalid-request', `${action} needs ${names.map((name) => `body.${name}`).join(' and ')}.`, {
    details: names.map((name) => ({ path: `body.${name}`, message: `is required for ${action}` })),
  })
}
