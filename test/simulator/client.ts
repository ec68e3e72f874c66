/** A client of the API: sends requests, repeats unanswered ones with the same key, and remembers every answer. */
import type { Route } from '../../lib/contract/route.ts'
import { basePath, splitSignature } from '../../lib/contract/route.ts'
import type { Workspace } from './service/setup.ts'
import type { World } from './world/world.ts'

export interface Answer {
  status: number
  headers: Record<string, string>
  /** As it was sent. */
  text: string
  body: { data?: unknown; error?: { code: string } } & Record<string, unknown>
}

/** One request with all its repeats. */
export interface Sent {
  id: number
  workspaceId: string
  route: string
  path: string
  key: string | undefined
  startedAt: number
  /** Infinity while it is under way. */
  endedAt: number
  /** Null for an attempt without an answer. */
  answers: (Answer | null)[]
  /** What a repeat got minutes after the last answer. */
  late?: { last: Answer; repeat: Answer }
}

export interface RequestInput {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** Sends it this often at once, with the same key. */
  copies?: number
  headers?: Record<string, string>
}

const gatewayMs = 30_000
const attemptsMax = 4

/** Whether the same request may succeed later. */
const isTemporary = ({ status, body }: Answer) =>
  status >= 500 || ['idempotency-in-progress', 'conflict'].includes(body.error?.code ?? '')

export type Client = ReturnType<typeof createClient>

export function createClient(world: World, sent: Sent[]) {
  const { random, schedule } = world
  /** Some clients do not know of keys. */
  const keyShare = random.pick([0, 0.85, 0.85, 0.85])

  async function attempt(
    route: Route,
    { apiKey }: Workspace,
    path: string,
    headers: Record<string, string>,
    input: RequestInput,
  ) {
    const { method } = splitSignature(route.signature)
    const event = {
      version: '2.0',
      routeKey: `${method} ${basePath}${splitSignature(route.signature).path}`,
      rawPath: `${basePath}${path}`,
      rawQueryString: '',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(input.query && { queryStringParameters: input.query }),
      ...(input.params && { pathParameters: input.params }),
      requestContext: {
        domainName: 'api.test',
        http: { method, path },
        requestId: `request-${random.integer(0, 1e9)}`,
        timeEpoch: schedule.now(),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      isBase64Encoded: false,
    }
    const name = `api/${route.handler}`
    const result = await world.call(
      name,
      async ({ handlers }) => (await handlers[name]!()).handler(event, world.context(gatewayMs - 1_000)),
      gatewayMs,
    )
    const {
      statusCode,
      headers: answered,
      body,
    } = result as { statusCode: number; headers: Record<string, string>; body: string }
    const parsed = answered['Content-Type']?.startsWith('application/json') ? JSON.parse(body) : {}
    return { status: statusCode, headers: answered, text: body, body: parsed } satisfies Answer
  }

  /** The last answer; undefined where there was none. Repeats are safe only with a key, or for a method that is idempotent. */
  async function send(route: Route, workspace: Workspace, input: RequestInput = {}): Promise<Answer | undefined> {
    const { method, path: template } = splitSignature(route.signature)
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''))
    const key = route.idempotent && random.chance(keyShare) ? `key-${random.integer(0, 1e12)}` : undefined
    const request: Sent = {
      id: sent.length,
      workspaceId: workspace.id,
      route: route.signature,
      path,
      key,
      startedAt: schedule.now(),
      endedAt: Number.POSITIVE_INFINITY,
      answers: [],
    }
    sent.push(request)
    const headers = { ...input.headers, ...(key && { 'idempotency-key': key }) }
    const isRepeatable = key !== undefined || method === 'GET' || method === 'PUT' || method === 'DELETE'
    const copies = key && random.chance(0.25) ? 2 : 1
    let last: Answer | undefined
    const repeat = async () => {
      for (let attempts = 1; attempts <= attemptsMax; attempts++) {
        const answer = await attempt(route, workspace, path, headers, input).catch(() => null)
        request.answers.push(answer)
        if (answer)
          world.note(
            `answer ${route.signature} ${answer.status}${answer.body.error ? ` ${answer.body.error.code}` : ''}`,
          )
        if (answer && (!last || answer.status < 400)) last = answer
        if ((answer && !isTemporary(answer)) || !isRepeatable) return
        await schedule.sleep(random.integer(200, 5_000))
      }
    }
    await Promise.all(
      Array.from({ length: copies }, async (_, copy) => {
        if (copy > 0) await schedule.sleep(random.integer(0, 3_000))
        await repeat()
      }),
    )
    request.endedAt = schedule.now()
    if (key && last && last.status < 300 && random.chance(0.25))
      repeatLater(request, last, () => attempt(route, workspace, path, headers, input))
    return last
  }

  /** The same request again, minutes after its answer. */
  function repeatLater(request: Sent, last: Answer, again: () => Promise<Answer>): void {
    void world.client(async () => {
      await schedule.sleep(random.integer(10_000, 1_800_000))
      const repeat = await again().catch(() => null)
      request.answers.push(repeat)
      if (repeat) request.late = { last, repeat }
      world.note(`answer to a late repeat ${request.route} ${repeat?.status}`)
    })
  }

  return { send }
}
