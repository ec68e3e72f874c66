import { get as plainGet, setGlobalProxyFromEnv } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkUrl } from '../../lib/egress/address-policy.ts'
import { AddressRefused } from '../../lib/egress/failures.ts'
import { sendRequest } from '../../lib/egress/request.ts'
import { selfSigned } from './certificate.ts'
import {
  dialsReceiver,
  getRequest,
  httpOnlyPolicy,
  ok,
  permissivePolicy,
  rejectionOf,
  startScriptedReceiver,
  strictPolicy,
} from './scripted-receiver.ts'
import { ssrfDnsAnswers, ssrfUrls } from './ssrf-addresses.ts'

const name = 'http://hooks.example.com/'
const shown = (text: string) => JSON.stringify(text)

/** A receiver that must not be reached, and a dialler that reaches it if a check fails. */
async function canary(...addresses: string[]) {
  const seen = await startScriptedReceiver(ok)
  return { seen, wires: dialsReceiver(seen.port, ...addresses) }
}

describe('a URL that a client stores', () => {
  it('is tested in more than 120 hostile spellings', () => {
    expect(new Set(ssrfUrls).size).toBeGreaterThan(120)
  })

  it.each(ssrfUrls.map((url) => [shown(url), url]))('%s is refused when it is stored', (_, url) => {
    const [written, secure] = [url, url.replace(/^http:(?=.*@port)/, 'https:')].map((text) =>
      text.replaceAll('@port', '8080'),
    )
    expect(() => checkUrl(written!, httpOnlyPolicy)).toThrow(AddressRefused)
    expect(() => checkUrl(secure!, strictPolicy)).toThrow(AddressRefused)
  })

  it.each([
    'https://example.com',
    'https://example.com./hook',
    'https://example.com:443/hook?a=1',
    'https://example.com:1024/',
    'https://example.com:65535/',
    'HTTPS://Hooks.Example.COM/',
    'https://my_hooks.example.com/',
    'https://bücher.example.com/',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]:8443/',
  ])('%s is accepted', (url) => {
    expect(checkUrl(url, strictPolicy).href).toBe(new URL(url).href)
  })

  it('may use http only if the operator allows it', () => {
    expect(() => checkUrl('http://example.com/', strictPolicy)).toThrow('The URL must begin with https://.')
    expect(checkUrl('http://example.com/', httpOnlyPolicy).protocol).toBe('http:')
    expect(() => checkUrl('ftp://example.com/', httpOnlyPolicy)).toThrow('The URL must begin with https:// or http://.')
  })

  it('may name this machine only if the operator allows it', () => {
    for (const host of ['localhost:8080', 'app.localhost:8080', '127.0.0.1:8080', '127.1:8080', '[::1]:8080']) {
      expect(() => checkUrl(`https://${host}/`, strictPolicy)).toThrow(
        /is not a public (?:host|address) \(loopback\)\.$/,
      )
      expect(checkUrl(`https://${host}/`, permissivePolicy).port).toBe('8080')
    }
    expect(() => checkUrl('https://[::ffff:127.0.0.1]/', permissivePolicy)).toThrow(
      'is not a public address (IPv4-mapped).',
    )
    expect(() => checkUrl('https://10.0.0.1/', permissivePolicy)).toThrow('10.0.0.1 is not a public address (private).')
  })

  it('is refused with the reason', () => {
    expect(() => checkUrl('nonsense', strictPolicy)).toThrow('This is not a URL.')
    expect(() => checkUrl('https://a:b@example.com/', strictPolicy)).toThrow(
      'The URL must not contain a user name or a password.',
    )
    expect(() => checkUrl('https://example.com:25/', strictPolicy)).toThrow('The port must be 443 or at least 1024.')
    expect(() => checkUrl('https://a..b/', strictPolicy)).toThrow('The host of the URL is not a valid name.')
    expect(() => checkUrl('https://db.internal/', strictPolicy)).toThrow(
      'db.internal is not a public host (local network).',
    )
  })
})

describe('the canary', () => {
  it('is reached when the operator allows loopback, which validates the tests below', async () => {
    const { seen, wires } = await canary('127.0.0.1')
    await expect(sendRequest(getRequest(`http://127.1:${seen.port}/`), permissivePolicy, wires)).resolves.toMatchObject(
      { status: 200 },
    )
    await expect(sendRequest(getRequest(name), permissivePolicy, wires)).resolves.toMatchObject({ status: 200 })
    expect(seen.connections).toBe(2)
  })

  it('is not reached by any hostile spelling, and none of their names is looked up', async () => {
    const { seen, wires } = await canary('93.184.216.34')
    const resolve = vi.fn(wires.resolve)
    const failures = await Promise.all(
      ssrfUrls.map((url) =>
        rejectionOf(getRequest(url.replaceAll('@port', `${seen.port}`)), httpOnlyPolicy, { ...wires, resolve }),
      ),
    )
    expect(failures.filter((failure) => !(failure instanceof AddressRefused))).toEqual([])
    expect([resolve.mock.calls, wires.dialled, seen.connections]).toEqual([[], [], 0])
  })

  it.each(ssrfDnsAnswers.map((answers) => [shown(answers.join(', ')), answers] as const))(
    'is not reached by a name that resolves to %s',
    async (_, answers) => {
      const { seen, wires } = await canary(...answers)
      for (const url of [name, name.replace('http:', 'https:'), 'http://127.0.0.1.nip.io/']) {
        expect(await rejectionOf(getRequest(url), httpOnlyPolicy, wires)).toBeInstanceOf(AddressRefused)
      }
      expect([wires.dialled, seen.connections]).toEqual([[], 0])
    },
  )

  it('gets no byte when the name resolves to it after the check', async () => {
    const { seen, wires } = await canary('93.184.216.34')
    for (const url of [name, name.replace('http:', 'https:'), 'http://93.184.216.34/', 'https://93.184.216.34/']) {
      const failure = await rejectionOf(
        getRequest(url, { method: 'POST', body: Buffer.from('secret') }),
        httpOnlyPolicy,
        wires,
      )
      expect(failure).toBeInstanceOf(AddressRefused)
      expect(failure).toMatchObject({ address: '127.0.0.1' })
    }
    await seen.ended
    expect([wires.dialled.length, seen.received]).toEqual([4, ''])
  })

  it('is not reached by a second look-up of the name: only checked addresses are dialled', async () => {
    const { seen, wires } = await canary('127.0.0.1')
    const answers = [['93.184.216.34'], ['127.0.0.1']]
    const resolve = async () => answers.shift() ?? []
    await rejectionOf(getRequest(name), httpOnlyPolicy, { ...wires, resolve })
    expect(wires.dialled).toEqual([{ host: 'hooks.example.com', port: 80, addresses: ['93.184.216.34'] }])
    expect(answers).toEqual([['127.0.0.1']])
    expect(seen.received).toBe('')
  })

  it.each([301, 302, 303, 307, 308])(
    'is not reached by a redirect with status %i, which is returned as the response',
    async (status) => {
      const { seen } = await canary()
      const redirect = await startScriptedReceiver((socket) =>
        socket.end(`HTTP/1.1 ${status} Go\r\nLocation: ${seen.url}\r\nContent-Length: 0\r\n\r\n`),
      )
      await expect(sendRequest(getRequest(redirect.url), permissivePolicy)).resolves.toMatchObject({
        status,
        headers: { location: seen.url },
      })
      expect([redirect.connections, seen.connections]).toEqual([1, 0])
    },
  )

  it('is not reached as the proxy from the environment', async () => {
    const { seen } = await canary()
    for (const variable of ['http_proxy', 'https_proxy', 'all_proxy']) {
      vi.stubEnv(variable, seen.url)
      vi.stubEnv(variable.toUpperCase(), seen.url)
    }
    for (const variable of ['no_proxy', 'NO_PROXY']) vi.stubEnv(variable, '')
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    // What Node does on start-up when NODE_USE_ENV_PROXY is set.
    const withoutProxy = setGlobalProxyFromEnv()
    onTestFinished(() => {
      withoutProxy()
      vi.unstubAllEnvs()
    })
    const target = await startScriptedReceiver(ok)
    await new Promise((resolve) => plainGet(target.url, (response) => response.resume().on('end', resolve)))
    expect([seen.connections, target.connections]).toEqual([1, 0])

    await expect(sendRequest(getRequest(target.url), permissivePolicy)).resolves.toMatchObject({ status: 200 })
    const secure = await startScriptedReceiver(ok, selfSigned('hooks.example.com'))
    await rejectionOf(getRequest(secure.url), permissivePolicy)
    expect([seen.connections, target.connections, secure.connections]).toEqual([1, 1, 1])
  })
})

describe('a refusal', () => {
  it('of a name shows the address only in the log, not to the client', async () => {
    const { wires } = await canary('10.20.30.40')
    const failure = await rejectionOf(getRequest('https://db.example.com/'), strictPolicy, wires)
    expect(failure).toMatchObject({
      name: 'AddressRefused',
      message: 'db.example.com leads to an address that is not public.',
      address: '10.20.30.40',
    })
  })
})
