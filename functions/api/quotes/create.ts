/** Quotes a paid action: makes its decision and commits nothing. */
import { parseRequest } from '../../../lib/contract/parse-request.ts'
import type { QuotedAction as ActionName } from '../../../lib/contract/requests/quotes.ts'
import { pathParameterNames } from '../../../lib/contract/route.ts'
import * as routes from '../../../lib/contract/routes/quotes.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import { vendorUsd } from '../../../lib/domain/generation/vendor-prices.ts'
import { createQuote } from '../../../lib/domain/workspaces/quote.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { chosenProviders } from '../../../lib/providers/choose/provider-choice.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import type { QuotedAction } from '../../../lib/use-cases/quotes/quoted-action.ts'

const generations = () => import('../../../lib/use-cases/quotes/generations.ts')
const syncJobs = () => import('../../../lib/use-cases/quotes/sync-jobs.ts')

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

export const handler = endpoint(routes.createQuote, async ({ body, workspaceId, now }) => {
  const { action, body: quotedBody = {}, ...given } = body
  const { row, price, loadBodySchema } = await actions[action]()
  const ids = pathParameterNames(row).map((name) => [name, given[name as keyof typeof given]] as const)
  refuseMissing(
    action,
    ids.flatMap(([name, id]) => (id === undefined ? [name] : [])),
  )
  const schema = await loadBodySchema?.()
  const request = parseRequest(schema ? { ...row, body: schema } : row, {
    params: Object.fromEntries(ids),
    query: {},
    body: JSON.stringify(quotedBody),
  })
  const workspace = await getWorkspace(workspaceId)
  const params = request.params as Record<'id' | 'sceneId' | 'brollId', string>
  const { work, seconds, ...cost } = await price({ workspace, params, body: request.body as undefined, now })
  const quote = createQuote(workspace.mediaSecret, [row.signature, request.params, request.body], cost, now)
  return { ...quote, action, ...cost, seconds, vendorUsd: vendorUsd(chosenProviders(), work) }
})

function refuseMissing(action: ActionName, names: readonly string[]): void {
  if (names.length === 0) return
  throw new Refusal('invalid-request', `${action} needs ${names.map((name) => `body.${name}`).join(' and ')}.`, {
    details: names.map((name) => ({ path: `body.${name}`, message: `is required for ${action}` })),
  })
}
