import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sendRequest } from '../../lib/egress/request.ts'
import {
  dialsReceiver,
  getRequest,
  ok,
  permissivePolicy,
  respondWith,
  startScriptedReceiver,
} from './scripted-receiver.ts'

const text = (body: Uint8Array) => Buffer.from(body).toString()

describe('a request', () => {
  it('arrives complete, on its own connection, which ends with it', async () => {
    const seen = await startScriptedReceiver(
      respondWith('HTTP/1.1 201 Created\r\nX-One: 1\r\nContent-Length: 5\r\n\r\nhello'),
    )
    const body = Buffer.from('{"a":"ä"}\r\n\r\n')
    const headers = { 'Content-Type': 'application/json', Host: 'elsewhere.example.com', 'X-Service-Event': 'x' }
    const answer = await sendRequest(
      getRequest(`${seen.url}hook?a=1#part`, { method: 'POST', headers, body }),
      permissivePolicy,
    )
    expect({ ...answer, body: text(answer.body) }).toEqual({
      status: 201,
      headers: { 'x-one': '1', 'content-length': '5' },
      body: 'hello',
      truncated: false,
      address: '127.0.0.1',
    })
    await seen.ended
    const [head, ...rest] = seen.received.split('\r\n\r\n')
    expect(rest.join('\r\n\r\n')).toBe(body.toString())
    expect(head!.split('\r\n').map((line) => line.toLowerCase())).toEqual([
      'post /hook?a=1 http/1.1',
      'accept-encoding: identity',
      'content-type: application/json',
      `host: 127.0.0.1:${seen.port}`,
      'x-service-event: x',
      'content-length: 14',
      'connection: close',
    ])
  })

  it('without a body announces none', async () => {
    const seen = await startScriptedReceiver(ok)
    await sendRequest(getRequest(seen.url), permissivePolicy)
    expect(seen.received).not.toMatch(/content-length|transfer-encoding/i)
    await sendRequest(getRequest(seen.url, { method: 'POST' }), permissivePolicy)
    expect(seen.received).toMatch(/content-length: 0/i)
  })

  it('sends the host of its URL, not the address', async () => {
    const seen = await startScriptedReceiver(ok)
    for (const url of [
      `http://hooks.example.com:${seen.port}/`,
      'http://hooks.example.com/',
      'http://hooks.example.com./',
    ]) {
      await sendRequest(getRequest(url), permissivePolicy, dialsReceiver(seen.port, '127.0.0.1'))
    }
    expect(seen.received.match(/(?<=^host: ).*(?=\r)/gim)).toEqual([
      `hooks.example.com:${seen.port}`,
      'hooks.example.com',
      'hooks.example.com.',
    ])
  })

  it('does not share its connection with the next one', async () => {
    const seen = await startScriptedReceiver(
      respondWith('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n'),
    )
    await sendRequest(getRequest(seen.url), permissivePolicy)
    await sendRequest(getRequest(seen.url), permissivePolicy)
    expect(seen.connections).toBe(2)
  })

  it('tries the next address when one does not accept the connection', async () => {
    const seen = await startScriptedReceiver(ok)
    const resolve = async () => ['::1', '127.0.0.1']
    const answer = await sendRequest(getRequest(`http://hooks.example.com:${seen.port}/`), permissivePolicy, {
      resolve,
    })
    expect(answer.address).toBe('127.0.0.1')
  })

  it('resolves names through the resolver of the system', async () => {
    const seen = await startScriptedReceiver(ok)
    await expect(sendRequest(getRequest(`http://localhost:${seen.port}/`), permissivePolicy)).resolves.toMatchObject({
      status: 200,
    })
  })

  it('with a header injection is a fault and is not sent', async () => {
    const seen = await startScriptedReceiver(ok)
    await expect(
      sendRequest(getRequest(seen.url, { headers: { 'x-a': 'b\r\nx-c: d' } }), permissivePolicy),
    ).rejects.toBeInstanceOf(TypeError)
    expect(seen.received).toBe('')
  })
})

describe('a response', () => {
  it.each([204, 400, 404, 410, 429, 500, 503])('with status %i is returned unchanged', async (status) => {
    const seen = await startScriptedReceiver(
      respondWith(`HTTP/1.1 ${status} X\r\nRetry-After: 10\r\nContent-Length: 0\r\n\r\n`),
    )
    await expect(sendRequest(getRequest(seen.url), permissivePolicy)).resolves.toMatchObject({
      status,
      headers: { 'retry-after': '10' },
    })
  })

  it('is read after interim responses', async () => {
    const seen = await startScriptedReceiver(
      respondWith('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    )
    await expect(sendRequest(getRequest(seen.url), permissivePolicy)).resolves.toMatchObject({ status: 200 })
  })

  it('keeps every value of a repeated header, for any name', async () => {
    const seen = await startScriptedReceiver(
      respondWith('HTTP/1.1 200 OK\r\nVia: a\r\nvia: b\r\n__proto__: c\r\n__proto__: d\r\nContent-Length: 0\r\n\r\n'),
    )
    const { headers } = await sendRequest(getRequest(seen.url), permissivePolicy)
    expect(Object.entries(headers)).toEqual([
      ['via', 'a, b'],
      ['__proto__', 'c, d'],
      ['content-length', '0'],
    ])
  })

  it('that is compressed is not decompressed', async () => {
    const packed = gzipSync(Buffer.alloc(1_000_000))
    const seen = await startScriptedReceiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
      socket.write(packed)
    })
    const { body } = await sendRequest(getRequest(seen.url, { bytesMax: 10_000 }), permissivePolicy)
    expect(Buffer.compare(body, packed)).toBe(0)
  })

  it('is truncated at the limit, and an endless body is not read further', async () => {
    const seen = await startScriptedReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const chunk = Buffer.alloc(65_536, 'x')
      const more = () => {
        while (socket.writable && socket.write(chunk)) {}
      }
      socket.on('drain', more)
      more()
    })
    const answer = await sendRequest(getRequest(seen.url, { bytesMax: 100_000 }), permissivePolicy)
    expect([answer.body.length, answer.truncated]).toEqual([100_000, true])
    await seen.ended
  })

  it('in chunks of a single byte is read completely', async () => {
    const body = 'abcdefghij'.repeat(500)
    const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('')
    const seen = await startScriptedReceiver(
      respondWith(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
    )
    const answer = await sendRequest(getRequest(seen.url, { bytesMax: body.length }), permissivePolicy)
    expect([text(answer.body), answer.truncated]).toEqual([body, false])
  })

  it('in chunks with long extensions is truncated, too', async () => {
    const chunk = `1;${'a'.repeat(10_000)}\r\nx\r\n`
    const seen = await startScriptedReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      const more = () => {
        while (socket.writable && socket.write(chunk)) {}
      }
      socket.on('drain', more)
      more()
    })
    const answer = await sendRequest(getRequest(seen.url, { bytesMax: 1_000 }), permissivePolicy)
    expect([answer.status, answer.truncated]).toEqual([200, true])
    expect(answer.body.length).toBeLessThan(100)
    await seen.ended
  })

  it('is read after 32 interim responses', async () => {
    const seen = await startScriptedReceiver(
      respondWith(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(32)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`),
    )
    await expect(sendRequest(getRequest(seen.url), permissivePolicy)).resolves.toMatchObject({ status: 200 })
  })

  it.each([
    [0, '', true],
    [0, 'a', true],
    [5, 'abcde', false],
    [5, 'abcdef', true],
  ])('with a limit of %i bytes and the body %o is truncated: %o', async (bytesMax, body, truncated) => {
    const seen = await startScriptedReceiver(
      respondWith(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    )
    const answer = await sendRequest(getRequest(seen.url, { bytesMax }), permissivePolicy)
    expect([text(answer.body), answer.truncated]).toEqual([body.slice(0, bytesMax), truncated])
  })
})
