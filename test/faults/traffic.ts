/** Clients of the service that repeat every request until it is answered, with the same idempotency key. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiCredentials } from '../pipelines/service-process.ts'
import type { Answer, Sent } from '../simulator/client.ts'

/** A request with all its attempts, and what it takes to repeat it. */
export interface Request extends Sent {
  body: unknown
}

export interface Customer {
  workspaceId: string
  apiKey: string
  /** With connected accounts, where it publishes. */
  profileId: string | undefined
  sent: Request[]
  videos: string[]
  /** The video of each clip. */
  parentOf: Map<string, string>
  deleted: Set<string>
}

const answerMsMax = 240_000
const isTemporary = ({ status, body }: Answer) =>
  status >= 500 || status === 429 || ['idempotency-in-progress', 'conflict'].includes(body.error?.code ?? '')

/** The last answer, where there is one. */
export const answerTo = ({ answers }: Sent): Answer | undefined =>
  answers.findLast((answer) => answer !== null) ?? undefined

/** The id of what a request created. */
export const createdBy = (request: Sent): string | undefined => {
  const answer = answerTo(request)
  return answer && answer.status < 300 ? (answer.body.data as { id?: string } | undefined)?.id : undefined
}

/** The credentials may change with every attempt: the service starts again meanwhile. */
export type Credentials = () => ApiCredentials

async function attempt(credentials: Credentials, { route, path, key, body }: Request): Promise<Answer> {
  const { baseUrl, apiKey } = credentials()
  const response = await fetch(`${baseUrl}${path}`, {
    method: route.split(' ')[0]!,
    headers: { Authorization: `Bearer ${apiKey}`, ...(key && { 'Idempotency-Key': key }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(35_000),
  })
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text, body: JSON.parse(text) }
}

/** Repeats a request until it is answered. @throws Error after four minutes. */
export async function send(credentials: Credentials, request: Request): Promise<Answer> {
  const endsAt = performance.now() + answerMsMax
  for (let last = 'nothing'; performance.now() < endsAt; await delay(250)) {
    try {
      const answer = await attempt(credentials, request)
      request.answers.push(answer)
      request.endedAt = performance.now()
      if (!isTemporary(answer)) return answer
      last = `${answer.status} ${answer.text}`
    } catch (error) {
      request.answers.push(null)
      last = String(error)
    }
    if (performance.now() + 300 >= endsAt) throw new Error(`${request.route} was not answered: ${last}`)
  }
  throw new Error(`${request.route} was not answered.`)
}

let requests = 0

/** A request that is not sent yet. `route` has the ids in its path. */
export function newRequest(workspaceId: string, route: string, body?: unknown): Request {
  const [method = '', path = ''] = route.split(' ')
  return {
    id: ++requests,
    workspaceId,
    route: route.replace(/vid_\w+/, '{id}'),
    path,
    key: method === 'POST' ? randomUUID() : undefined,
    body,
    startedAt: performance.now(),
    endedAt: Number.POSITIVE_INFINITY,
    answers: [],
  }
}

type Action = (customer: Customer, random: (below: number) => number) => [route: string, body?: unknown] | undefined

const brief = (number: number) => ({
  prompt: `Calm morning ${number}`,
  targetDuration: 10,
  aspectRatio: '1:1',
  imageStyle: 'ai_image',
})
const oneOf = ({ videos, deleted }: Customer, random: (below: number) => number) => {
  const left = videos.filter((id) => !deleted.has(id))
  return left[random(Math.max(left.length, 1))]
}
const onVideo =
  (method: string, end: string, body?: (random: (below: number) => number) => unknown): Action =>
  (customer, random) => {
    const id = oneOf(customer, random)
    return id === undefined ? undefined : [`${method} /videos/${id}${end}`, body?.(random)]
  }

/** What clients do; more often what comes more often. */
const actions: readonly Action[] = [
  (_, random) => ['POST /videos', { ...brief(random(1000)), process: { render: random(2) === 0 } }],
  (_, random) => ['POST /videos', { ...brief(random(1000)), process: { render: true } }],
  onVideo('PATCH', '', (random) => ({ title: `Title ${random(1000)}` })),
  onVideo('PATCH', '/config', (random) => ({ captionsFontSize: 40 + random(40) })),
  onVideo('POST', '/description', () => ({})),
  onVideo('POST', '/render', () => ({})),
  onVideo('POST', '/clips', () => ({ regenerate: false, render: false })),
  onVideo('DELETE', ''),
  (customer, random) => {
    const id = oneOf(customer, random)
    if (!id || !customer.profileId) return undefined
    const body = { caption: `Caption ${random(1e9)}`, profileId: customer.profileId, platforms: ['bluesky'] }
    return [`POST /videos/${id}/publish`, body]
  },
]

/** One request of a customer, until it is answered. */
export async function act(customer: Customer, baseUrl: () => string, random: (below: number) => number): Promise<void> {
  const chosen = actions[random(actions.length)]!(customer, random)
  if (!chosen) return
  const request = newRequest(customer.workspaceId, ...chosen)
  const [route, path] = [request.route, request.path]
  // A client that deletes a video does not expect it any more, whether it was answered or not.
  if (route.startsWith('DELETE')) customer.deleted.add(path.split('/')[2]!)
  customer.sent.push(request)
  await send(() => ({ baseUrl: baseUrl(), apiKey: customer.apiKey }), request)
  const id = createdBy(request)
  const isClip = path.endsWith('/clips')
  if (id && (path === '/videos' || isClip)) customer.videos.push(id)
  if (id && isClip) customer.parentOf.set(id, path.split('/')[2]!)
}

/** What clients do when all is over: repeat what was accepted, with its key, and look for what they have deleted. */
export async function lookBack(customer: Customer, baseUrl: () => string): Promise<void> {
  const credentials = () => ({ baseUrl: baseUrl(), apiKey: customer.apiKey })
  for (const request of [...customer.sent]) {
    const last = answerTo(request)
    if (request.key && last && last.status < 300)
      request.late = { last, repeat: await send(credentials, { ...request, answers: [] }) }
  }
  const isAnswered = ({ route, answers }: Request) =>
    route.startsWith('DELETE') && answers.some((answer) => answer?.status === 200)
  for (const { path } of customer.sent.filter(isAnswered)) {
    const reading = newRequest(customer.workspaceId, `GET ${path}`)
    customer.sent.push(reading)
    await send(credentials, reading)
  }
}
