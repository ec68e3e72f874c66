/** A subscriber on loopback: it keeps what arrives, byte for byte, and answers what the test says. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

/** A request as it arrived. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** When it had arrived, in milliseconds of this process's clock. */
  at: number
}

export type ReceiverHandler = (post: Received, response: ServerResponse) => void

/** Answers with this status and nothing else. */
export const respondWithStatus =
  (status: number, headers: Record<string, string> = {}): ReceiverHandler =>
  (_post, response) =>
    void response.writeHead(status, headers).end()

/** Closes the connection without an answer. */
export const closeConnection: ReceiverHandler = (_post, response) => void response.destroy()

/** Answers when it is told to; until then the posts that came wait. */
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
  /** What came, in its order. */
  posts: Received[]
  /** What it does from now on. */
  answering: ReceiverHandler
  stop: () => Promise<void>
}

export async function startTestReceiver(): Promise<TestReceiver> {
  const posts: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    // Whoever is killed in the middle of a post has not posted.
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver listens on no port.')
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    posts,
    answering: respondWithStatus(200),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
