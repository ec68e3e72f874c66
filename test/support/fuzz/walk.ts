/**
 * A seeded walk over all operations: values, identities, ids and order are drawn at random, and each answer is held to
 * the properties below. The same seed sends the same requests, so that a finding can be repeated.
 */
import { isDeepStrictEqual } from 'node:util'
import { inject } from 'vitest'
import { authenticatedRoutes, openApiDocument } from '../../../lib/contract/openapi/document.ts'
import { mintApiKey } from '../../../lib/domain/workspaces/api-key.ts'
import type { PlanId } from '../../../lib/domain/workspaces/plan.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { creditLedgerOf } from '../credit-ledger.ts'
import { readyAutomation } from '../given/automations.ts'
import { given } from '../given/videos.ts'
import { givenDelivery, givenWebhook } from '../given/webhooks.ts'
import { openApiViolation } from '../openapi-validation.ts'
import { seededRandom } from '../seeded-random.ts'
import { readErrorLines } from '../setup/error-lines.ts'
import { type ApiResponse, callApi, newWorld, type World } from '../world.ts'
import { type JsonSchema, type Manner, pick, type Random, valueFor } from './json-schema-values.ts'

export interface WalkOptions {
  seed: number
  calls: number
  /** A plan with request limits makes 429 a usual answer. */
  planId?: PlanId
  /** Called after every round. */
  onRound?: (calls: number, findings: readonly Finding[]) => void
}

export interface Finding {
  what: string
  /** The requests that led to it, as curl would send them, the failing one last. */
  requests: string[]
}

interface Call {
  method: string
  /** As the document has it, with `{id}`. */
  route: string
  path: string
  headers: Record<string, string>
  body: unknown
  identity: 'own' | 'organization' | 'other' | 'stranger'
}

interface Step extends Call {
  answer: ApiResponse
}

/** What holds for each answer; the text says what does not. */
const properties: Record<string, (step: Step) => string | undefined> = {
  'is documented': ({ method, route, answer }) => openApiViolation(method, route, answer),
  // The service of the tests dispatches no jobs: a request that waits for one gets 503 with Retry-After.
  'is no fault': ({ answer: { status, headers, body } }) =>
    status < 500 || (status === 503 && body?.error?.code === 'unavailable' && headers.has('retry-after'))
      ? undefined
      : `is ${status}`,
  'is logged as no error': ({ answer: { headers } }) => {
    const requestId = headers.get('x-request-id')
    const line = readErrorLines(inject('errorLines')).find((text) => requestId && text.includes(requestId))
    return line && `is logged as ${line.slice(0, 1_000)}`
  },
  'refuses strangers': ({ identity, answer }) =>
    identity === 'stranger' && answer.status !== 401 ? `is ${answer.status} for a stranger` : undefined,
  'hides records of other workspaces': ({ identity, route, answer }) =>
    identity === 'other' && route.includes('{') && answer.status < 300
      ? 'shows a record of another workspace'
      : undefined,
  'names its request': ({ answer }) => {
    const id = answer.body?.error?.requestId
    return id !== undefined && id !== answer.headers.get('x-request-id') ? 'has two request ids' : undefined
  },
  'says when to come again': ({ answer }) =>
    answer.status === 429 && answer.body?.error?.code === 'rate-limited' && !answer.headers.has('retry-after')
      ? 'has no Retry-After'
      : undefined,
}

/** Records of the walk are dropped for new ones after so many calls: lists and costs stay small. */
const roundLength = 400
/** Of the calls that must change nothing, one in so many is compared. */
const purityOneIn = 8

interface Operation {
  parameters?: { name?: string; in?: string; schema?: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}
const { paths } = openApiDocument() as never as { paths: Record<string, Record<string, Operation>> }
const operationOf = (method: string, path: string) => paths[path]![method.toLowerCase()]!

/** The pool of ids by the segment before them: `videos/{id}`. */
type Ids = Record<string, string[]>

interface Round {
  own: World
  other: World
  organization: World
  ids: Ids
}

async function newRound(planId: PlanId): Promise<Round> {
  const organization = await newWorld({ planId })
  const own = await newWorld({ planId, organizationId: organization.workspaceId })
  const other = await newWorld({ planId })
  const [talking, ai, slides, rendered] = await Promise.all([
    given.generatedVideo(own),
    given.generatedVideo(own, { type: 'ai', scenes: [] }),
    given.generatedVideo(own, { subType: 'presentation' }),
    given.renderedVideo(own),
  ])
  const profile = await addProfile(own.workspaceId, { name: 'Test' })
  const [automation, webhook] = await Promise.all([readyAutomation(own), givenWebhook(own)])
  const delivery = await givenDelivery(own, webhook.id)
  const videos = [talking, ai, slides, rendered].map(({ id }) => id)
  const ids = {
    'videos/{id}': videos,
    'profiles/{id}': [profile.id],
    'automations/{id}': [automation.id],
    'webhooks/{id}': [webhook.id],
    'deliveries/{id}': [delivery.id],
  }
  return { own, other, organization, ids }
}

/** Ids that answers of lists and of creations name. */
const idsIn = (data: unknown): string[] =>
  [data]
    .flat()
    .flatMap((record) => ((record as { id?: unknown } | null)?.id ? [String((record as { id: string }).id)] : []))

function learnIds({ ids, own }: Round, { method, route, identity, answer }: Step): void {
  if (answer.status >= 300 || identity === 'other') return
  const place = `${route.split('/').at(-1)}/{${route.endsWith('brolls') ? 'brollId' : route.endsWith('scenes') ? 'sceneId' : 'id'}}`
  const added = method === 'DELETE' || route.endsWith('}') ? [] : idsIn(answer.body?.data)
  // Without the key of the walk: once it is revoked, every later answer is a 401.
  ids[place] = [...new Set([...(ids[place] ?? []), ...added])].filter((id) => id !== own.keyId).slice(-8)
}

function pathFor(route: string, ids: Ids, random: Random): string {
  return route.replace(/(\w+)\/\{(\w+)\}/g, (place, segment: string) => {
    const known = ids[place] ?? []
    const id =
      random(12) === 0 || known.length === 0
        ? pick(random, ['vid_none', 'x', 'é', 'a'.repeat(65)])
        : pick(random, known)
    return `${segment}/${encodeURIComponent(id)}`
  })
}

const mannerOf = (random: Random): Manner => pick(random, ['valid', 'valid', 'valid', 'limit', 'wrong'])

function queryFor({ parameters = [] }: Operation, random: Random): string {
  const query = new URLSearchParams()
  for (const { name, in: where, schema } of parameters)
    if (where === 'query' && name && schema && random(3) === 0)
      query.set(name, String(valueFor(schema, mannerOf(random), random)))
  const text = query.toString()
  return text && `?${text}`
}

function headersFor(identity: Call['identity'], { own, other, organization }: Round, random: Random) {
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
  const byIdentity = {
    own: () => bearer(own.apiKey),
    other: () => bearer(other.apiKey),
    organization: () => ({ ...bearer(organization.apiKey), 'X-Service-Workspace': own.workspaceId }),
    stranger: () =>
      pick<Record<string, string>>(random, [
        {},
        bearer('rs_live_x'),
        bearer(mintApiKey()),
        { ...bearer(other.apiKey), 'X-Service-Workspace': own.workspaceId },
      ]),
  }
  const repeated = random(10) === 0 ? { 'Idempotency-Key': `key-${random(6)}` } : {}
  return { ...byIdentity[identity](), ...repeated }
}

function bodyFor({ requestBody }: Operation, example: unknown, random: Random): unknown {
  if (!requestBody) return undefined
  if (random(40) === 0) return pick(random, ['{', '[]', 'null', '--x', '{"a":1}'])
  if (example !== undefined && random(4) === 0) return example
  return valueFor(requestBody.content['application/json']!.schema, mannerOf(random), random)
}

/** Actions that a request waits for are slow, and what was deleted takes part no longer. */
function nextRoute(random: Random) {
  const { row, method, ...rest } = pick(random, authenticatedRoutes)
  const isRare = method === 'DELETE' || row.permissions?.includes('startPipeline')
  if (!isRare || random(6) === 0) return { row, method, ...rest }
  return pick(
    random,
    authenticatedRoutes.filter(
      (other) => other.method !== 'DELETE' && !other.row.permissions?.includes('startPipeline'),
    ),
  )
}

function nextCall(round: Round, random: Random): Call {
  const { method, path: route, row } = nextRoute(random)
  const identity = pick(random, [
    ...Array(16).fill('own'),
    'organization',
    'other',
    'other',
    'stranger',
  ] as Call['identity'][])
  const operation = operationOf(method, route)
  const path = pathFor(route, round.ids, random) + queryFor(operation, random)
  return {
    method,
    route,
    path,
    identity,
    headers: headersFor(identity, round, random),
    body: bodyFor(operation, row.bodyExample, random),
  }
}

/** What a client sees of a workspace. The rest of it follows from the same rows. */
async function visibleState({ apiKey: key }: World, path: string): Promise<unknown[]> {
  const record = path.split('?')[0]!.split('/').slice(0, 3).join('/')
  const state = [
    '/',
    '/videos?limit=100',
    '/automations?limit=100',
    '/webhooks',
    ...(record === path || record.startsWith('/videos/') ? [record] : []),
  ]
  return Promise.all(state.map(async (part) => (await callApi('GET', part, { key })).body.data))
}

/** By their documentation: a look-up at the platforms, and a stitched video that is rendered again. */
const actsOnGet = /[?&]refresh=(?:1|true)|\/download$/

/** The first difference, as text; undefined where there is none. */
function changedParts(before: unknown, after: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(before, after)) return undefined
  if (typeof before !== 'object' || typeof after !== 'object' || !before || !after)
    return `${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`.slice(0, 300)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const name = names.find((one) => !isDeepStrictEqual(Reflect.get(before, one), Reflect.get(after, one)))!
  return changedParts(Reflect.get(before, name), Reflect.get(after, name), `${path}/${name}`)
}

/** Fields that follow the clock or carry a signature. */
const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (name, inner) => (/(?:At|Url|url)$/.test(name) ? undefined : inner)))

/** An edit that was accepted is what the next GET shows. */
async function hiddenEdit({ method, route, path, answer }: Step, { own }: Round): Promise<string | undefined> {
  if (method !== 'PATCH' || answer.status !== 200 || !/^\/\w+\/\{id\}$/.test(route)) return undefined
  const read = await callApi('GET', path.split('?')[0]!, { key: own.apiKey })
  if (read.status !== 200) return `the next GET is answered with ${read.status}: ${JSON.stringify(read.body.error)}`
  const [edited, shown] = [withoutTimes(answer.body.data), withoutTimes(read.body.data)] as Record<string, unknown>[]
  const different = Object.keys(edited!).filter(
    (name) => name in shown! && !isDeepStrictEqual(edited![name], shown![name]),
  )
  return different.length > 0 ? `is not what the next GET shows: ${different.join(', ')}` : undefined
}

/** What was used is what the ledger captured, and nothing is captured that was not reserved. */
async function unexplainedCredits({ own }: Round): Promise<string | undefined> {
  const { status, body } = await callApi('GET', '/', { key: own.apiKey })
  if (status !== 200) return `GET / is answered with ${status}: ${JSON.stringify(body)}`
  const { credits } = body.data
  const entries = (await creditLedgerOf(own.workspaceId)).filter(({ unit }) => unit === 'video')
  const sumOf = (...kinds: string[]) =>
    entries.filter(({ kind }) => kinds.includes(kind)).reduce((sum, entry) => sum + Math.abs(entry.credits), 0)
  if (sumOf('capture') !== credits.used) return `ledger: ${sumOf('capture')} credits captured, ${credits.used} used`
  if (sumOf('capture', 'release') > sumOf('reserve')) return 'ledger: more credits captured and released than reserved'
  return undefined
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function asCurl({ method, path, headers, body, answer }: Step): string {
  const names = Object.entries(headers).filter(([name]) => name !== 'Authorization')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const data = text === undefined ? '' : ` -d ${shellQuoted(text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text)}`
  return `curl -X ${method} "$API${path}"${names.map(([name, value]) => ` -H ${shellQuoted(`${name}: ${value}`)}`).join('')}${data}  # ${answer.status} ${answer.body?.error?.code ?? ''}`.trimEnd()
}

/** The requests that touched the same record with success, then the one that failed. */
const relevant = (steps: readonly Step[], last: Step): string[] => {
  const record = last.path.split('?')[0]!.split('/').slice(0, 3).join('/')
  const before = steps.filter(
    ({ path, answer, method }) => path.startsWith(record) && answer.status < 300 && method !== 'GET',
  )
  return [...before.filter((step) => step !== last).slice(-6), last].map(asCurl)
}

export interface WalkResult {
  findings: Finding[]
  answersByStatus: Record<number, number>
}

export async function walk({ seed, calls, planId = 'self-hosted', onRound }: WalkOptions): Promise<WalkResult> {
  const random = seededRandom(seed)
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 20; skipped++) random(2)
  const findings: Finding[] = []
  const answersByStatus: Record<number, number> = {}
  let round = await newRound(planId)
  let steps: Step[] = []
  const checkLedger = async () => {
    const what = await unexplainedCredits(round)
    if (what)
      findings.push({
        what,
        requests: steps
          .filter(({ answer, method }) => method !== 'GET' && answer.status < 300)
          .map(asCurl)
          .slice(-20),
      })
  }
  for (let count = 1; count <= calls && findings.length < 20; count++) {
    const call = nextCall(round, random)
    const isForeign = call.identity === 'other' || call.identity === 'stranger'
    const mustBePure = isForeign || (call.method === 'GET' && !actsOnGet.test(call.path))
    const before = random(purityOneIn) === 0 ? await visibleState(round.own, call.path) : undefined
    const { headers, body } = call
    const step: Step = {
      ...call,
      answer: await callApi(call.method, call.path, { headers, ...(body === undefined ? {} : { body }) }),
    }
    const { status } = step.answer
    answersByStatus[status] = (answersByStatus[status] ?? 0) + 1
    steps.push(step)
    learnIds(round, step)
    const problems = Object.entries(properties).flatMap(([name, problemOf]) => {
      const problem = problemOf(step)
      return problem ? [`${name}: ${problem}`] : []
    })
    if (before && (mustBePure || (status >= 400 && !actsOnGet.test(call.path)))) {
      const after = await visibleState(round.own, call.path)
      const changed = changedParts(withoutTimes(before), withoutTimes(after))
      if (changed) problems.push(`changes nothing: it did, ${changed}`)
    }
    const hidden = await hiddenEdit(step, round)
    if (hidden) problems.push(`is shown: ${hidden}`)
    for (const what of problems)
      findings.push({ what: `${call.method} ${call.route} (call ${count}) ${what}`, requests: relevant(steps, step) })
    if (count % roundLength === 0 && count < calls) {
      await checkLedger()
      onRound?.(count, findings)
      ;[round, steps] = [await newRound(planId), []]
    }
  }
  await checkLedger()
  return { findings, answersByStatus }
}
