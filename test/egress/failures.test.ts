import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EgressFailed } from '../../lib/egress/failures.ts'
import { sendRequest } from '../../lib/egress/request.ts'
import { selfSigned } from './certificate.ts'
import {
  dialsReceiver,
  drips,
  getRequest,
  ok,
  permissivePolicy,
  portOf,
  rejectionOf,
  respondWith,
  startScriptedReceiver,
  strictPolicy,
} from './scripted-receiver.ts'

const deadlineMs = 150
const head = 'HTTP/1.1 200 OK\r\n'
const silence = () => {}

/** The failure of a request with a short deadline, and its duration. */
async function timed(...[request, policy, wires]: Parameters<typeof sendRequest>) {
  const startedAt = performance.now()
  const failure = await rejectionOf({ ...request, deadlineMs }, policy, wires)
  return { failure, ms: performance.now() - startedAt }
}

function expectTimeout({ failure, ms }: Awaited<ReturnType<typeof timed>>) {
  expect(failure).toMatchObject({ name: 'EgressFailed', reason: 'timeout' })
  expect(failure).toHaveProperty('message', 'No complete response within 150 ms.')
  // Timers of Node fire up to a millisecond early; the upper bound allows for a busy machine.
  expect(ms).toBeGreaterThan(deadlineMs - 2)
  expect(ms).toBeLessThan(deadlineMs + 2_000)
}

describe('the deadline ends', () => {
  it.each([
    ['a receiver that says nothing', silence],
    ['interim answers without end', drips('HTTP/1.1 100 Continue\r\n\r\n')],
    ['headers that come one by one', drips('X-A: b\r\n', head)],
    ['a body that comes byte by byte', drips('x', `${head}Content-Length: 100000\r\n\r\n`)],
    ['a body that comes chunk by chunk', drips('1\r\nx\r\n', `${head}Transfer-Encoding: chunked\r\n\r\n`)],
    ['a body that stops half way', respondWith(`${head}Content-Length: 10\r\n\r\nhello`)],
  ])('%s, and with it the connection', async (_, script) => {
    const seen = await startScriptedReceiver(script)
    expectTimeout(await timed(getRequest(seen.url), permissivePolicy))
    await seen.ended
  })

  it('a TLS handshake that hangs', async () => {
    const seen = await startScriptedReceiver(silence)
    expectTimeout(await timed(getRequest(seen.url.replace('http:', 'https:')), permissivePolicy))
    await seen.ended
  })

  it('a connection that is not established', async () => {
    const socket = Object.assign(new Socket(), { connecting: true })
    expectTimeout(
      await timed(getRequest('https://example.com/'), strictPolicy, {
        ...dialsReceiver(0, '1.1.1.1'),
        connect: () => socket,
      }),
    )
    expect(socket.destroyed).toBe(true)
  })

  it('a look-up that does not end, and its late result is not dialled', async () => {
    const late = Promise.withResolvers<string[]>()
    const wires = { ...dialsReceiver(0), resolve: () => late.promise }
    expectTimeout(await timed(getRequest('https://example.com/'), strictPolicy, wires))
    late.resolve(['1.1.1.1'])
    await new Promise(setImmediate)
    expect(wires.dialled).toEqual([])
  })
})

describe('a failure names its reason:', () => {
  it.each([
    ['connection', 'closes before it answers', (socket: Socket) => void socket.end()],
    ['connection', 'resets before it answers', (socket: Socket) => void socket.resetAndDestroy()],
    ['connection', 'closes within the headers', (socket: Socket) => void socket.end(`${head}X-A:`)],
    [
      'connection',
      'closes within the body',
      (socket: Socket) => void socket.end(`${head}Content-Length: 9\r\n\r\nhello`),
    ],
    [
      'connection',
      'closes within a chunk',
      (socket: Socket) => void socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n9\r\nhello`),
    ],
    ['invalid-answer', 'speaks something else', respondWith('220 mail.example.com ESMTP\r\n')],
    ['invalid-answer', 'speaks HTTP/0.9', respondWith('<html>hello</html>')],
    [
      'invalid-answer',
      'lies about its length twice',
      respondWith(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`),
    ],
    [
      'invalid-answer',
      'begins well and goes on with garbage',
      respondWith(`${head}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`),
    ],
    [
      'invalid-answer',
      'switches protocols unasked',
      respondWith('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'invalid-answer',
      'announces its answer without end',
      respondWith('HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n'.repeat(1_000)),
    ],
    ['too-large', 'sends 60 kB of headers', respondWith(`${head}X-A: ${'a'.repeat(60_000)}\r\n\r\n`)],
    ['too-large', 'sends many headers', respondWith(`${head}${'X-A: b\r\n'.repeat(10_000)}\r\n`)],
  ])('%s, when the receiver %s', async (reason, _, script) => {
    const seen = await startScriptedReceiver(script)
    expect(await rejectionOf(getRequest(seen.url), permissivePolicy)).toMatchObject({ name: 'EgressFailed', reason })
  })

  it('connection, when the port is closed', async () => {
    const connect = () => new Socket().connect(1, '127.0.0.1')
    const failure = await rejectionOf(getRequest('http://127.0.0.1/'), permissivePolicy, { connect })
    expect(failure).toMatchObject({
      reason: 'connection',
      message: 'The connection to 127.0.0.1 failed (ECONNREFUSED).',
    })
  })

  it('connection, when it is closed before its address can be checked', async () => {
    const wires = { ...dialsReceiver(0, '1.1.1.1'), connect: () => new Socket() }
    expect(await rejectionOf(getRequest('https://example.com/'), strictPolicy, wires)).toMatchObject({
      reason: 'connection',
    })
  })

  it('unresolvable, when the name has no address', async () => {
    expect(await rejectionOf(getRequest('https://example.com/'), strictPolicy, dialsReceiver(0))).toMatchObject({
      reason: 'unresolvable',
    })
    const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
    expect(await rejectionOf(getRequest('https://example.com/'), strictPolicy, { resolve })).toMatchObject({
      reason: 'unresolvable',
      message: 'The host example.com cannot be resolved (ENOTFOUND).',
    })
  })
})

describe('over TLS', () => {
  const name = 'hooks.example.com'
  const good = selfSigned(name)

  /** A receiver whose certificate counts as issued by an authority. */
  async function trusted(certificate: { cert: string; key: string }, more: TlsOptions = {}) {
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, certificate.cert])
    onTestFinished(() => setDefaultCACertificates(before))
    const seen = await startScriptedReceiver(ok, { ...certificate, ...more })
    return { seen, wires: dialsReceiver(seen.port, '127.0.0.1') }
  }

  it('a trusted certificate of the right name is accepted, and the name is sent with SNI', async () => {
    const names: string[] = []
    const SNICallback: TlsOptions['SNICallback'] = (servername, done) => {
      names.push(servername)
      done(null)
    }
    const { seen, wires } = await trusted(good, { SNICallback })
    for (const url of [`https://${name}/`, `https://${name}./`, `https://${name}:8443/`]) {
      await expect(sendRequest(getRequest(url), permissivePolicy, wires)).resolves.toMatchObject({
        status: 200,
        address: '127.0.0.1',
      })
    }
    expect(names).toEqual([name, name, name])
    expect(seen.received.match(/(?<=^host: ).*(?=\r)/gim)).toEqual([name, `${name}.`, `${name}:8443`])
  })

  it('a self-signed certificate is refused before the request is sent', async () => {
    const seen = await startScriptedReceiver(ok, good)
    const request = getRequest(`https://${name}/`, { method: 'POST', body: Buffer.from('secret') })
    expect(await rejectionOf(request, permissivePolicy, dialsReceiver(seen.port, '127.0.0.1'))).toMatchObject({
      name: 'EgressFailed',
      reason: 'tls',
      message: `The TLS handshake with ${name} failed (DEPTH_ZERO_SELF_SIGNED_CERT).`,
    })
    expect(seen.received).toBe('')
  })

  it.each([
    ['that has expired', selfSigned(name, new Date(Date.now() - 60_000)), 'CERT_HAS_EXPIRED'],
    ['of another name', selfSigned('other.example.com'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('a trusted certificate %s is refused before the request is sent', async (_, certificate, code) => {
    const { seen, wires } = await trusted(certificate)
    expect(await rejectionOf(getRequest(`https://${name}/`), permissivePolicy, wires)).toMatchObject({
      reason: 'tls',
      message: `The TLS handshake with ${name} failed (${code}).`,
    })
    expect(seen.received).toBe('')
  })

  it('a certificate of an address is accepted for it, without SNI', async () => {
    const names: string[] = []
    const SNICallback: TlsOptions['SNICallback'] = (servername) => void names.push(servername)
    const { seen } = await trusted(selfSigned('127.0.0.1'), { SNICallback })
    await expect(sendRequest(getRequest(seen.url), permissivePolicy)).resolves.toMatchObject({ status: 200 })
    expect(names).toEqual([])
  })

  it('a certificate of a name is refused for an address', async () => {
    const { seen } = await trusted(selfSigned('localhost'))
    expect(await rejectionOf(getRequest(seen.url), permissivePolicy)).toMatchObject({
      reason: 'tls',
      message: 'The TLS handshake with 127.0.0.1 failed (ERR_TLS_CERT_ALTNAME_INVALID).',
    })
  })

  it('the environment cannot disable the verification', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => void vi.unstubAllEnvs().restoreAllMocks())
    const seen = await startScriptedReceiver(ok, good)
    expect(await rejectionOf(getRequest(seen.url), permissivePolicy)).toMatchObject({ reason: 'tls' })
  })

  it('TLS versions before 1.2 are refused', async () => {
    const old: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
    const { wires } = await trusted(good, old)
    expect(await rejectionOf(getRequest(`https://${name}/`), permissivePolicy, wires)).toMatchObject({ reason: 'tls' })
  })

  it('a receiver that speaks plain HTTP is refused', async () => {
    const server = createServer((socket) => socket.on('error', silence).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const wires = dialsReceiver(portOf(server), '127.0.0.1')
    expect(await rejectionOf(getRequest(`https://${name}/`), permissivePolicy, wires)).toMatchObject({ reason: 'tls' })
  })
})

describe('the cause of a failure', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code })

  it.each([
    ['unresolvable', 'ENOTFOUND', false],
    ['unresolvable', 'ENODATA', false],
    ['unresolvable', 'ETIMEOUT', true],
    ['unresolvable', 'EAI_AGAIN', true],
    ['connection', 'ECONNREFUSED', false],
    ['connection', 'ECONNRESET', false],
    ['connection', 'ENETUNREACH', true],
    ['connection', 'EMFILE', true],
    ['tls', 'CERT_HAS_EXPIRED', false],
    ['timeout', 'none', false],
  ] as const)('%s by %s is ours: %s', (reason, code, isOurs) => {
    expect(new EgressFailed(reason, 'It failed.', coded(code)).isLocal).toBe(isOurs)
  })
})
