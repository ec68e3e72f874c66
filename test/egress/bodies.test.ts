import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendRequest } from '../../lib/egress/request.ts'
import {
  getRequest,
  permissivePolicy,
  portOf,
  rejectionOf,
  respondWith,
  startScriptedReceiver,
} from './scripted-receiver.ts'

async function* pieces(count: number, bytes: number, onRead = () => {}) {
  for (let piece = 0; piece < count; piece++) {
    onRead()
    yield new Uint8Array(bytes).fill(97)
  }
}

/** Reads whole requests by their length, and responds to them. */
async function uploads() {
  const seen = { url: '', head: '', bodyBytes: 0 }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const end = seen.head ? 0 : data.indexOf('\r\n\r\n') + 4
      seen.head ||= data.subarray(0, end).toString()
      seen.bodyBytes += data.length - end
      const length = Number(/content-length: (\d+)/i.exec(seen.head)?.[1])
      if (seen.bodyBytes === length) socket.write('HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  seen.url = `http://127.0.0.1:${portOf(server)}/`
  return seen
}

describe('a streamed body', () => {
  it('arrives complete, with its length and not chunked', async () => {
    const seen = await uploads()
    const body = { bytes: 300_000, read: () => pieces(3, 100_000) }
    const answer = await sendRequest(getRequest(seen.url, { method: 'PUT', body }), permissivePolicy)
    expect(answer.status).toBe(201)
    expect(seen.bodyBytes).toBe(300_000)
    expect(seen.head).toMatch(/^PUT \/ .*content-length: 300000\r\n/is)
    expect(seen.head).not.toMatch(/transfer-encoding/i)
  })

  it('may be empty', async () => {
    const seen = await startScriptedReceiver(respondWith('HTTP/1.1 204 No Content\r\n\r\n'))
    const body = { bytes: 0, read: () => pieces(0, 0) }
    expect((await sendRequest(getRequest(seen.url, { method: 'PUT', body }), permissivePolicy)).status).toBe(204)
    expect(seen.received).toMatch(/content-length: 0\r\n/i)
  })

  it('is read at the pace of the receiver', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}).pause())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    let read = 0
    const body = { bytes: 400 * 1024 ** 2, read: () => pieces(400, 1024 ** 2, () => read++) }
    const request = getRequest(`http://127.0.0.1:${portOf(server)}/`, { method: 'PUT', body, deadlineMs: 1_000 })
    expect(await rejectionOf(request, permissivePolicy)).toMatchObject({ reason: 'timeout' })
    // The buffers of two sockets, and no more.
    expect(read).toBeLessThan(40)
  })

  it('is not read before the connection is established', async () => {
    let read = 0
    const body = { bytes: 1, read: () => pieces(1, 1, () => read++) }
    const nobody = createServer().listen(0, '127.0.0.1')
    await once(nobody, 'listening')
    const port = portOf(nobody)
    nobody.close()
    await once(nobody, 'close')
    let isConnected = false
    const onConnected = () => {
      isConnected = true
    }
    const request = getRequest(`http://127.0.0.1:${port}/`, { method: 'PUT', body, onConnected })
    expect(await rejectionOf(request, permissivePolicy)).toMatchObject({ reason: 'connection' })
    expect({ read, isConnected }).toEqual({ read: 0, isConnected: false })
  })

  it('is cancelled by a response that arrives before its end', async () => {
    const seen = await startScriptedReceiver((socket) =>
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno'),
    )
    async function* endless() {
      while (true) {
        yield Buffer.from('a piece of it\r\n\r\n')
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const answer = await sendRequest(
      getRequest(seen.url, { method: 'PUT', body: { bytes: 1e9, read: endless } }),
      permissivePolicy,
    )
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([401, 'no'])
  })

  it.each([
    ['shorter', 3],
    ['longer', 1],
  ])('that is %s than announced aborts the request', async (_how, bytes) => {
    const seen = await startScriptedReceiver(respondWith(''))
    const body = { bytes, read: () => pieces(2, 1) }
    expect(await rejectionOf(getRequest(seen.url, { method: 'PUT', body }), permissivePolicy)).toMatchObject({
      name: 'BodyFailed',
    })
  })

  it('that cannot be read aborts the request, with the reason', async () => {
    const seen = await startScriptedReceiver(respondWith(''))
    const cause = new Error('The disk is gone.')
    async function* broken() {
      yield Buffer.from('a')
      throw cause
    }
    const request = getRequest(seen.url, { method: 'PUT', body: { bytes: 2, read: broken } })
    expect(await rejectionOf(request, permissivePolicy)).toMatchObject({ name: 'BodyFailed', cause })
    await seen.ended
  })
})

describe('the connection callback', () => {
  it('is called when the connection is established', async () => {
    const seen = await startScriptedReceiver(respondWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    let received: string | undefined
    await sendRequest(getRequest(seen.url, { onConnected: () => (received = seen.received) }), permissivePolicy)
    expect(received).toBe('')
  })
})
