import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import { createPlatformHttp } from '../../../lib/platforms/http.ts'
import { listen } from '../../../local/listen.ts'
import { drips, respondWith, startScriptedReceiver } from '../../egress/scripted-receiver.ts'

const http = createPlatformHttp({ allowHttp: true, allowLoopback: true })
const get = (url: string, more: object = {}) => http({ method: 'GET', url, ...more })

describe('a request to a platform', () => {
  it('follows no redirect: the 308 of an upload is a response', async () => {
    const seen = await startScriptedReceiver(
      respondWith(
        'HTTP/1.1 308 Permanent Redirect\r\nLocation: /elsewhere\r\nRange: bytes=0-9\r\nContent-Length: 0\r\n\r\n',
      ),
    )
    expect(await get(seen.url)).toMatchObject({ status: 308, headers: { location: '/elsewhere', range: 'bytes=0-9' } })
    expect(seen.connections).toBe(1)
  })

  it('was certainly not sent when the connection is refused, and when the address is not allowed', async () => {
    const door = await listen(createServer(), 0)
    await door.stop()
    await expect(get(door.url)).rejects.toThrow(NotSent)
    const strict = createPlatformHttp({ allowHttp: false, allowLoopback: false })
    await expect(strict({ method: 'GET', url: door.url })).rejects.toThrow(NotSent)
    await expect(strict({ method: 'GET', url: 'https://169.254.169.254/' })).rejects.toThrow(NotSent)
    const unknown = createPlatformHttp(
      { allowHttp: false, allowLoopback: false },
      { resolve: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })) },
    )
    await expect(unknown({ method: 'GET', url: 'https://nowhere.example.com/' })).rejects.toThrow(NotSent)
  })

  it.each([
    ['is cut', (socket: { destroy(): unknown }) => socket.destroy()],
    ['is half', respondWith('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    ['does not end', drips('x', 'HTTP/1.1 200 OK\r\n\r\n')],
    ['is no HTTP', respondWith('hello\r\n\r\n')],
    ['is longer than 4 MB', respondWith(`HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n${'x'.repeat(5_000_000)}`)],
  ])('may have been executed when its response %s', async (_how, script) => {
    const seen = await startScriptedReceiver((socket) => void script(socket))
    await expect(get(seen.url, { deadlineMs: 3_000 })).rejects.toThrow(NoResponse)
  })

  it('with a non-HTTP response fails without quoting it: it may contain a token, and failures are logged', async () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\nZZ secret-token'
    for (const answer of [chunked, 'secret-token\r\n\r\n']) {
      const seen = await startScriptedReceiver(respondWith(answer))
      const failure: unknown = await get(seen.url).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(NoResponse)
      expect(inspect(failure, { depth: 9, maxArrayLength: null })).not.toMatch(/secret-token|rawPacket/)
    }
  })

  it('may have been executed when its body could not be read completely', async () => {
    const seen = await startScriptedReceiver(respondWith(''))
    async function* broken() {
      yield Buffer.from('a')
      throw new Error('The storage is gone.')
    }
    const sent = http({ method: 'PUT', url: seen.url, body: { bytes: 2, read: broken } })
    await expect(sent).rejects.toThrow(NoResponse)
  })
})
