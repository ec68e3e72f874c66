/** An HTTP server on loopback that records every request, byte for byte, and answers as the test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { listen } from '../../local/listen.ts'

/** A request as it arrived. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** When it had arrived, in milliseconds of this process's clock. */
  at: number
}

export type ReceiverHandler = (post: Received, response: ServerResponse) => void

/** Responds with this status and nothing else. */
export const respondWithStatus =
  (status: number, headers: Record<string, string> = {}): ReceiverHandler =>
  (_post, response) =>
    void response.writeHead(status, headers).end()

/** Closes the connection without a response. */
export const closeConnection: ReceiverHandler = (_post, response) => void response.destroy()

/** Responds once `release` is called; until then requests wait. */
export function heldResponse() {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<ReceiverHandler>()
  const answering: ReceiverHandler = (post, response) => {
    arrived.resolve()
    void released.promise.then((answer) => answer(post, response))
  }
  return { answering, arrived: arrived.promise, release: (answer: ReceiverHandler) => released.resolve(answer) }
}

export interface TestReceiver {
  url: string
  /** The requests, in the order of their arrival. */
  posts: Received[]
  /** Its response from now on. */
  answering: ReceiverHandler
  stop: () => Promise<void>
}

export async function startTestReceiver(): Promise<TestReceiver> {
  const posts: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    // A client that is killed in the middle of a request has not sent it.
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const post = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
      at: performance.now(),
    }
    posts.push(post)
    receiver.answering(post, response)
  })
  const { url, stop } = await listen(server, 0)
  const receiver: TestReceiver = { url, posts, answering: respondWithStatus(200), stop }
  return receiver
}
