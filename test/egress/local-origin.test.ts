import { describe, expect, it } from 'vitest'
import { blockedKind, checkUrl, type EgressPolicy } from '../../lib/egress/address-policy.ts'
import { sendRequest } from '../../lib/egress/request.ts'
import { getRequest, ok, rejectionOf, startScriptedReceiver, strictPolicy } from './scripted-receiver.ts'

const policyFor = (localOrigin: string): EgressPolicy => ({ ...strictPolicy, localOrigin })

describe('the local origin of an operator', () => {
  it.each([
    'http://127.0.0.1:11434',
    'http://192.168.1.5:8880',
    'http://[fd12::1]:8000',
    'http://ollama:11434',
    'http://nas.local:8080',
  ])('allows %s', (origin) => {
    expect(checkUrl(`${origin}/v1/models`, policyFor(origin)).origin).toBe(origin)
    expect(() => checkUrl(`${origin}/v1/models`, strictPolicy)).toThrow()
  })

  it.each([
    ['another port', 'http://127.0.0.1:11435/v1'],
    ['another host', 'http://127.0.0.2:11434/v1'],
    ['another scheme', 'https://127.0.0.1:11434/v1'],
    ['another name of it', 'http://localhost:11434/v1'],
    ['a host that begins like it', 'http://127.0.0.1.example.com:11434/v1'],
  ])('does not allow %s', (_what, url) => {
    expect(() => checkUrl(url, policyFor('http://127.0.0.1:11434'))).toThrow()
  })

  it.each(['http://169.254.169.254', 'http://0.0.0.0:11434', 'http://224.0.0.1:8000'])('never allows %s', (origin) => {
    expect(() => checkUrl(`${origin}/`, policyFor(origin))).toThrow('is not a public address')
  })

  it('keeps blocking private addresses for every other URL under the same policy', () => {
    expect(blockedKind('192.168.1.5', policyFor('http://192.168.1.5:8880'))).toBe('private')
  })

  it('connects to it, also by a name of the system', async () => {
    const receiver = await startScriptedReceiver(ok)
    const byName = `http://localhost:${receiver.port}`
    expect(await sendRequest(getRequest(receiver.url), policyFor(new URL(receiver.url).origin))).toMatchObject({
      status: 200,
    })
    expect(await sendRequest(getRequest(byName), policyFor(byName))).toMatchObject({ status: 200 })
    expect(await rejectionOf(getRequest(byName), policyFor('http://127.0.0.1:1'))).toMatchObject({
      name: 'AddressRefused',
    })
  })
})
