/** A client without a network: its responses are scripted, its requests and pauses are recorded. */
import { type Client, type ClientOptions, createClient } from '../../packages/client/index.js'

/** The arguments of fetch that the tests use. */
export interface Sent {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}
export type Reply = Response | Error

/** A client that receives these replies in order (the last one repeatedly), with its requests and pauses. */
export function createOfflineClient(replies: (Reply | (() => Reply))[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const slept: number[] = []
  const client = createClient({
    baseUrl: 'https://api.test/v1',
    apiKey: 'rs_live_key',
    fetch: async (url, request) => {
      sent.push({ url: String(url), ...(request as Omit<Sent, 'url'>) })
      const next = replies[Math.min(sent.length, replies.length) - 1]!
      const reply = typeof next === 'function' ? next() : next instanceof Response ? next.clone() : next
      if (reply instanceof Error) throw reply
      return reply
    },
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
    },
    ...options,
  })
  return { client, sent, slept }
}

export const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
export const errorResponse = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  extras: object = {},
) => jsonResponse(status, { error: { status, code, message: 'No.', requestId: 'req_1', ...extras } }, headers)
export const networkError = () => new TypeError('fetch failed')
export const createdResponse = jsonResponse(200, { data: { id: 'vid_1' } })
export const videoId = 'vid_1'

/** A call with an idempotency key, a read, and a call that cannot be repeated safely. */
export const sampleCalls = {
  keyed: (client: Client) => client.videos.create({ prompt: 'x' }),
  reading: (client: Client) => client.videos.get(videoId),
  neither: (client: Client) => client.videos.edit(videoId, { title: 'x' }),
}
