/** Requests with large bodies: handled in a thread of their own, with the replies that they would have here. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { type GatewayReply, refusal } from '../../local/emulators/api-gateway/gateway.ts'
import { startHttpApi } from '../../local/emulators/api-gateway/http-api.ts'
import type { ReceivedRequest } from '../../local/emulators/api-gateway/http-event.ts'
import { startLargeRequests } from '../../local/large-requests.ts'
import type { AroundCommand } from '../../local/role-enforcement.ts'
import { memoryLog, stopAfterTest } from './support/fixtures.ts'

const request: ReceivedRequest = {
  method: 'PUT',
  url: '/v1/nowhere',
  httpVersion: '1.1',
  rawHeaders: ['Host', '127.0.0.1', 'Content-Type', 'application/json'],
  remoteAddress: '127.0.0.1',
}
/** Each has a buffer of its own, which is transferred. */
const largeBody = () => new Uint8Array(300_000).fill(0x20)
const codeIn = ({ body }: GatewayReply) => JSON.parse(Buffer.from(body).toString()).error?.code

test('a body of more than 256 KB is handled there, one of 256 KB here', async () => {
  const api = await stopAfterTest(
    startHttpApi({
      ...{ port: 0, basePath: '/v1', routes: [], log: () => {} },
      fallback: async () => ({ statusCode: 200, body: 'here' }),
      largeBodies: async () => refusal(200, 'there'),
    }),
  )
  const answerTo = async (bytes: number) =>
    (await fetch(`${api.url}/v1/videos`, { method: 'POST', body: 'x'.repeat(bytes) })).text()
  expect(await answerTo(256 * 1024)).toBe('here')
  expect(JSON.parse(await answerTo(256 * 1024 + 1))).toEqual({ message: 'there' })
})

test('the reply is that of the functions', async () => {
  const { lines, log } = memoryLog()
  const { handle } = await stopAfterTest(Promise.resolve(startLargeRequests(log)))
  const [first, second] = await Promise.all([handle(request, largeBody()), handle(request, largeBody())])
  expect([first.status, codeIn(first), second.status]).toEqual([401, 'unauthorized', 401])
  expect(first.headers['apigw-requestid']).not.toBe(second.headers['apigw-requestid'])
  expect(lines).toEqual([])
})

test('what a thread has not answered when it ends is an error of the gateway, and the next request starts another', async () => {
  const { handle, stop } = await stopAfterTest(Promise.resolve(startLargeRequests(() => {})))
  const pending = handle(request, largeBody())
  await stop()
  expect(await pending).toMatchObject({ status: 500 })
  expect((await handle(request, largeBody())).status).toBe(401)
})

test('the thread ends with its memory where no request follows, and the next request starts another', async () => {
  const threads: Worker[] = []
  const onWorker = (worker: Worker) => void threads.push(worker)
  process.on('worker', onWorker)
  onTestFinished(() => void process.off('worker', onWorker))
  const { handle } = await stopAfterTest(Promise.resolve(startLargeRequests(() => {}, undefined, 1)))
  await handle(request, largeBody())
  await once(threads[0]!, 'exit')
  expect((await handle(request, largeBody())).status).toBe(401)
  expect(threads).toHaveLength(2)
})

test('a command of the thread is sent where this thread says so, as a part of its request', async () => {
  const client = new AsyncLocalStorage<string>()
  const sent: (string | undefined)[] = []
  const waiting = Promise.withResolvers<void>()
  const aroundCommand: AroundCommand = async (send) => {
    sent.push(client.getStore())
    await waiting.promise
    return send()
  }
  const { handle } = await stopAfterTest(Promise.resolve(startLargeRequests(() => {}, aroundCommand)))
  const key = { ...request, rawHeaders: [...request.rawHeaders, 'Authorization', `Bearer ${mintApiKey()}`] }
  let isAnswered = false
  const reply = client
    .run('a', () => handle(key, largeBody()))
    .finally(() => {
      isAnswered = true
    })
  await expect.poll(() => sent).toEqual(['a'])
  expect(isAnswered).toBe(false)
  waiting.resolve()
  await reply
})
