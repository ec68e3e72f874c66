/** One client of a sequence: a workspace with its model, and the comparison of what the service shows with it. */
import { isDeepStrictEqual } from 'node:util'
import type { ApiRequest, ApiResponse } from '../support/world.ts'
import {
  accountOf,
  newWorkspace,
  type PlanName,
  Refused,
  type Video,
  viewOf,
  type Workspace,
  webhookView,
} from './model.ts'
import {
  type Arrival,
  type Arrivals,
  type Film,
  masked,
  newService,
  type Service,
  type Surroundings,
  signatureOf,
} from './service.ts'

/** Any parsed response: the comparison says what is expected. */
export type Data = ApiResponse['body']

/** The service does what the model does not, or the other way round. */
export class Difference extends Error {}

interface Replay {
  status: number
  data: unknown
  body: string
}

export interface Client {
  service: Service
  model: Workspace
  voices: Record<string, string>
  arrivals: Arrivals
  film: Film
  /** The other client of the sequence, whose ids this one must not see. */
  other?: Client
  /** First responses by method, path and idempotency key. */
  replays: Map<string, Replay>
  /** Entity tags by video and revision. */
  tags: Map<string, Map<string, string>>
  secrets: Map<string, string>
  /** The requests so far, as text. */
  log: string[]
  /** Of the answers to them. */
  statuses: number[]
}

export async function newClient(plan: PlanName, { arrivals, film, voices }: Surroundings): Promise<Client> {
  const service = await newService(plan, ['bluesky'], film)
  const model = newWorkspace(plan, service.profile)
  const maps = { replays: new Map(), tags: new Map(), secrets: new Map() }
  return { service, model, voices, arrivals, film, ...maps, log: [], statuses: [] }
}

export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Difference(`${what}: ${difference(actual, expected) ?? 'differs'}`)
}

/** The first difference, as text. */
function difference(actual: unknown, expected: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  const isObject = (value: unknown) => typeof value === 'object' && value !== null
  if (!isObject(actual) || !isObject(expected))
    return `${path || '.'} is ${JSON.stringify(actual)}, the model has ${JSON.stringify(expected)}`
  const names = new Set([...Object.keys(actual as object), ...Object.keys(expected as object)])
  for (const name of names) {
    const found = difference(
      Reflect.get(actual as object, name),
      Reflect.get(expected as object, name),
      `${path}/${name}`,
    )
    if (found) return found
  }
  return `${path || '.'} differs`
}

export async function send(
  { service, log, statuses }: Client,
  method: string,
  path: string,
  request: Omit<ApiRequest, 'key'> = {},
): Promise<ApiResponse> {
  const answer = await service.call(method, path, request)
  statuses.push(answer.status)
  const sent = [request.headers, request.body].map((part) => (part === undefined ? '' : ` ${JSON.stringify(part)}`))
  log.push(
    `${method} ${path}${sent.join('')} → ${answer.status} ${answer.body?.error?.code ?? answer.body?.data?.id ?? ''}`,
  )
  return answer
}

interface Action<Predicted> {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** The idempotency key. */
  key?: string | undefined
  status: number
  /** What the model does; throws what it refuses. */
  predict: () => Predicted
  /** Learns from the response what only the service can know, and compares the rest. */
  learn?: (predicted: Predicted, data: Data, answer: ApiResponse) => void
}

/** Sends a request and compares status and code with the prediction. True where the action was done. */
export async function act<Predicted>(client: Client, action: Action<Predicted>): Promise<boolean> {
  const { method, path, body, key, status, predict, learn } = action
  const headers = { ...action.headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) }
  const request = { headers, ...(body === undefined ? {} : { body }) }
  const place = `${method} ${path} ${key}`
  const replay = key === undefined ? undefined : client.replays.get(place)
  if (replay) {
    const answer = await send(client, method, path, request)
    const mismatch = replay.body === JSON.stringify(body) ? null : 'true'
    same(
      [
        answer.status,
        answer.body?.data,
        answer.headers.get('idempotent-replayed'),
        answer.headers.get('idempotency-mismatch'),
      ],
      [replay.status, replay.data, 'true', mismatch],
      `the replay of ${method} ${path}`,
    )
    return false
  }
  let predicted: { done: Predicted } | { refused: Refused }
  try {
    predicted = { done: predict() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    predicted = { refused: error }
  }
  const answer = await send(client, method, path, request)
  const code = answer.body?.error?.code
  if ('refused' in predicted) {
    same([answer.status, code], [predicted.refused.status, predicted.refused.code], `${method} ${path}`)
    return false
  }
  same([answer.status, code], [status, undefined], `${method} ${path}`)
  learn?.(predicted.done, answer.body.data, answer)
  if (key !== undefined)
    client.replays.set(place, { status: answer.status, data: answer.body.data, body: JSON.stringify(body) })
  return true
}

/** Compares the account; `stores`: the video for which the action may have stored objects, whose bytes are learned. */
export async function checkAccount(client: Client, stores?: Video): Promise<void> {
  const { data } = (await client.service.call('GET', '/')).body
  const { credits, limits } = data
  if (stores) {
    const stored = limits.storage.usedBytes - (accountOf(client.model).bytes as number)
    if (stored < 0) throw new Difference(`the storage shrank by ${-stored} bytes`)
    stores.bytes += stored
  }
  const actual = {
    ...{ balance: credits.balance, used: credits.used, generations: limits.generations.used },
    ...{ webhooks: limits.webhooks.used, automations: limits.automations.used, bytes: limits.storage.usedBytes },
  }
  same(actual, accountOf(client.model), 'GET /')
}

const heavy = ['captions', 'captionsPages', 'bRolls', 'presentationScenes', 'scenes'] as const

/** Compares the record, its heavy arrays where wanted, and its entity tag with the earlier ones. */
export async function checkVideo(client: Client, video: Video, isWhole: boolean): Promise<void> {
  const query = isWhole ? `?include=${heavy.join(',')}` : ''
  const answer = await client.service.call('GET', `/videos/${video.id}${query}`)
  same(answer.status, 200, `GET /videos/${video.id}`)
  same(masked(answer.body.data), { ...viewOf(video), ...(isWhole ? video.timelines : {}) }, `GET /videos/${video.id}`)
  const tag = answer.headers.get('etag')!
  const tags = client.tags.get(video.id) ?? new Map<string, string>()
  client.tags.set(video.id, tags)
  const known = tags.get(video.revision)
  if (known !== undefined) same(tag, known, `the ETag of ${video.id} at the same revision`)
  else if ([...tags.values()].includes(tag)) throw new Difference(`the ETag of ${video.id} is that of another revision`)
  tags.set(video.revision, tag)
}

/** What arrived, and the log of deliveries, are what the events of the model lead to. */
export async function checkDeliveries(client: Client): Promise<void> {
  const { model, arrivals, secrets } = client
  const { body } = await client.service.call('GET', '/webhooks/deliveries?limit=100')
  const order = (a: string, b: string) => (a < b ? -1 : 1)
  const rows = body.data.map((row: { webhookId: string; status: string; payload: { event: string; data: Data } }) =>
    [row.webhookId, row.payload.event, (row.payload.data.automation ?? row.payload.data.video).id, row.status].join(
      ' ',
    ),
  )
  const expected = model.deliveries.map(({ webhookId, event, about, status }) =>
    [webhookId, event, about, status].join(' '),
  )
  if (expected.length <= 100) same(rows.toSorted(order), expected.toSorted(order), 'GET /webhooks/deliveries')
  for (const webhook of model.webhooks) {
    const arrived: Arrival[] = arrivals.arrivalsAt(webhook.url)
    const wanted = model.deliveries.filter(({ webhookId }) => webhookId === webhook.id)
    const named = (one: { event: string; about: string }) => `${one.event} ${one.about}`
    same(arrived.map(named).toSorted(order), wanted.map(named).toSorted(order), `what arrived at ${webhook.id}`)
    same(new Set(arrived.map(({ deliveryId }) => deliveryId)).size, arrived.length, `the delivery ids at ${webhook.id}`)
    for (const { signature, body } of arrived)
      same(signature, signatureOf(secrets.get(webhook.id)!, body), `a signature at ${webhook.id}`)
  }
}

/** All events in their order, without gaps; the lists of the workspace. */
export async function checkEvents({ service, model }: Client): Promise<void> {
  const seen: { event: string; about: string }[] = []
  let after = 0
  // The first number is that of the cause, which a lost race may have drawn before.
  let next: number | undefined
  for (;;) {
    const { data } = (await service.call('GET', `/events?after=${after}&limit=100`)).body
    for (const { event, data: facts, sequence } of data) {
      same(sequence, next ?? sequence, 'the sequence of an event')
      next = sequence + 1
      after = sequence
      seen.push({ event, about: (facts.automation ?? facts.video).id })
    }
    if (data.length < 100) break
  }
  same(seen, model.events, 'GET /events')
}

export async function checkWebhooks({ service, model }: Client): Promise<void> {
  const { body } = await service.call('GET', '/webhooks?limit=100')
  const shown = body.data.map(({ id, url, events, enabled, failureCount, disabledReason }: Data) => ({
    ...{ id, url, events, enabled, failureCount, hasReason: disabledReason !== null },
  }))
  same(shown, model.webhooks.toReversed().map(webhookView), 'GET /webhooks')
}
