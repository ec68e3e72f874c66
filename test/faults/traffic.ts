/** Clients of the service that repeat every request until it is answered, with the same idempotency key. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiCredentials } from '../pipelines/service-process.ts'

/** A request that was answered, and what clients remember of it. */
export interface Accepted {
  route: string
  key: string
  status: number
  /** The id of what was created. */
  id: string | undefined
}

export interface Customer {
  workspaceId: string
  apiKey: string
  /** With connected accounts, where it publishes. */
  profileId: string | undefined
  accepted: Accepted[]
  videos: string[]
  /** The video of each clip. */
  parentOf: Map<string, string>
  deleted: Set<string>
}

const answerMsMax = 240_000
const isTemporary = (status: number, code: string | undefined) =>
  status >= 500 || status === 429 || code === 'idempotency-in-progress' || code === 'conflict'

/** `baseUrl` may change with every attempt: the service starts again meanwhile. */
export async function send(
  credentials: () => ApiCredentials,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<{ status: number; data: Record<string, never> | undefined }> {
  const endsAt = performance.now() + answerMsMax
  for (let last = 'nothing'; performance.now() < endsAt; await delay(250)) {
    const { baseUrl, apiKey } = credentials()
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { Authorization: `Bearer ${apiKey}`, ...(key && { 'Idempotency-Key': key }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(35_000),
      })
      const answer = (await response.json()) as { data?: Record<string, never>; error?: { code: string } }
      last = `${response.status} ${JSON.stringify(answer.error)}`
      if (!isTemporary(response.status, answer.error?.code)) return { status: response.status, data: answer.data }
    } catch (error) {
      last = String(error)
    }
    if (performance.now() + 300 >= endsAt) throw new Error(`${method} ${path} was not answered: ${last}`)
  }
  throw new Error(`${method} ${path} was not answered.`)
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
  const [route, body] = chosen
  const [method = '', path = ''] = route.split(' ')
  const key = randomUUID()
  // A client that deletes a video does not expect it any more, whether it was answered or not.
  if (method === 'DELETE') customer.deleted.add(path.split('/')[2]!)
  const credentials = () => ({ baseUrl: baseUrl(), apiKey: customer.apiKey })
  const { status, data } = await send(credentials, method, path, body, method === 'POST' ? key : undefined)
  const id = data?.id as string | undefined
  customer.accepted.push({ route: route.replace(/vid_\w+/, '{id}'), key, status, id })
  if (status >= 300) return
  const isClip = path.endsWith('/clips')
  if (id && (path === '/videos' || isClip)) customer.videos.push(id)
  if (id && isClip) customer.parentOf.set(id, path.split('/')[2]!)
}
